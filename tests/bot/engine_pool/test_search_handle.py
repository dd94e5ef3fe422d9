"""What is left of a search's limit when an engine begins with it; one answer for each."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from types import SimpleNamespace

import chess
import pytest
import structlog
from chess.engine import Limit

from bot.engine_pool.search import SearchHandle, quick_copy
from bot.engine_pool.values import Answer

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


def test_a_broken_callback_is_told_and_breaks_nothing_else(handle: SearchHandle) -> None:
    handle._on_done = lambda _answer: [][0]
    with structlog.testing.capture_logs() as lines:
        handle.deliver(Answer(None))
    assert [line["event"] for line in lines] == ["answer_callback_failed"]


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
