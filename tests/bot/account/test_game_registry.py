"""One loop per game id; parked and ended games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bot.account import game_registry
from bot.account.game_registry import GameBook
from bot.account.slots import Roster, Seat
from bot.events import GameInfo, Player
from bot.play.game_loop import GameLoop
from tests.helpers.games import full, state
from tests.helpers.house import Table
from tests.helpers.processes import wait_until

ALICE = Player("alice", "Alice")


def info(game_id: str = "abcdefgh", **fields: Any) -> GameInfo:
    """A blitz game against Alice."""
    return GameInfo(game_id, "white", ALICE, **({"speed": "blitz"} | fields))


class Shelf:
    """A book with its roster."""

    def __init__(self) -> None:
        self.table = Table()
        self.roster = Roster(2)
        self.over: list[GameLoop] = []
        self.freed = 0
        self.book = GameBook(self.table.house, self.roster, self.over.append, self.free)

    def free(self) -> None:
        """A slot became free."""
        self.freed += 1

    def seat(self, game_id: str) -> Seat | None:
        """Where the id sits."""
        record = self.roster.get(game_id)
        return record.seat if record else None

    def end(self, game_id: str) -> None:
        """Let the server end a game that runs."""
        (loop,) = [one for one in self.book.loops() if one.game_id == game_id]
        loop._hear(full(state(status="resign", winner="white")), 1.0)
        assert wait_until(lambda: self.roster.get(game_id) is None)


@pytest.fixture
def shelf() -> Iterator[Shelf]:
    """An empty book; closed at the end."""
    one = Shelf()
    yield one
    one.book.close(30.0)
    assert wait_until(lambda: not one.book.loops())


def test_a_game_is_begun_once_however_often_it_is_announced(shelf: Shelf) -> None:
    assert [shelf.book.begin(info()) for _ in range(5)] == [True, False, False, False, False]
    assert len(shelf.book.loops()) == 1
    assert shelf.seat("abcdefgh") is Seat.PLAYING


def test_an_ended_game_is_not_begun_again_unless_the_list_has_it(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.book.begin(info())
    shelf.end("abcdefgh")
    assert wait_until(lambda: len(shelf.over) == 1)
    assert shelf.freed == 1
    assert not shelf.book.begin(info())
    assert not shelf.book.listed(info())  # the list may be a moment old
    monkeypatch.setattr(game_registry, "LIST_AGE_S", -1.0)
    assert shelf.book.listed(info())


def test_games_beyond_the_slots_are_played_all_the_same(shelf: Shelf) -> None:
    for game_id in ("game0001", "game0002", "game0003"):
        assert shelf.book.begin(info(game_id))
    assert shelf.roster.free() == -1


def test_what_the_bot_api_cannot_play_is_left_alone(shelf: Shelf) -> None:
    assert not shelf.book.begin(info(playable=False))
    assert shelf.seat("abcdefgh") is None


def test_a_correspondence_game_waits_for_its_opponent_without_a_slot(shelf: Shelf) -> None:
    assert not shelf.book.begin(info(speed="correspondence", is_my_turn=False))
    assert shelf.seat("abcdefgh") is Seat.PARKED
    assert shelf.roster.free() == 2
    assert not shelf.book.listed(info(speed="correspondence", is_my_turn=True))  # begun, and no surprise
    assert shelf.seat("abcdefgh") is Seat.PLAYING


def test_a_correspondence_game_just_accepted_is_played_at_once(shelf: Shelf) -> None:
    shelf.roster.reserve("abcdefgh", "alice", False)
    assert shelf.book.begin(info(speed="correspondence", is_my_turn=False))


def test_correspondence_games_wait_for_a_slot(shelf: Shelf) -> None:
    for game_id in ("game0001", "game0002"):
        shelf.book.begin(info(game_id))
    assert not shelf.book.begin(info("game0003", speed="correspondence", is_my_turn=True))
    assert shelf.seat("game0003") is Seat.PARKED


def test_a_finish_frees_the_slot_of_a_game_never_begun(shelf: Shelf) -> None:
    shelf.roster.reserve("abcdefgh", "alice", False)
    shelf.book.over(info(status="aborted"))
    assert shelf.roster.free() == 2
    assert not shelf.book.begin(info())


def test_after_closing_nothing_begins(shelf: Shelf) -> None:
    shelf.book.begin(info())
    shelf.book.close(30.0)
    assert not shelf.book.begin(info("game0002"))
    assert shelf.over == []  # it was left, not ended
