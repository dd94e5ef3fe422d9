"""Requests besides moves: repeated while wanted, dropped when late."""

from __future__ import annotations

import threading
from functools import partial

import pytest

from bot.errors import NetworkError, RateLimited, Rejected
from bot.play import actions
from bot.play.actions import Action, ActionQueue, ChatQueue
from tests.helpers.processes import wait_until


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "RETRY_FIRST_S", 0.01)


def failing(*errors: Exception) -> tuple[list[int], threading.Event, object]:
    """A call that fails with these, then succeeds: its calls, and an event for its success."""
    left, calls, done = list(errors), list[int](), threading.Event()

    def call() -> None:
        calls.append(1)
        if left:
            raise left.pop(0)
        done.set()

    return calls, done, call


def test_an_action_is_repeated_until_it_is_done() -> None:
    queue = ActionQueue("abcdefgh")
    calls, done, call = failing(NetworkError("cut"), RateLimited(0.01))
    assert queue.run(Action("resign", call, lambda: True))  # type: ignore[arg-type]  # a callable, see failing
    assert done.wait(30)
    assert len(calls) == 3
    queue.close()


def test_a_refusal_is_an_answer() -> None:
    queue = ActionQueue("abcdefgh")
    calls, _, call = failing(Rejected(400, "This game can no longer be aborted"))
    queue.run(Action("abort", call, lambda: True))  # type: ignore[arg-type]  # a callable, see failing
    _, done, after = failing()
    queue.run(Action("after", after, lambda: True))  # type: ignore[arg-type]  # a callable, see failing
    assert done.wait(30)
    assert len(calls) == 1
    queue.close()


def test_an_action_no_longer_wanted_is_dropped_and_a_name_is_used_once_at_a_time() -> None:
    queue = ActionQueue("abcdefgh")
    gate = threading.Event()
    calls, _, unwanted = failing()
    assert queue.run(Action("slow", lambda: gate.wait(30), lambda: True))
    assert not queue.run(Action("slow", lambda: None, lambda: True))
    assert queue.run(Action("unwanted", unwanted, lambda: False))  # type: ignore[arg-type]  # a callable, see failing
    gate.set()
    assert wait_until(lambda: queue.run(Action("slow", lambda: None, lambda: True)))
    assert calls == []
    queue.close()
    assert not queue.run(Action("late", lambda: None, lambda: True))


def test_what_must_not_be_applied_twice_is_repeated_only_after_the_state_was_asked_for() -> None:
    refreshed, standing, calls = list[float](), [True], list[int]()

    def refresh(timeout_s: float) -> bool:
        refreshed.append(timeout_s)
        standing[0] = len(refreshed) < 2  # the first look comes too late, the second shows that it was applied
        return len(refreshed) == 2

    def call() -> None:
        calls.append(1)
        raise NetworkError("the answer was lost")

    queue = ActionQueue("abcdefgh", refresh)
    queue.run(Action("takeback-answer", call, lambda: standing[0], once=True))
    assert wait_until(lambda: len(refreshed) == 2 and not queue._names)
    assert len(calls) == 1
    queue.close()


def test_a_fault_of_ours_ends_neither_the_actions_nor_the_chat() -> None:
    """As an answer nested too deep once did: the threads died, and no action or line followed."""
    done: list[str] = []

    def fail_first(*words: str) -> None:
        done.append(" ".join(words))
        if len(done) == 1:
            raise RecursionError("nested too deep")

    actions = ActionQueue("abcdefgh")
    for name in ("draw", "resign", "draw"):
        action = Action(name, partial(fail_first, name), lambda: True)
        assert wait_until(partial(actions.run, action))
    assert wait_until(lambda: done == ["draw", "resign", "draw"])
    actions.close()
    done.clear()
    chat = ChatQueue(fail_first)
    for text in ("hello", "again"):
        chat.say("abcdefgh", "player", text)
    assert wait_until(lambda: done == ["abcdefgh player hello", "abcdefgh player again"])
    chat.close()


def test_chat_is_tried_once_and_dropped_when_there_is_too_much_or_it_is_old(monkeypatch: pytest.MonkeyPatch) -> None:
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
