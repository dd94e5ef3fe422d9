"""The stream of one game: opened again until the game is over; what is news, what is stale, what the log says."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from bot.backoff import Backoff
from bot.errors import LichessError, NetworkError, NotFound, RateLimited, StreamBroken, Unauthorized
from bot.events.game import ChatLine, GameEvent, OpponentGone, UnknownEvent
from bot.play import game_stream
from bot.play.game_stream import OPENING_S, SILENT_S, GameReader, StreamWatchdog
from tests.helpers.games import full, state
from tests.helpers.processes import wait_until
from tests.helpers.reader_harness import NotedPacer, ReaderHarness, ScriptedStream, quicken


@pytest.mark.parametrize(("opened", "patience_s"), [(False, OPENING_S), (True, SILENT_S)])
def test_a_silent_stream_is_stale_after_a_while_and_the_next_one_gets_its_time(opened: bool, patience_s: float) -> None:
    watchdog = StreamWatchdog(1000.0)
    for began_s in (1000.0, 1000.1 + patience_s):
        assert not watchdog.stale(began_s + patience_s, opened=opened, pausing=False)
        assert watchdog.stale(began_s + patience_s + 0.1, opened=opened, pausing=False)


def test_keep_alives_are_enough() -> None:
    watchdog = StreamWatchdog(0.0)
    for now_s in range(7, 700, 7):
        watchdog.note_line(float(now_s))
        assert not watchdog.stale(now_s + 7.0, opened=True, pausing=False)


def test_a_pause_is_not_stale_and_the_attempt_after_it_gets_its_time() -> None:
    watchdog = StreamWatchdog(0.0)
    paused_s = 2 * SILENT_S
    assert not watchdog.stale(paused_s, opened=True, pausing=True)
    assert not watchdog.stale(paused_s + SILENT_S, opened=True, pausing=False)
    assert watchdog.stale(paused_s + SILENT_S + 0.1, opened=True, pausing=False)


def test_the_line_before_is_remembered() -> None:
    watchdog = StreamWatchdog(3.0)
    assert watchdog.note_line(5.0) == 3.0
    assert watchdog.note_line(6.0) == 5.0


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    quicken(monkeypatch)


def test_breaks_refusals_and_limits_lead_to_another_opening(logs: list[EventDict]) -> None:
    harness = ReaderHarness(
        NetworkError("refused"),
        RateLimited(0.001),
        ScriptedStream(full(), StreamBroken("cut")),
        ScriptedStream(full(), RuntimeError("ours")),
    )
    assert wait_until(lambda: harness.openings == 5)
    harness.reader.stop()
    assert harness.stopped()
    assert len(harness.received) == 2
    assert [line["event"] for line in logs].count("game_stream_fault") == 1  # ours alone


def test_the_end_of_the_game_ends_the_reading() -> None:
    harness = ReaderHarness(ScriptedStream(full(), state("e2e4"), state("e2e4", status="resign")), over_at=3)
    assert harness.stopped()
    assert harness.openings == 1


def test_reopening_comes_at_once() -> None:
    harness = ReaderHarness(ScriptedStream(full()))
    assert wait_until(lambda: len(harness.received) == 1)
    harness.reader.reopen("a test")
    assert wait_until(lambda: harness.openings == 2)


def test_a_stream_that_is_closed_because_nothing_more_is_wanted_is_no_event(logs: list[EventDict]) -> None:
    harness = ReaderHarness(ScriptedStream(full()))
    assert wait_until(lambda: len(harness.received) == 1)
    harness.reader.stop()
    assert harness.stopped()
    assert logs == []


def test_a_game_that_ends_its_stream_again_and_again_is_looked_up() -> None:
    """The server may close the stream of a game that it still calls started; then its list of games decides."""
    harness = ReaderHarness(*[ScriptedStream(full(), "end") for _ in range(5)], ongoing=False)
    assert harness.stopped()
    assert harness.asked == 1
    assert harness.openings == 1 + game_stream.OPENINGS_WITHOUT_NEWS  # the first one did bring news


def test_a_game_on_the_list_is_never_given_up() -> None:
    harness = ReaderHarness(*[ScriptedStream(full(), "end") for _ in range(12)], ongoing=True)
    assert wait_until(lambda: harness.openings == 13)


def test_a_game_that_is_not_found_is_looked_up() -> None:
    harness = ReaderHarness(NotFound(404), ongoing=False)
    assert harness.stopped()
    assert (harness.openings, harness.asked) == (1, 1)


@pytest.mark.parametrize("refusal", [NetworkError("refused"), RateLimited(3600.0)], ids=["unreachable", "limited"])
def test_a_wish_to_reopen_ends_the_pause(refusal: LichessError, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_stream, "RETRY_FIRST_S", 600.0)
    monkeypatch.setattr(game_stream, "RETRY_MOST_S", 600.0)
    harness = ReaderHarness(refusal)
    assert wait_until(lambda: harness.reader.pausing)
    assert harness.openings == 1
    harness.reader.reopen("a test")
    assert wait_until(lambda: harness.openings == 2)
    assert not harness.reader.pausing  # while a stream is open


def test_an_opening_that_takes_too_long_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_stream, "LONGEST_OPENING_S", 0.05)
    released, late = threading.Event(), ScriptedStream(full())
    harness = ReaderHarness()
    opened = harness.open

    def open_slowly(game_id: str) -> ScriptedStream:
        if harness.openings == 1:
            harness.openings += 1
            released.wait(60.0)
            return late
        return opened(game_id)

    assert wait_until(lambda: harness.openings == 1)
    harness.reader._open_stream = open_slowly
    harness.reader.reopen("a test")
    assert wait_until(lambda: harness.openings == 2)
    time.sleep(0.1)
    harness.reader.reopen("a test")
    assert wait_until(lambda: harness.openings == 3)
    released.set()
    assert wait_until(lambda: late.queue.qsize() == 2)  # the line, and the end: it is closed unread


def test_openings_that_bring_no_news_come_ever_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_stream, "RETRY_MOST_S", 3.0)
    monkeypatch.setattr(game_stream, "RETRY_FIRST_S", 0.2)
    reader = reader_of(ScriptedStream)
    reader._without_news = 1
    pauses = [reader._pause_after(0.0) for _ in range(6)]
    assert pauses == pytest.approx([0.2, 0.4, 0.8, 1.6, 3.0, 3.0], rel=0.21)


def test_a_stream_that_lived_is_reopened_at_once_and_a_failed_opening_never(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_stream, "RETRY_MOST_S", 3.0)
    monkeypatch.setattr(game_stream, "RETRY_FIRST_S", 0.2)
    reader = reader_of(ScriptedStream)
    for _ in range(2):
        assert reader._pause_after(game_stream.LIVED_S) == 0.0
        pauses = [reader._not_opened(NetworkError("refused")) for _ in range(6)]
        assert pauses == pytest.approx([0.2, 0.4, 0.8, 1.6, 3.0, 3.0], rel=0.21)


@pytest.mark.parametrize(
    ("clock_s", "longest_s"), [(None, 3.0), (0.0, 3.0), (60.0, 3.0), (20.0, 2.0), (8.0, 0.8), (1.0, 0.5)]
)
def test_the_less_is_left_on_our_clock_the_sooner_the_next_attempt(clock_s: float | None, longest_s: float) -> None:
    reader = reader_of(ScriptedStream, clock_s)
    reader._backoff = Backoff(0.2, 3.0, jitter=0.0)
    assert max(reader._not_opened(NetworkError("refused")) for _ in range(7)) == longest_s
    pauses = [reader._not_opened(RateLimited(0.3)) for _ in range(7)]  # a limit that other attempts began
    assert 0.3 <= min(pauses) <= max(pauses) <= 0.3 + longest_s


def test_news_in_the_first_line_begins_the_pauses_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_stream, "RETRY_MOST_S", 30.0)
    monkeypatch.setattr(game_stream, "RETRY_FIRST_S", 5.0)
    moves = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6"
    streams = [ScriptedStream(full(state(moves[: 5 * count])), "end") for count in range(7)]
    harness = ReaderHarness(*streams)
    assert wait_until(lambda: harness.openings == 8)


def test_a_refresh_waits_for_the_first_line_of_another_stream() -> None:
    harness = ReaderHarness(ScriptedStream(full()), ScriptedStream(full(state("e2e4"))))
    assert wait_until(lambda: len(harness.received) == 1)
    assert harness.reader.refresh(30.0)
    assert harness.openings == 2
    assert not harness.reader.refresh(0.05)  # this one says nothing


@pytest.mark.parametrize("urgent", [False, True])
@pytest.mark.parametrize(
    "step",
    [(full(), "end"), (full(), StreamBroken("cut")), (full(), RuntimeError("ours")), NetworkError("refused")],
    ids=["ended", "broken", "a fault of ours", "not opened"],
)
def test_a_stream_that_ended_early_takes_its_turn_with_those_of_other_games(
    step: LichessError | tuple[object, ...], urgent: bool
) -> None:
    with capture_logs():
        harness = ReaderHarness(
            step if isinstance(step, LichessError) else ScriptedStream(*step), clock_s=0.0 if urgent else None
        )
        assert wait_until(lambda: harness.openings == 2)
        harness.reader.stop()
        assert harness.stopped()
    assert harness.pacer.turns == [urgent]


@pytest.mark.parametrize(("status", "turns"), [(401, 0), (403, 2)])
def test_an_attempt_that_the_gateway_does_not_send_takes_no_turn_from_other_games(status: int, turns: int) -> None:
    harness = ReaderHarness(Unauthorized(status, "the token is rejected"), Unauthorized(status, "again"))
    assert wait_until(lambda: harness.openings == 3)
    harness.reader.stop()
    assert harness.stopped()
    assert len(harness.pacer.turns) == turns


def test_a_stream_that_lived_is_opened_anew_at_once_though_it_brought_no_news(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = itertools.count(1000.0, game_stream.LIVED_S)  # it is looked at when a stream is opened and when it ends
    monkeypatch.setattr(game_stream, "time", SimpleNamespace(monotonic=lambda: next(watch)))
    monkeypatch.setattr(game_stream, "RETRY_FIRST_S", 1000.0)
    monkeypatch.setattr(game_stream, "RETRY_MOST_S", 1000.0)
    harness = ReaderHarness(*[ScriptedStream("end") for _ in range(4)])
    assert wait_until(lambda: harness.openings == 5)
    harness.reader.stop()
    assert harness.pacer.turns == []


E4 = "e2e4"


def reader_of(open_stream: Callable[[], ScriptedStream], clock_s: float | None = 0.0) -> GameReader:
    """A reader that is not started yet, of a game that is over with its first line."""
    return GameReader(
        "abcdefgh",
        lambda _: open_stream(),
        lambda *_: False,
        lambda: None,
        NotedPacer(1.0, 1),
        lambda: clock_s,
    )


@pytest.mark.parametrize(
    ("before", "event", "is_news"),
    [
        (state(E4), state(E4), False),
        (state(E4), full(state(E4)), False),  # of a reopened stream
        (state(E4), state(E4, wtime_ms=1), False),
        (state(E4), state("e2e4 e7e5"), True),
        (state("e2e4 e7e5"), state(E4), True),  # a takeback
        (state(E4), full(state("e2e4 e7e5")), True),
        (state(E4), state(E4, status="resign"), True),
        (state(E4), state(E4, bdraw=True), True),
        (state(E4, wdraw=True), state(E4), True),
        (state(E4, wtakeback=True), state(E4), True),
        (state(E4), state(E4, btakeback=True), True),
        (state(E4), ChatLine("alice", "hi"), False),
        (state(E4), OpponentGone(True, 8), False),
        (state(E4), UnknownEvent("odd", {}), False),
    ],
)
def test_news_is_what_changes_the_game(before: GameEvent, event: GameEvent, is_news: bool) -> None:
    reader = reader_of(ScriptedStream)
    assert reader._is_news(before)
    assert reader._is_news(event) is is_news


def test_a_reader_that_is_stopped_while_its_stream_is_opened_reads_nothing() -> None:
    stream = ScriptedStream(full(), full())

    def open_late() -> ScriptedStream:
        reader.stop()
        return stream

    reader = reader_of(open_late)
    assert reader.start()
    assert wait_until(lambda: stream.queue.qsize() == 3)  # both lines, and the end: it is closed


def test_the_log_tells_why_a_stream_was_opened_anew(logs: list[EventDict]) -> None:
    harness = ReaderHarness(*[ScriptedStream(full(state(E4))) for _ in range(3)], ScriptedStream(full()))
    for count, why in ((1, "it does not show our move"), (2, game_stream.SILENT), (3, "the server was asked")):
        assert wait_until(partial(harness.has_received, count))
        harness.reader.reopen(why)
    assert wait_until(partial(harness.has_received, 4))
    harness.reader._stream.close()  # type: ignore[union-attr]  # there is one, as something was received
    assert wait_until(lambda: harness.openings == 5)
    harness.reader.stop()
    assert harness.stopped()
    assert [(line["event"], line["log_level"]) for line in logs if line["event"].startswith("game_stream")] == [
        ("game_stream_reopened", "info"),
        ("game_stream_reopened", "info"),
        ("game_stream_reopened", "info"),
        ("game_stream_ended", "info"),  # this one unasked
    ]


def test_an_outage_fills_no_log(logs: list[EventDict]) -> None:
    harness = ReaderHarness(*[NetworkError("gone")] * 5)
    assert wait_until(lambda: harness.openings == 6)
    harness.reader.stop()
    assert harness.stopped()
    assert [line["times"] for line in logs if line["log_level"] == "warning"] == [1, 2, 4]
