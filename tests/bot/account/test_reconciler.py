"""The cross-check with the server's list of running games."""

from __future__ import annotations

import threading

import pytest

from bot.account import reconciler
from bot.account.reconciler import LONGEST_LIST, CrossCheck, Reconciler
from bot.account.slots import Record, Slots, SlotUse
from bot.errors import NetworkError
from bot.events import GameInfo, Player
from tests.helpers.processes import wait_until

SOMEBODY = Player("alice", "Alice")


def info(game_id: str) -> GameInfo:
    """A running game."""
    return GameInfo(game_id, "white", SOMEBODY)


class Books:
    """Slots, and what the cross-check says about them."""

    def __init__(self, *playing: str) -> None:
        self.slots = Slots(8)
        for game_id in playing:
            self.slots.put(game_id, SlotUse.PLAYING, "alice", False)
        self.found: list[str] = []
        self.lost: list[str] = []
        self.check = CrossCheck(self.slots, lambda one: self.found.append(one.game_id), self.lose)

    def lose(self, record: Record) -> None:
        """No longer listed."""
        self.lost.append(record.game_id)
        self.slots.release(record.game_id)


@pytest.fixture(autouse=True)
def _no_youth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconciler, "NEW_S", -1.0)


def test_a_game_must_be_missing_twice() -> None:
    books = Books("kept", "gone")
    assert books.check((info("kept"),))
    assert books.lost == []
    books.check((info("kept"),))
    assert books.lost == ["gone"]
    assert not books.check((info("kept"),))


def test_a_game_that_comes_back_starts_anew() -> None:
    books = Books("one")
    books.check(())
    books.check((info("one"),))
    books.check(())
    assert books.lost == []
    assert books.found == ["one"]


def test_what_has_not_begun_is_not_missed() -> None:
    books = Books()
    books.slots.reserve("accepted", "alice", False)
    books.slots.put("sent", SlotUse.OUTGOING, "bob", False)
    for _ in range(3):
        assert not books.check(())
    assert books.lost == []


def test_a_list_as_long_as_lists_get_proves_nothing() -> None:
    books = Books("not among them")
    longest = tuple(info(f"game{number}") for number in range(LONGEST_LIST))
    for _ in range(3):
        books.check(longest)
    assert books.lost == []


def test_failures_and_faults_of_ours_end_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconciler, "SOON_S", 0.001)
    calls, compared = list[int](), threading.Event()

    def ongoing() -> tuple[GameInfo, ...]:
        calls.append(1)
        if len(calls) == 1:
            raise NetworkError("refused")
        return ()

    def compare(_games: tuple[GameInfo, ...]) -> bool:
        if len(calls) == 2:
            raise RuntimeError("a fault of ours")
        compared.set()
        return False

    one = Reconciler(ongoing, compare, every_s=0.01, after_failure_s=0.01)
    one.start()
    one.poke()
    assert compared.wait(30)
    one.close()
    assert wait_until(lambda: not one._thread.is_alive())
