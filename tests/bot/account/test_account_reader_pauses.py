"""How long the account's stream lived decides how soon it is opened again, and what is said of its end."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.account import account_reader
from bot.account.account_reader import FIRST_PAUSE_S, HEALTHY_S, REMIND_S, AccountReader
from bot.account.token_conflict import CONFLICT_AFTER, SHORT_LIVED_S
from bot.errors import LichessError, NetworkError, StreamBroken
from bot.events import AccountEvent, ChallengeCanceled

CUT = StreamBroken("cut")
FIRST_AT_MOST_S = 1.5 * FIRST_PAUSE_S  # with its jitter
EVENT = ChallengeCanceled("one")


class TimedStream:
    """Lives for some seconds of a clock, in which its lines come evenly; ends with an error, or cleanly."""

    def __init__(
        self, clock: list[float], lives_s: float, end: LichessError | None, *lines: AccountEvent | None
    ) -> None:
        self.clock, self.lives_s, self.end, self.lines = clock, lives_s, end, lines
        self.closed = 0

    def __iter__(self) -> Iterator[AccountEvent | None]:
        for line in self.lines:
            self.clock[0] += self.lives_s / len(self.lines)
            yield line
        if not self.lines:
            self.clock[0] += self.lives_s
        if self.end is not None:
            raise self.end

    def close(self) -> None:
        """Count."""
        self.closed += 1


class Timed:
    """A reader without its thread, on a clock that only its streams move."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock = [1000.0]
        monkeypatch.setattr(account_reader, "time", SimpleNamespace(monotonic=lambda: self.clock[0]))
        self.next: TimedStream | LichessError = CUT
        self.reader = AccountReader(self.open, self.on_event, lambda: None)
        self.seen: list[tuple[bool, float | None, float | None]] = []

    def open(self) -> TimedStream:
        """Open what is next."""
        if isinstance(self.next, LichessError):
            raise self.next
        return self.next

    def on_event(self, _event: AccountEvent) -> None:
        """Note how the reader stands."""
        self.seen.append((self.reader.connected, self.reader.opened_s, self.reader.last_line_s))

    def pause_after(self, lives_s: float, end: LichessError | None = None, *lines: AccountEvent | None) -> float:
        """The pause after a stream that lived for so long."""
        self.next = TimedStream(self.clock, lives_s, end, *lines)
        pause_s = self.reader._read_once()
        assert self.next.closed
        return pause_s

    def pause_after_refusal(self, error: LichessError) -> float:
        """The pause after a stream that could not be opened."""
        self.next = error
        return self.reader._read_once()


@pytest.fixture
def timed(monkeypatch: pytest.MonkeyPatch) -> Timed:
    return Timed(monkeypatch)


@pytest.mark.parametrize(("lived_s", "is_short"), [(HEALTHY_S, True), (HEALTHY_S - 1.0, False)])
def test_the_pauses_grow_until_a_stream_has_lived_long_enough(timed: Timed, lived_s: float, is_short: bool) -> None:
    assert timed.pause_after(5.0, CUT) <= FIRST_AT_MOST_S
    for _ in range(5):
        timed.pause_after(5.0, CUT)
    assert (timed.pause_after(lived_s, CUT) <= FIRST_AT_MOST_S) is is_short


def test_a_server_that_is_away_is_told_ever_more_rarely(timed: Timed) -> None:
    with capture_logs() as lines:
        pauses_s = [timed.pause_after_refusal(NetworkError("refused")) for _ in range(9)]
    assert pauses_s[0] <= FIRST_AT_MOST_S
    assert min(pauses_s[6:]) >= 15.0
    assert [line["times"] for line in lines if line["log_level"] == "warning"] == [1, 2, 4, 8]
    assert [line["times"] for line in lines if line["log_level"] == "debug"] == [3, 5, 6, 7, 9]


def test_a_clean_end_is_said_with_the_time_that_the_stream_lived(timed: Timed) -> None:
    with capture_logs() as lines:
        timed.pause_after(12.34)
    assert [(line["event"], line["lived_s"]) for line in lines] == [("account_stream_ended", 12.3)]


@pytest.mark.parametrize("forgotten_by", ["nothing", "refusal", "break", "long life"])
def test_only_clean_ends_in_a_row_are_a_second_program(timed: Timed, forgotten_by: str) -> None:
    for _ in range(CONFLICT_AFTER - 1):
        timed.pause_after(5.0)
    if forgotten_by == "refusal":
        timed.pause_after_refusal(NetworkError("refused"))
    elif forgotten_by == "break":
        timed.pause_after(5.0, CUT)
    elif forgotten_by == "long life":
        timed.pause_after(SHORT_LIVED_S, CUT, None)  # the keep-alive tells that it is still open
    pause_s = timed.pause_after(5.0)
    assert timed.reader.token_conflict.suspected is (forgotten_by == "nothing")
    assert (pause_s >= 30.0) is (forgotten_by == "nothing")


def test_a_stream_that_stays_open_ends_a_conflict_and_its_long_pauses(timed: Timed) -> None:
    for _ in range(CONFLICT_AFTER + 4):
        timed.pause_after(5.0)
    timed.pause_after(2 * SHORT_LIVED_S, CUT, None, None)
    assert not timed.reader.token_conflict.suspected
    for _ in range(CONFLICT_AFTER):
        pause_s = timed.pause_after(5.0)
    assert 30.0 <= pause_s <= 90.0  # the first of the long ones again


@pytest.mark.parametrize(("after_s", "times"), [(REMIND_S - 1.0, 1), (REMIND_S, 2)])
def test_a_conflict_is_named_again_after_an_hour(timed: Timed, after_s: float, times: int) -> None:
    with capture_logs() as lines:
        for _ in range(CONFLICT_AFTER):
            timed.pause_after(5.0)
        named_s = timed.clock[0]
        timed.clock[0] = named_s + after_s - 5.0
        timed.pause_after(5.0)
    assert [line["event"] for line in lines].count("token_used_twice") == times


def test_keep_alives_are_signs_of_life_and_no_events(timed: Timed) -> None:
    assert not timed.reader.connected
    timed.pause_after(30.0, CUT, None, EVENT, None)
    assert timed.seen == [(True, 1000.0, 1020.0)]
    assert (timed.reader.last_event_s, timed.reader.last_line_s) == (1020.0, 1030.0)
    assert not timed.reader.connected


def test_a_stream_is_opened_anew_at_once_where_we_wish_it_and_only_one_that_is_there(timed: Timed) -> None:
    def reopen(_event: Any) -> None:
        timed.reader.reopen("it missed something")

    timed.reader._on_event = reopen
    with capture_logs() as lines:
        timed.reader.reopen("there is none")
        assert timed.pause_after(5.0, None, EVENT, EVENT) == 0.0
        assert timed.pause_after(5.0) > 0.0  # the wish is fulfilled
    assert [line["event"] for line in lines] == ["account_stream_reopened", "account_stream_ended"]
