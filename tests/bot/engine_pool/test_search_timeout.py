"""The timer of one search, on a fake clock."""

from __future__ import annotations

import asyncio

import chess
from chess.engine import Limit

from bot.engine_pool.search import SearchDeadline, SearchTimeout, search_deadline
from bot.errors import EngineError, EngineTimeout
from tests.helpers.fake_clock import run_on_fake_clock


class IgnoringStop:
    """Records when it is told to stop, and its failure."""

    def __init__(self) -> None:
        self.stopped_s: list[float] = []
        self.failed: asyncio.Future[EngineError] = asyncio.get_running_loop().create_future()

    def stop_search(self) -> None:
        self.stopped_s.append(asyncio.get_running_loop().time())

    def fail(self, failure: EngineError) -> None:
        self.failed.set_result(failure)


def start_timeout(engine: IgnoringStop, deadline: SearchDeadline | None) -> SearchTimeout:
    """The timer of a search of this engine."""
    return SearchTimeout(engine, "deaf", deadline)  # type: ignore[arg-type]  # the part of a protocol that is used


def test_three_engines_that_ignore_stop_leave_a_third_of_the_clock() -> None:
    async def play() -> tuple[list[float], list[EngineError]]:
        loop, left, failures = asyncio.get_running_loop(), [60.0], []
        for _ in range(3):
            began = loop.time()
            engine = IgnoringStop()
            start_timeout(engine, search_deadline(Limit(white_clock=left[-1], black_clock=60.0), chess.WHITE))
            failures.append(await engine.failed)
            assert engine.stopped_s[0] - began < 0.26 * left[-1]
            left.append(left[-1] - (loop.time() - began))
        return left, failures

    left, failures = run_on_fake_clock(play())
    assert [round(seconds, 1) for seconds in left] == [60.0, 44.0, 32.0, 23.0]
    assert all(isinstance(failure, EngineTimeout) for failure in failures)
    assert str(failures[0]) == "deaf: the search timed out, and `stop` brought no move in 1.00 s"


def test_a_search_that_ends_in_time_is_not_stopped() -> None:
    async def play(cancel_after_s: float) -> IgnoringStop:
        engine = IgnoringStop()
        timeout = start_timeout(engine, SearchDeadline(10.0, 2.0))
        await asyncio.sleep(cancel_after_s)
        timeout.cancel()
        timeout.cancel()
        await asyncio.sleep(100.0)
        return engine

    in_time, after_stop = run_on_fake_clock(play(9.0)), run_on_fake_clock(play(11.0))
    assert (in_time.stopped_s, in_time.failed.done()) == ([], False)
    assert (after_stop.stopped_s, after_stop.failed.done()) == ([10.0], False)


def test_without_a_deadline_there_is_no_timer() -> None:
    async def play() -> IgnoringStop:
        engine = IgnoringStop()
        start_timeout(engine, None).cancel()
        await asyncio.sleep(1e6)
        return engine

    assert run_on_fake_clock(play()).stopped_s == []
