"""The account's stream is reopened whatever ends it; how long it lived decides how soon, and what is logged."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from bot.account import account_reader
from bot.account.account_reader import (
    CONFLICT_AFTER,
    CONFLICT_PAUSES_S,
    FIRST_PAUSE_S,
    HEALTHY_S,
    MAX_PAUSE_S,
    REJECTED_PAUSE_S,
    REMIND_S,
    SHORT_LIVED_S,
    AccountReader,
)
from bot.backoff import Backoff
from bot.errors import LichessError, NetworkError, RateLimited, StreamBroken, Unauthorized
from bot.events.account import AccountEvent, ChallengeCanceled
from tests.helpers.ending import closed_at_end
from tests.helpers.processes import wait_until


class FedStream:
    """A stream fed by the test: events, None, an error to raise, or "end"."""

    def __init__(self) -> None:
        self.queue: queue.Queue[AccountEvent | LichessError | str | None] = queue.Queue()
        self.closed = False

    def __iter__(self) -> Iterator[AccountEvent | None]:
        while (item := self.queue.get()) != "end":
            if isinstance(item, LichessError):
                raise item
            yield item  # type: ignore[misc]  # the one string is "end"

    def close(self) -> None:
        """End the iteration."""
        self.closed = True
        self.queue.put("end")


class ReaderHarness:
    """Gives out streams, or errors, in the order of a script; then fresh streams."""

    def __init__(
        self,
        *script: LichessError,
        pauses_s: tuple[float, float] = (0.001, 0.01),
        conflict_pauses_s: tuple[float, float] = (0.001, 0.01),
    ) -> None:
        self.script = list(script)
        self.streams: list[FedStream] = []
        self.events: list[AccountEvent] = []
        self.openings = 0
        self.reader = closed_at_end(AccountReader(self.open, self.on_event, self.on_open))
        self.reader._backoff, self.reader._conflict_backoff = Backoff(*pauses_s), Backoff(*conflict_pauses_s)

    def open(self) -> FedStream:
        """Open a stream."""
        if self.script:
            raise self.script.pop(0)
        self.streams.append(FedStream())
        return self.streams[-1]

    def on_event(self, event: AccountEvent) -> None:
        """Note an event, or fail."""
        if isinstance(event, ChallengeCanceled) and event.challenge_id == "fails":
            raise RuntimeError("a fault of ours")
        self.events.append(event)

    def on_open(self) -> None:
        """Count one more."""
        self.openings += 1

    def wait_open(self, count: int) -> FedStream:
        """Wait for the count-th opening and return its stream."""
        assert wait_until(lambda: self.openings >= count)
        return self.streams[count - 1]


EVENT = ChallengeCanceled("one")


def test_whatever_ends_the_stream_it_is_opened_again() -> None:
    harness = ReaderHarness(NetworkError("refused"))
    harness.reader.start()
    first = harness.wait_open(1)
    first.queue.put(None)
    first.queue.put(EVENT)
    first.queue.put(StreamBroken("cut"))
    second = harness.wait_open(2)
    assert first.closed
    second.queue.put("end")
    third = harness.wait_open(3)
    third.queue.put(EVENT)
    assert wait_until(lambda: len(harness.events) == 2)
    harness.reader.close()
    assert wait_until(lambda: not harness.reader.connected)


def test_a_fault_in_one_event_does_not_cost_the_others() -> None:
    harness = ReaderHarness()
    harness.reader.start()
    line = harness.wait_open(1)
    line.queue.put(ChallengeCanceled("fails"))
    line.queue.put(EVENT)
    assert wait_until(lambda: harness.events == [EVENT])
    assert harness.openings == 1


def test_a_fault_outside_the_events_does_not_end_the_reading() -> None:
    harness = ReaderHarness()
    harness.script = [RecursionError("nested too deep")]  # type: ignore[list-item]  # no error of the tree
    harness.reader.start()
    harness.wait_open(1).queue.put(EVENT)
    assert wait_until(lambda: harness.events == [EVENT])


def test_reopening_at_our_own_wish_is_no_conflict() -> None:
    harness = ReaderHarness()
    harness.reader.start()
    for count in range(1, CONFLICT_AFTER + 3):
        harness.wait_open(count)
        assert wait_until(lambda: harness.reader.connected)
        harness.reader.reopen("a test")
    harness.wait_open(CONFLICT_AFTER + 3)
    assert not harness.reader.token_used_twice


@pytest.mark.parametrize(("status", "is_bounded"), [(401, True), (403, False)])
def test_only_a_rejected_token_which_the_gateway_holds_back_is_tried_often(status: int, is_bounded: bool) -> None:
    reader = ReaderHarness(pauses_s=(FIRST_PAUSE_S, MAX_PAUSE_S)).reader
    pauses_s = [reader._pause_after_refusal(Unauthorized(status)) for _ in range(12)]
    assert (max(pauses_s) <= REJECTED_PAUSE_S) is is_bounded


def test_closing_ends_the_thread() -> None:
    harness = ReaderHarness()
    harness.reader.start()
    harness.wait_open(1)
    harness.reader.close()
    assert wait_until(lambda: not harness.reader._loop.running)


def test_a_routine_reopening_is_no_reconnection_and_no_warning(logs: list[EventDict]) -> None:
    harness = ReaderHarness()
    harness.reader.start()
    harness.wait_open(1)
    assert wait_until(lambda: harness.reader.connected)
    harness.reader.reopen("no event for a while", routine=True)
    harness.wait_open(2)
    assert wait_until(lambda: harness.reader.connected)
    assert harness.reader.openings == 1
    harness.reader.reopen("it missed a game")
    assert wait_until(lambda: harness.reader.openings == 2)
    levels = [line["log_level"] for line in logs if line["event"] == "account_stream_reopened"]
    assert levels == ["debug", "warning"]


def test_openings_and_signs_of_life_are_noted() -> None:
    harness = ReaderHarness()
    assert (harness.reader.openings, harness.reader.last_line_s) == (0, None)
    harness.reader.start()
    assert wait_until(lambda: harness.reader.openings == 1)
    opened_s = harness.reader.last_line_s
    assert opened_s is not None
    harness.streams[0].queue.put(None)
    assert wait_until(lambda: (harness.reader.last_line_s or 0.0) > opened_s)
    harness.streams[0].queue.put("end")
    assert wait_until(lambda: harness.reader.openings == 2)


def test_closed_while_the_stream_is_being_opened_it_does_not_read_on() -> None:
    harness = ReaderHarness()
    opening = harness.open

    def open_and_close() -> FedStream:
        harness.reader.close()
        return opening()

    harness.reader._open_stream = open_and_close
    harness.reader.start()
    assert harness.reader._loop.join(30.0)
    assert harness.streams[0].closed
    assert harness.openings == 0


CUT = StreamBroken("cut")
FIRST_AT_MOST_S = 1.5 * FIRST_PAUSE_S  # with its jitter


class TimedStream:
    """Lives for some seconds of a fake clock, with its lines at even distances; ends with an error, or cleanly."""

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
        """Count one more."""
        self.closed += 1


class Timed:
    """A reader without its thread, with a clock that only its streams move."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock = [1000.0]
        monkeypatch.setattr(account_reader, "time", SimpleNamespace(monotonic=lambda: self.clock[0]))
        self.next: TimedStream | LichessError = CUT
        self.reader = AccountReader(self.open, self.on_event, lambda: None)
        self.seen: list[tuple[bool, float | None, float | None]] = []

    def open(self) -> TimedStream:
        """Return the next stream, or raise the next error."""
        if isinstance(self.next, LichessError):
            raise self.next
        return self.next

    def on_event(self, _event: AccountEvent) -> None:
        """Note the state of the reader."""
        self.seen.append((self.reader.connected, self.reader.opened_s, self.reader.last_line_s))

    def pause_after(self, lives_s: float, end: LichessError | None = None, *lines: AccountEvent | None) -> float:
        """Return the pause after a stream that lived this long."""
        self.next = TimedStream(self.clock, lives_s, end, *lines)
        pause_s = self.reader._read_once()
        assert self.next.closed
        return pause_s

    def pause_after_refusal(self, error: LichessError) -> float:
        """Return the pause after a stream that could not be opened."""
        self.next = error
        return self.reader._read_once()


