"""What is left of a search's limit when an engine begins with it, one answer for each, and what comes after it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from types import SimpleNamespace

import chess
import pytest
from chess.engine import Limit

from bot.engine_pool import EngineLease
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


def test_after_a_search_a_preferred_engine_is_asked_for_by_the_one_that_served() -> None:
    asked: list[str] = []
    loop = asyncio.new_event_loop()
    source = SimpleNamespace(return_to_preferred=asked.append)
    lease = EngineLease(loop, source, lambda: None)  # type: ignore[arg-type]  # a stand-in
    lease._return_to_preferred()
    lease._process = SimpleNamespace(entry=SimpleNamespace(name="fallback"))  # type: ignore[assignment]  # a stand-in
    lease._return_to_preferred()
    loop.close()
    assert asked == ["fallback"]


@pytest.mark.parametrize("done", [False, True])
def test_an_engine_that_comes_during_a_search_waits_for_its_end(handle: SearchHandle, done: bool) -> None:
    released: list[object] = []
    loop = asyncio.new_event_loop()
    lease = EngineLease(loop, SimpleNamespace(release=released.append), lambda: None)  # type: ignore[arg-type]  # a stand-in
    serving, preferred = SimpleNamespace(), SimpleNamespace()
    handle.task = SimpleNamespace(done=lambda: done)  # type: ignore[assignment]  # a stand-in
    lease._process, lease._search = serving, handle  # type: ignore[assignment]  # a stand-in
    task = SimpleNamespace(cancelled=lambda: False, exception=lambda: None, result=lambda: preferred)
    lease._acquisition = acquisition = SimpleNamespace(task=task)  # type: ignore[assignment]  # a stand-in
    lease._on_acquired(acquisition)  # type: ignore[arg-type]  # a stand-in
    loop.close()
    outcome: tuple[object, object] = (lease._process, released)
    assert outcome == ((preferred, [serving]) if done else (serving, [preferred]))
