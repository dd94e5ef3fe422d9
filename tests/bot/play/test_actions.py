"""Requests of a game besides moves are repeated while they are wanted."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

import pytest
from structlog.testing import capture_logs

from bot.errors import NetworkError, RateLimited, Rejected
from bot.play import conduct
from bot.play.conduct import Action, ActionQueue
from tests.helpers.ending import closed_at_end
from tests.helpers.processes import wait_until
from tests.helpers.scarce_threads import refuse_threads


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conduct, "RETRY_FIRST_S", 0.01)


def action_queue(refresh: Callable[[float], bool] = lambda _timeout_s: True) -> ActionQueue:
    """The actions of a game whose state can be refreshed."""
    return closed_at_end(ActionQueue("abcdefgh", refresh, lambda: False))


def failing(*errors: Exception) -> tuple[list[int], threading.Event, Callable[[], None]]:
    """A call that fails with these, then succeeds: its calls, and an event for its success."""
    left, calls, done = list(errors), list[int](), threading.Event()

    def call() -> None:
        calls.append(1)
        if left:
            raise left.pop(0)
        done.set()

    return calls, done, call


def test_an_action_is_repeated_until_it_is_done() -> None:
    queue = action_queue()
    calls, done, call = failing(NetworkError("cut"), RateLimited(0.01))
    assert queue.run(Action("resign", call))
    assert done.wait(30)
    assert len(calls) == 3


def test_a_refusal_is_an_answer() -> None:
    queue = action_queue()
    calls, _, call = failing(Rejected(400, "This game can no longer be aborted"))
    queue.run(Action("abort", call))
    _, done, after = failing()
    queue.run(Action("after", after))
    assert done.wait(30)
    assert len(calls) == 1


def test_an_action_no_longer_wanted_is_dropped_and_a_name_is_used_once_at_a_time() -> None:
    queue = action_queue()
    gate = threading.Event()
    calls, _, unwanted = failing()
    assert queue.run(Action("slow", lambda: gate.wait(30)))
    assert not queue.run(Action("slow", lambda: None))
    assert queue.run(Action("unwanted", unwanted, lambda: False))
    gate.set()
    assert wait_until(lambda: queue.run(Action("slow", lambda: None)))
    assert calls == []
    queue.close()
    assert not queue.run(Action("late", lambda: None))


def test_an_action_that_must_not_be_applied_twice_waits_for_the_state() -> None:
    refreshed, standing, calls = list[float](), [True], list[int]()

    def refresh(timeout_s: float) -> bool:
        refreshed.append(timeout_s)
        standing[0] = len(refreshed) < 2  # the first look comes too late, the second shows that it was applied
        return len(refreshed) == 2

    def call() -> None:
        calls.append(1)
        raise NetworkError("the answer was lost")

    queue = action_queue(refresh)
    queue.run(Action("takeback-answer", call, lambda: standing[0], once=True))
    assert wait_until(lambda: len(refreshed) == 2 and not queue._names)
    assert len(calls) == 1


@pytest.mark.parametrize(
    ("once", "fresh", "error", "asked"),
    [
        (False, False, NetworkError("cut"), 0),
        (True, False, NetworkError("cut"), 1),
        (True, False, RateLimited(0.01), 0),  # a limited request was not applied
        (False, True, NetworkError("cut"), 1),
    ],
)
def test_the_state_is_fetched_only_if_it_matters(once: bool, fresh: bool, error: Exception, asked: int) -> None:
    refreshed = list[float]()
    calls, done, call = failing(error)
    queue = action_queue(lambda timeout_s: not refreshed.append(timeout_s))  # type: ignore[func-returns-value]  # None
    queue.run(Action("any", call, once=once, fresh=fresh))
    assert done.wait(30)
    assert (len(calls), len(refreshed)) == (2, asked)


def test_without_a_thread_an_action_is_refused_and_may_be_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    queue = action_queue()
    calls, done, call = failing()
    refuse_threads(monkeypatch, times=1)
    assert not queue.run(Action("resign", call))
    assert queue.run(Action("resign", call))
    assert done.wait(30)
    assert len(calls) == 1


def test_closing_ends_an_action_that_keeps_failing() -> None:
    calls, queue = list[int](), action_queue()

    def fail() -> None:
        calls.append(1)
        raise NetworkError("gone")

    queue.run(Action("draw", fail))
    assert wait_until(lambda: calls)
    queue.close()
    assert wait_until(lambda: not queue._loop.running)


def test_an_exception_does_not_end_the_actions() -> None:
    """An answer nested too deep once ended the thread, and no action followed."""
    done: list[str] = []

    def fail_first(name: str) -> None:
        done.append(name)
        if len(done) == 1:
            raise RecursionError("nested too deep")

    with capture_logs():
        queue = action_queue()
        for name in ("draw", "resign", "draw"):
            assert wait_until(partial(queue.run, Action(name, partial(fail_first, name))))
        assert wait_until(lambda: done == ["draw", "resign", "draw"])