@pytest.fixture
def timed(monkeypatch: pytest.MonkeyPatch) -> Timed:
    return Timed(monkeypatch)


def test_a_second_program_is_named_once_and_then_the_stream_is_opened_rarely(timed: Timed) -> None:
    with capture_logs() as lines:
        found = [timed.pause_after(0.0) for _ in range(CONFLICT_AFTER + 8)]
    named = [line for line in lines if line["event"] == "token_used_twice"]
    assert len(named) == 1
    assert "stop it" in named[0]["remedy"]
    assert max(found[: CONFLICT_AFTER - 1]) <= 2 * FIRST_AT_MOST_S
    rare = found[CONFLICT_AFTER - 1 :]
    assert min(rare) >= CONFLICT_PAUSES_S[0] / 2
    assert rare[-1] >= CONFLICT_PAUSES_S[1] / 2


def test_a_rejected_token_shows_until_the_stream_opens(timed: Timed) -> None:
    for _ in range(3):
        timed.pause_after_refusal(Unauthorized(401, "No such token"))
        assert timed.reader.token_rejected
    timed.pause_after(0.0)
    assert not timed.reader.token_rejected


def test_a_limit_is_waited_for(timed: Timed) -> None:
    assert 33.0 <= timed.pause_after_refusal(RateLimited(33.0)) <= 50.0


