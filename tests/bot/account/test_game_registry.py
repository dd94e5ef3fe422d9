"""One loop per game id; parked and ended games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bot.account import game_registry
from bot.account.game_registry import GameRegistry
from bot.account.slots import Slots, SlotUse
from bot.events import GameInfo, Player
from bot.play.game_loop import GameLoop
from tests.helpers.game_harness import GameHarness
from tests.helpers.games import full, state
from tests.helpers.processes import wait_until

ALICE = Player("alice", "Alice")


def info(game_id: str = "abcdefgh", **fields: Any) -> GameInfo:
    """A blitz game against Alice."""
    return GameInfo(game_id, "white", ALICE, **({"speed": "blitz"} | fields))


class Shelf:
    """A registry with its slots."""

    def __init__(self) -> None:
        self.table = GameHarness()
        self.slots = Slots(2)
        self.over: list[GameLoop] = []
        self.freed = 0
        self.registry = GameRegistry(self.table.context, self.slots, self.over.append, self.free)

    def free(self) -> None:
        """A slot became free."""
        self.freed += 1

    def use(self, game_id: str) -> SlotUse | None:
        """Where the id sits."""
        record = self.slots.get(game_id)
        return record.use if record else None

    def end(self, game_id: str) -> None:
        """Let the server end a game that runs."""
        (loop,) = [one for one in self.registry.loops() if one.game_id == game_id]
        loop._hear(full(state(status="resign", winner="white")), 1.0)
        assert wait_until(lambda: self.slots.get(game_id) is None)


@pytest.fixture
def shelf() -> Iterator[Shelf]:
    """An empty book; closed at the end."""
    one = Shelf()
    yield one
    one.registry.close(30.0)
    assert wait_until(lambda: not one.registry.loops())


def test_a_game_is_begun_once_however_often_it_is_announced(shelf: Shelf) -> None:
    assert [shelf.registry.begin(info()) for _ in range(5)] == [True, False, False, False, False]
    assert len(shelf.registry.loops()) == 1
    assert shelf.use("abcdefgh") is SlotUse.PLAYING


def test_an_ended_game_is_not_begun_again_unless_the_list_has_it(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.registry.begin(info())
    shelf.end("abcdefgh")
    assert wait_until(lambda: len(shelf.over) == 1)
    assert shelf.freed == 1
    assert not shelf.registry.begin(info())
    assert not shelf.registry.listed(info())  # the list may be a moment old
    monkeypatch.setattr(game_registry, "LIST_AGE_S", -1.0)
    assert shelf.registry.listed(info())


def test_games_beyond_the_slots_are_played_all_the_same(shelf: Shelf) -> None:
    for game_id in ("game0001", "game0002", "game0003"):
        assert shelf.registry.begin(info(game_id))
    assert shelf.slots.free() == -1


def test_what_the_bot_api_cannot_play_is_left_alone(shelf: Shelf) -> None:
    assert not shelf.registry.begin(info(playable=False))
    assert shelf.use("abcdefgh") is None


def test_a_correspondence_game_waits_for_its_opponent_without_a_slot(shelf: Shelf) -> None:
    assert not shelf.registry.begin(info(speed="correspondence", is_my_turn=False))
    assert shelf.use("abcdefgh") is SlotUse.PARKED
    assert shelf.slots.free() == 2
    assert not shelf.registry.listed(info(speed="correspondence", is_my_turn=True))  # begun, and no surprise
    assert shelf.use("abcdefgh") is SlotUse.PLAYING


def test_a_correspondence_game_just_accepted_is_played_at_once(shelf: Shelf) -> None:
    shelf.slots.reserve("abcdefgh", "alice", False)
    assert shelf.registry.begin(info(speed="correspondence", is_my_turn=False))


def test_correspondence_games_wait_for_a_slot(shelf: Shelf) -> None:
    for game_id in ("game0001", "game0002"):
        shelf.registry.begin(info(game_id))
    assert not shelf.registry.begin(info("game0003", speed="correspondence", is_my_turn=True))
    assert shelf.use("game0003") is SlotUse.PARKED


def test_a_finish_frees_the_slot_of_a_game_never_begun(shelf: Shelf) -> None:
    shelf.slots.reserve("abcdefgh", "alice", False)
    shelf.registry.over(info(status="aborted"))
    assert shelf.slots.free() == 2
    assert not shelf.registry.begin(info())


def test_after_closing_nothing_begins(shelf: Shelf) -> None:
    shelf.registry.begin(info())
    shelf.registry.close(30.0)
    assert not shelf.registry.begin(info("game0002"))
    assert shelf.over == []  # it was left, not ended
