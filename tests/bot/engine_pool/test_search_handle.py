"""What is left of a search's limit when an engine begins with it; one answer for each."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import chess
import pytest
from chess.engine import Limit

from bot.engine_pool.search_handle import SearchHandle
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


def test_an_answer_is_delivered_once(handle: SearchHandle, answers: list[Answer]) -> None:
    handle.deliver(Answer(None))
    handle.deliver(Answer(None))
    assert len(answers) == 1
