"""Requests besides moves: actions are repeated while wanted, chat is dropped when late."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from bot.errors import NetworkError, RateLimited, Rejected
from bot.play import actions
from bot.play.actions import Action, ActionQueue, ChatQueue
from tests.helpers.processes import wait_until
from tests.helpers.scarce_threads import refuse_threads


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "RETRY_FIRST_S", 0.01)


def action_queue(refresh: Callable[[float], bool] = lambda _timeout_s: True) -> ActionQueue:
    """The actions of a game whose state can be refreshed."""
    return ActionQueue("abcdefgh", refresh)


def action(
    name: str,
    call: Callable[[], object],
    wanted: Callable[[], bool] = lambda: True,
    *,
    once: bool = False,
    fresh: bool = False,
) -> Action:
    """An action as most are: wanted until it is done, harmless when applied twice."""
    return Action(name, call, wanted, once, fresh, answer="")


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
    assert queue.run(action("resign", call))
    assert done.wait(30)
    assert len(calls) == 3
    queue.close()


def test_a_refusal_is_an_answer() -> None:
    queue = action_queue()
    calls, _, call = failing(Rejected(400, "This game can no longer be aborted"))
    queue.run(action("abort", call))
    _, done, after = failing()
    queue.run(action("after", after))
    assert done.wait(30)
    assert len(calls) == 1
    queue.close()


def test_an_action_no_longer_wanted_is_dropped_and_a_name_is_used_once_at_a_time() -> None:
    queue = action_queue()
    gate = threading.Event()
    calls, _, unwanted = failing()
    assert queue.run(action("slow", lambda: gate.wait(30)))
    assert not queue.run(action("slow", lambda: None))
    assert queue.run(action("unwanted", unwanted, lambda: False))
    gate.set()
    assert wait_until(lambda: queue.run(action("slow", lambda: None)))
    assert calls == []
    queue.close()
    assert not queue.run(action("late", lambda: None))


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
    queue.run(action("takeback-answer", call, lambda: standing[0], once=True))
    assert wait_until(lambda: len(refreshed) == 2 and not queue._names)
    assert len(calls) == 1
    queue.close()


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
    queue.run(action("any", call, once=once, fresh=fresh))
    assert done.wait(30)
    assert (len(calls), len(refreshed)) == (2, asked)
    queue.close()


def test_without_a_thread_an_action_is_refused_and_may_be_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    queue = action_queue()
    calls, done, call = failing()
    resign = action("resign", call)
    refuse_threads(monkeypatch, times=1)
    assert not queue.run(resign)
    assert queue.run(resign)
    assert done.wait(30)
    assert len(calls) == 1
    queue.close()


def test_closing_ends_an_action_that_keeps_failing() -> None:
    calls, queue = list[int](), action_queue()

    def fail() -> None:
        calls.append(1)
        raise NetworkError("gone")

    queue.run(action("draw", fail))
    assert wait_until(lambda: calls)
    queue.close()
    assert wait_until(lambda: not queue._loop.running)


def test_an_exception_ends_neither_the_actions_nor_the_chat() -> None:
    """An answer nested too deep once ended the threads, and no action or line followed."""
    done: list[str] = []

    def fail_first(*words: str) -> None:
        done.append(" ".join(words))
        if len(done) == 1:
            raise RecursionError("nested too deep")

    with capture_logs():
        actions = action_queue()
        for name in ("draw", "resign", "draw"):
            assert wait_until(partial(actions.run, action(name, partial(fail_first, name))))
        assert wait_until(lambda: done == ["draw", "resign", "draw"])
        actions.close()
        done.clear()
        chat = ChatQueue(fail_first)
        for text in ("hello", "again"):
            chat.say("abcdefgh", "player", text)
        assert wait_until(lambda: done == ["abcdefgh player hello", "abcdefgh player again"])
        chat.close()


def test_chat_is_tried_once_and_dropped_if_too_long_or_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    gate, said = threading.Event(), list[str]()

    def post(_game_id: str, _room: str, text: str) -> None:
        gate.wait(30)
        said.append(text)
        if text == "fails":
            raise RateLimited(60.0)

    queue = ChatQueue(post)
    assert queue.say("abcdefgh", "player", "fails")
    accepted = sum(queue.say("abcdefgh", "player", f"line {n}") for n in range(actions.CHAT_BACKLOG + 5))
    assert actions.CHAT_BACKLOG - 1 <= accepted <= actions.CHAT_BACKLOG + 1
    gate.set()
    assert wait_until(lambda: len(said) == accepted + 1)
    monkeypatch.setattr(actions, "CHAT_MAX_AGE_S", -1.0)
    queue.say("abcdefgh", "player", "too old")
    queue.close()
    assert wait_until(lambda: not queue._loop.running)
    assert "too old" not in said


def test_an_old_or_refused_line_does_not_affect_others(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s, begun, gate, said = [0.0], threading.Event(), threading.Event(), list[str]()
    monkeypatch.setattr(actions, "time", SimpleNamespace(monotonic=lambda: now_s[0]))

    def post(_game_id: str, _room: str, text: str) -> None:
        begun.set()
        gate.wait(30)
        said.append(text)
        if text == "refused":
            raise Rejected(400, "not in this room")

    with capture_logs() as lines:
        queue = ChatQueue(post)
        assert queue.say("abcdefgh", "player", "slow")
        assert begun.wait(30)
        for at_s, text in ((0.0, "old"), (1.0, "in time"), (1.0, "refused"), (1.0, "last")):
            now_s[0] = at_s
            assert queue.say("abcdefgh", "player", text)
        now_s[0] = 1.0 + actions.CHAT_MAX_AGE_S
        gate.set()
        assert wait_until(lambda: len(said) == 4)
        queue.close()
        assert wait_until(lambda: not queue._loop.running)
    assert said == ["slow", "in time", "refused", "last"]
    assert [line["log_level"] for line in lines if line["event"] == "chat_not_sent"] == ["info"]
    assert "background_fault" not in [line["event"] for line in lines]


def test_closing_with_a_full_backlog_does_not_wait() -> None:
    gate, begun = threading.Event(), threading.Event()

    def post(*_: str) -> None:
        begun.set()
        gate.wait(30)

    queue = ChatQueue(post)
    assert queue.say("abcdefgh", "player", "first")
    assert begun.wait(30)  # the thread is busy: it takes nothing more out of the backlog
    while queue.say("abcdefgh", "player", "line"):
        pass
    with capture_logs() as lines:
        queue.close()
    assert "chat_backlog_dropped" in [line["event"] for line in lines]
    gate.set()
    assert wait_until(queue._queue.empty)
    queue.close()
    assert wait_until(lambda: not queue._loop.running)
