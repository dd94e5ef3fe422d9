"""What becomes of a game's stream that has ended: what is news, whose turn it is, what the log says."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from bot.errors import LichessError, NetworkError, StreamBroken
from bot.events import ChatLine, GameEvent, OpponentGone, UnknownEvent
from bot.play import game_stream
from bot.play.game_stream import GameReader
from tests.helpers.games import full, state
from tests.helpers.processes import wait_until
from tests.helpers.reader_harness import NotedPacer, ReaderHarness, ScriptedStream, quicken


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    quicken(monkeypatch)


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
        harness = ReaderHarness(step if isinstance(step, LichessError) else ScriptedStream(*step), urgent=urgent)
        assert wait_until(lambda: harness.openings == 2)
        harness.reader.stop()
        assert harness.stopped()
    assert harness.pacer.turns == [urgent]


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


def reader_of(open_stream: Callable[[], ScriptedStream]) -> GameReader:
    """A reader that is not started yet, of a game that is over with its first line."""
    return GameReader(
        "abcdefgh",
        lambda _: open_stream(),
        lambda *_: False,
        lambda: None,
        NotedPacer(1.0, 1),
        lambda: True,
    )


@pytest.mark.parametrize(
    ("before", "event", "is_news"),
    [
        (state(E4), state(E4), False),
        (state(E4), full(state(E4)), False),  # of a stream opened anew
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


def test_the_log_tells_why_a_stream_was_opened_anew() -> None:
    with capture_logs() as lines:
        harness = ReaderHarness(*[ScriptedStream(full(state(E4))) for _ in range(3)], ScriptedStream(full()))
        for count, why in ((1, "it does not show our move"), (2, game_stream.SILENT), (3, "the server was asked")):
            assert wait_until(partial(harness.has_received, count))
            harness.reader.reopen(why)
        assert wait_until(partial(harness.has_received, 4))
        harness.reader._stream.close()  # type: ignore[union-attr]  # there is one, as something was received
        assert wait_until(lambda: harness.openings == 5)
        harness.reader.stop()
        assert harness.stopped()
    assert [(line["event"], line["log_level"]) for line in lines if line["event"].startswith("game_stream")] == [
        ("game_stream_reopened", "info"),
        ("game_stream_reopened", "info"),
        ("game_stream_reopened", "info"),
        ("game_stream_ended", "info"),  # this one by itself
    ]


def test_an_outage_fills_no_log() -> None:
    with capture_logs() as lines:
        harness = ReaderHarness(*[NetworkError("gone")] * 5)
        assert wait_until(lambda: harness.openings == 6)
        harness.reader.stop()
        assert harness.stopped()
    assert [line["times"] for line in lines if line["log_level"] == "warning"] == [1, 2, 4]
