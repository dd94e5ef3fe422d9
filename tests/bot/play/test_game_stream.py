"""One game's stream: opened again until the game is known to be over."""

from __future__ import annotations

import threading
import time

import pytest
from structlog.testing import capture_logs

from bot.errors import NetworkError, NotFound, RateLimited, StreamBroken
from bot.play import game_stream
from tests.helpers.games import full, state
from tests.helpers.processes import wait_until
from tests.helpers.reader_harness import ReaderHarness, ScriptedStream, quicken


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    quicken(monkeypatch)


def test_breaks_refusals_and_limits_lead_to_another_opening() -> None:
    with capture_logs() as lines:
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
    assert [line["event"] for line in lines].count("game_stream_fault") == 1  # ours alone


def test_the_end_of_the_game_ends_the_reading() -> None:
    harness = ReaderHarness(ScriptedStream(full(), state("e2e4"), state("e2e4", status="resign")), over_at=3)
    assert harness.stopped()
    assert harness.openings == 1


def test_reopening_comes_at_once() -> None:
    harness = ReaderHarness(ScriptedStream(full()))
    assert wait_until(lambda: len(harness.received) == 1)
    harness.reader.reopen("a test")
    assert wait_until(lambda: harness.openings == 2)
    harness.reader.stop()
    assert harness.stopped()


def test_a_stream_that_is_closed_because_nothing_more_is_wanted_is_no_event() -> None:
    with capture_logs() as logs:
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
    harness.reader.stop()


def test_a_game_that_is_not_found_is_looked_up() -> None:
    harness = ReaderHarness(NotFound(404), ongoing=False)
    assert harness.stopped()
    assert (harness.openings, harness.asked) == (1, 1)


def test_a_wish_to_reopen_ends_the_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_stream, "RETRY_FIRST_S", 600.0)
    monkeypatch.setattr(game_stream, "RETRY_MOST_S", 600.0)
    harness = ReaderHarness(NetworkError("refused"), NetworkError("refused"))  # the first retry is made at once
    assert wait_until(lambda: harness.openings == 2)
    harness.reader.reopen("a test")
    assert wait_until(lambda: harness.openings == 3)
    harness.reader.stop()
    assert harness.stopped()


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
    harness.reader.stop()
    assert harness.stopped()


def test_openings_that_bring_no_news_come_ever_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_stream, "RETRY_MOST_S", 30.0)
    monkeypatch.setattr(game_stream, "RETRY_FIRST_S", 0.05)
    harness = ReaderHarness(*[ScriptedStream(full(), "end") for _ in range(100)])
    threading.Event().wait(2.0)
    assert 4 <= harness.openings <= 9
    harness.reader.stop()


def test_news_in_the_first_line_begins_the_pauses_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_stream, "RETRY_MOST_S", 30.0)
    monkeypatch.setattr(game_stream, "RETRY_FIRST_S", 5.0)
    moves = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6"
    streams = [ScriptedStream(full(state(moves[: 5 * count])), "end") for count in range(7)]
    harness = ReaderHarness(*streams)
    assert wait_until(lambda: harness.openings == 8)
    harness.reader.stop()


def test_a_refresh_waits_for_the_first_line_of_another_stream() -> None:
    harness = ReaderHarness(ScriptedStream(full()), ScriptedStream(full(state("e2e4"))))
    assert wait_until(lambda: len(harness.received) == 1)
    assert harness.reader.refresh(30.0)
    assert harness.openings == 2
    assert not harness.reader.refresh(0.05)  # this one says nothing
    harness.reader.stop()


def test_a_wish_to_reopen_ends_the_pause_after_a_refusal() -> None:
    harness = ReaderHarness(RateLimited(3600.0))
    assert wait_until(lambda: harness.openings == 1)
    began_s = time.monotonic()
    harness.reader.reopen("a test")
    assert wait_until(lambda: harness.openings == 2)
    assert time.monotonic() - began_s < 50.0
    harness.reader.stop()
    assert harness.stopped()