@pytest.mark.parametrize(("lived_s", "is_short"), [(HEALTHY_S, True), (HEALTHY_S - 1.0, False)])
def test_the_pauses_grow_until_a_stream_has_lived_long_enough(timed: Timed, lived_s: float, is_short: bool) -> None:
    assert timed.pause_after(5.0, CUT) <= FIRST_AT_MOST_S
    for _ in range(5):
        timed.pause_after(5.0, CUT)
    assert (timed.pause_after(lived_s, CUT) <= FIRST_AT_MOST_S) is is_short


def test_a_server_that_is_away_is_logged_ever_more_rarely(timed: Timed, logs: list[EventDict]) -> None:
    pauses_s = [timed.pause_after_refusal(NetworkError("refused")) for _ in range(9)]
    assert pauses_s[0] <= FIRST_AT_MOST_S
    assert min(pauses_s[6:]) >= 15.0
    assert [line["times"] for line in logs if line["log_level"] == "warning"] == [1, 2, 4, 8]
    assert [line["times"] for line in logs if line["log_level"] == "debug"] == [3, 5, 6, 7, 9]


def test_a_clean_end_is_logged_with_the_time_that_the_stream_lived(timed: Timed, logs: list[EventDict]) -> None:
    timed.pause_after(12.34)
    assert [(line["event"], line["lived_s"]) for line in logs] == [("account_stream_ended", 12.3)]


@pytest.mark.parametrize("forgotten_by", ["nothing", "refusal", "break", "long life"])
def test_only_clean_ends_in_a_row_are_a_second_program(timed: Timed, forgotten_by: str) -> None:
    for _ in range(CONFLICT_AFTER - 1):
        timed.pause_after(5.0)
    if forgotten_by == "refusal":
        timed.pause_after_refusal(NetworkError("refused"))
    elif forgotten_by == "break":
        timed.pause_after(5.0, CUT)
    elif forgotten_by == "long life":
        timed.pause_after(SHORT_LIVED_S, CUT, None)  # the keep-alive shows that it is still open
    pause_s = timed.pause_after(5.0)
    assert timed.reader.token_used_twice is (forgotten_by == "nothing")
    assert (pause_s >= 30.0) is (forgotten_by == "nothing")


def test_a_stream_that_stays_open_ends_a_conflict_and_its_long_pauses(timed: Timed) -> None:
    for _ in range(CONFLICT_AFTER + 4):
        timed.pause_after(5.0)
    timed.pause_after(2 * SHORT_LIVED_S, CUT, None, None)
    assert not timed.reader.token_used_twice
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
        assert timed.pause_after(5.0) > 0.0  # the request was carried out
    assert [line["event"] for line in lines] == ["account_stream_reopened", "account_stream_ended"]
    assert lines[0]["log_level"] == "warning"


@pytest.mark.parametrize(
    ("lived_s", "suspected"), [(SHORT_LIVED_S * 2, False), (SHORT_LIVED_S, False), (SHORT_LIVED_S - 1.0, True)]
)
def test_ends_far_apart_are_no_conflict(timed: Timed, lived_s: float, suspected: bool) -> None:
    for _ in range(10):
        timed.pause_after(lived_s)
    assert timed.reader.token_used_twice is suspected
