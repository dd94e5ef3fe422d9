"""Everything that is no move: repeated while wanted, dropped when late, never in the way."""

from __future__ import annotations

import threading

import pytest

from bot.errors import NetworkError, RateLimited, Rejected
from bot.play import actions
from bot.play.actions import Action, ActionQueue, ChatLane
from tests.helpers.processes import wait_until


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "RETRIES_S", (0.01,))


def failing(*errors: Exception) -> tuple[list[int], threading.Event, object]:
    """A call that fails with these, then succeeds: its calls, and an event for its success."""
    left, calls, done = list(errors), list[int](), threading.Event()

    def call() -> None:
        calls.append(1)
        if left:
            raise left.pop(0)
        done.set()

    return calls, done, call


def test_an_errand_is_repeated_until_it_is_done() -> None:
    lane = ActionQueue("abcdefgh")
    calls, done, call = failing(NetworkError("cut"), RateLimited(0.01))
    assert lane.run(Action("resign", call, lambda: True))  # type: ignore[arg-type]  # a callable, see failing
    assert done.wait(30)
    assert len(calls) == 3
    lane.close()


def test_a_refusal_is_an_answer() -> None:
    lane = ActionQueue("abcdefgh")
    calls, _, call = failing(Rejected(400, "This game can no longer be aborted"))
    lane.run(Action("abort", call, lambda: True))  # type: ignore[arg-type]  # a callable, see failing
    _, done, after = failing()
    lane.run(Action("after", after, lambda: True))  # type: ignore[arg-type]  # a callable, see failing
    assert done.wait(30)
    assert len(calls) == 1
    lane.close()


def test_an_errand_no_longer_wanted_is_dropped_and_a_name_is_used_once_at_a_time() -> None:
    lane = ActionQueue("abcdefgh")
    gate = threading.Event()
    calls, _, unwanted = failing()
    assert lane.run(Action("slow", lambda: gate.wait(30), lambda: True))
    assert not lane.run(Action("slow", lambda: None, lambda: True))
    assert lane.run(Action("unwanted", unwanted, lambda: False))  # type: ignore[arg-type]  # a callable, see failing
    gate.set()
    assert wait_until(lambda: lane.run(Action("slow", lambda: None, lambda: True)))
    assert calls == []
    lane.close()
    assert not lane.run(Action("late", lambda: None, lambda: True))


def test_chat_is_tried_once_and_dropped_when_there_is_too_much_or_it_is_old(monkeypatch: pytest.MonkeyPatch) -> None:
    gate, said = threading.Event(), list[str]()

    def post(_game_id: str, _room: str, text: str) -> None:
        gate.wait(30)
        said.append(text)
        if text == "fails":
            raise RateLimited(60.0)

    lane = ChatLane(post)
    assert lane.say("abcdefgh", "player", "fails")
    accepted = sum(lane.say("abcdefgh", "player", f"line {n}") for n in range(actions.CHAT_BACKLOG + 5))
    assert actions.CHAT_BACKLOG - 1 <= accepted <= actions.CHAT_BACKLOG + 1
    gate.set()
    assert wait_until(lambda: len(said) == accepted + 1)
    monkeypatch.setattr(actions, "CHAT_FRESH_S", -1.0)
    lane.say("abcdefgh", "player", "too old")
    lane.close()
    assert wait_until(lambda: not lane._thread.is_alive())
    assert "too old" not in said
