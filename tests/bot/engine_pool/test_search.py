"""One search: its deadline, its timer, what is left of its limit, and its one answer."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from types import SimpleNamespace

import chess
import pytest
from chess.engine import Limit
from structlog.typing import EventDict

from bot.engine_pool.search import (
    SearchDeadline,
    SearchHandle,
    SearchTimeout,
    acquire_timeout_s,
    quick_copy,
    remaining_limit,
    search_deadline,
)
from bot.engine_pool.values import Answer
from bot.errors import EngineError, EngineTimeout
from tests.helpers.fake_clock import run_on_fake_clock


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        (Limit(depth=5), None),
        (Limit(white_clock=100.0, black_clock=1.0), SearchDeadline(25.0, 1.0)),
        (Limit(white_clock=1.0, black_clock=100.0), SearchDeadline(0.25, 0.15)),
        (Limit(white_clock=4.0, black_clock=100.0), SearchDeadline(1.0, 0.6)),
        (Limit(white_clock=60.0, black_clock=60.0, white_inc=2.0, black_inc=9.0), SearchDeadline(17.0, 1.0)),
        (Limit(white_clock=2.0, black_clock=2.0, white_inc=2.0), SearchDeadline(1.4, 0.3)),
        (Limit(white_clock=10.0, black_clock=10.0, remaining_moves=1), SearchDeadline(7.0, 1.0)),
        (Limit(white_clock=10.0, black_clock=10.0, remaining_moves=2), SearchDeadline(2.5, 1.0)),
        (Limit(time=10.0), SearchDeadline(11.3, 4.0)),
        (Limit(time=0.6), SearchDeadline(0.96, 4.0)),  # a first move; a network may be loading
        (Limit(time=2.0, white_clock=100.0), SearchDeadline(2.5, 5.0)),
        (Limit(time=2.0, white_clock=24.0), SearchDeadline(2.5, 2.0)),
        (Limit(time=2.0, white_clock=6.0), SearchDeadline(1.5, 0.9)),
    ],
)
def test_deadline_follows_the_limit(limit: Limit, expected: SearchDeadline | None) -> None:
    found = search_deadline(limit, chess.WHITE)
    assert (found is None) == (expected is None)
    if found and expected:
        assert (found.stop_after_s, found.grace_s) == pytest.approx((expected.stop_after_s, expected.grace_s))


def test_black_has_its_own_clock_and_increment() -> None:
    limit = Limit(white_clock=1.0, black_clock=100.0, white_inc=9.0, black_inc=3.0)
    assert search_deadline(limit, chess.BLACK) == SearchDeadline(28.0, 1.0)


@pytest.mark.parametrize("clock_s", [600.0, 60.0, 10.0, 3.0])
def test_a_fault_leaves_the_clock_for_two_more(clock_s: float) -> None:
    left_s = clock_s
    for _ in range(3):
        deadline = search_deadline(Limit(white_clock=left_s, black_clock=1.0), chess.WHITE)
        assert deadline is not None
        left_s -= deadline.stop_after_s + deadline.grace_s
    assert left_s > 0.2 * clock_s


@pytest.mark.parametrize(
    ("limit", "has_alternative", "expected"),
    [
        (Limit(white_clock=60.0, black_clock=1.0), True, 5.0),
        (Limit(white_clock=60.0, black_clock=1.0), False, 7.5),
        (Limit(white_clock=3.0, black_clock=1.0), True, 0.5),
        (Limit(white_clock=0.5, black_clock=1.0), False, 0.5),
        (Limit(white_clock=3600.0, black_clock=1.0), True, 10.0),
        (Limit(time=1.0), True, 10.0),
        (Limit(time=1.0), False, 10.0),
    ],
)
def test_the_wait_for_a_process_follows_the_clock(limit: Limit, has_alternative: bool, expected: float) -> None:
    assert acquire_timeout_s(limit, chess.WHITE, has_alternative) == pytest.approx(expected)


def test_an_engine_that_was_waited_for_in_vain_gets_a_quarter_of_the_time() -> None:
    assert acquire_timeout_s(Limit(white_clock=60.0), chess.WHITE, False, overdue=True) == pytest.approx(7.5 / 4)


def test_remaining_takes_from_the_mover_alone() -> None:
    limit = Limit(white_clock=10.0, black_clock=10.0, white_inc=1.0, black_inc=2.0, depth=7, nodes=8, mate=9)
    limit.remaining_moves = 11
    left = remaining_limit(limit, chess.BLACK, 3.0)
    assert (left.white_clock, left.black_clock, left.white_inc, left.black_inc) == (10.0, 7.0, 1.0, 2.0)
    assert (left.depth, left.nodes, left.mate, left.remaining_moves, left.time) == (7, 8, 9, 11, None)
    assert remaining_limit(limit, chess.WHITE, 3.0).white_clock == 7.0


def test_remaining_never_ends() -> None:
    assert remaining_limit(Limit(white_clock=1.0, black_clock=1.0), chess.WHITE, 5.0).white_clock == 0.02
    assert remaining_limit(Limit(time=1.0), chess.WHITE, 5.0).time == pytest.approx(0.1)
    assert remaining_limit(Limit(time=0.1), chess.WHITE, 5.0).time == 0.02


class IgnoringStop:
    """Records when it is asked to stop, and its failure."""

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


LIMIT = Limit(white_clock=10.0, black_clock=20.0)


@pytest.fixture
def answers() -> list[Answer]:
    return []


@pytest.fixture
def handle(answers: list[Answer]) -> Iterator[SearchHandle]:
    loop = asyncio.new_event_loop()
    yield SearchHandle(loop, chess.Board(), LIMIT, False, answers.append)
    loop.close()


def test_an_engine_that_begins_at_once_has_the_limit_as_it_was_asked(handle: SearchHandle) -> None:
    handle.requested_at += 3600.0  # however slow the machine
    assert handle.remaining() is LIMIT


def test_an_engine_that_begins_late_has_what_is_left(handle: SearchHandle) -> None:
    handle.requested_at -= 4.0
    left = handle.remaining()
    assert left.white_clock is not None
    assert left.white_clock <= 6.0
    assert left.black_clock == 20.0


def test_an_abandoned_search_is_cancelled_and_never_answers(handle: SearchHandle, answers: list[Answer]) -> None:
    cancelled: list[str] = []
    handle.cancel()  # before the pool has begun with it
    handle.task = SimpleNamespace(cancel=lambda: cancelled.append("cancelled"))  # type: ignore[assignment]  # the part that is used
    handle.cancel()
    handle.deliver(Answer(None))
    assert (answers, cancelled) == ([], ["cancelled"])


def test_when_the_pool_is_closed_a_search_may_still_be_abandoned(handle: SearchHandle, answers: list[Answer]) -> None:
    handle._loop.close()
    handle.abandon()
    handle.deliver(Answer(None))
    assert answers == []


def test_a_broken_callback_is_told_and_breaks_nothing_else(handle: SearchHandle, logs: list[EventDict]) -> None:
    handle._on_done = lambda _answer: [][0]
    handle.deliver(Answer(None))
    assert [line["event"] for line in logs] == ["answer_callback_failed"]


def test_an_answer_is_delivered_once(handle: SearchHandle, answers: list[Answer]) -> None:
    handle.deliver(Answer(None))
    handle.deliver(Answer(None))
    assert len(answers) == 1


def test_a_copy_is_independent_and_has_the_moves() -> None:
    board = chess.Board()
    for move in ("e2e4", "e7e5", "g1f3"):
        board.push_uci(move)
    copy = quick_copy(board)
    assert (copy, copy.move_stack, copy.root()) == (board, board.move_stack, chess.Board())
    copy.pop()
    copy.push_uci("f1c4")
    assert board.peek() == chess.Move.from_uci("g1f3")
    while board.move_stack:
        board.pop()
    assert board == chess.Board()
