"""Arenas are joined, games asked for, breaks taken; slots are kept for what may come."""

from __future__ import annotations

from typing import Any

import pytest

from bot.account.admission import Admission
from bot.account.slots import Slots, SlotUse
from bot.account.tournaments.arena_player import ArenaPlayer
from bot.errors import LichessError, NotFound
from bot.lichess.values import Arena, Team
from bot.settings import ArenaEntry, TournamentSettings
from tests.helpers.processes import wait_until
from tests.helpers.scarce_threads import refuse_threads
from tests.helpers.server import StubServer

ID = "AbCd1234"
WAITING = Arena(ID, "Cup", starts_in_s=60)
OPEN = Arena(ID, "Cup", finishes_in_s=1000)


class Server(StubServer):
    """One arena, and what was asked of it."""

    def __init__(self, arena: Arena) -> None:
        self.stands = arena
        self.asked: list[tuple[Any, ...]] = []
        self.looks = 0
        self.error: LichessError | None = None

    def arena(self, arena_id: str) -> Arena:
        """The arena."""
        assert arena_id == ID
        self.looks += 1
        return self.stands

    def join_arena(self, arena_id: str, *, team: str = "", password: str = "", pair_now: bool = False) -> None:
        """Join, unless the test refuses."""
        self.asked.append(("join", team, password, pair_now))
        if self.error is not None:
            raise self.error

    def withdraw_from_arena(self, arena_id: str) -> None:
        """Leave."""
        self.asked.append(("leave",))

    def team(self, team_id: str) -> Team:
        """No team."""
        raise NotFound(404, team_id)

    def join_team(self, team_id: str, *, password: str = "", message: str = "") -> None:
        """Never asked."""


class Hall:
    """A server, slots, the games that run, and who plays there."""

    def __init__(self, arena: Arena = OPEN, concurrency: int = 1, **entry: str) -> None:
        self.server = Server(arena)
        self.slots = Slots(concurrency)
        self.running: list[str] = []
        self.admission = Admission()
        settings = TournamentSettings.model_validate({"arenas": [{"id": ID, **entry}]})
        self.player = ArenaPlayer(self.server, settings, self.slots, lambda: self.running, self.admission)

    def look(self, now_s: float) -> list[tuple[Any, ...]]:
        """Let it look; returns what it asked for."""
        self.server.asked.clear()
        self.player.look(now_s)
        return list(self.server.asked)


def test_it_joins_in_time_and_asks_for_games_again_and_again() -> None:
    hall = Hall(WAITING, team="ours", password="sesame")
    assert hall.look(0.0) == [("join", "ours", "sesame", False)]
    assert hall.look(30.0) == []
    hall.server.stands = OPEN
    assert hall.look(61.0) == [("join", "ours", "sesame", True)]
    assert hall.look(80.0) == []
    assert hall.look(91.0) == [("join", "ours", "sesame", True)]


def test_a_slot_is_kept_until_the_game_begins_and_the_next_is_asked_for_at_its_end() -> None:
    hall = Hall()
    assert len(hall.look(0.0)) == 1
    assert hall.slots.free() == 0
    hall.running.append(ID)
    assert hall.look(5.0) == []
    assert hall.slots.free() == 1  # the game itself holds one, by its own record
    hall.running.clear()
    assert len(hall.look(6.0)) == 1


def test_the_slot_of_an_arenas_game_is_kept_before_another_game_gets_it() -> None:
    hall = Hall()
    hall.look(0.0)
    hall.slots.put("arenagam", SlotUse.PLAYING, "alice")
    hall.running.append(ID)
    hall.look(5.0)
    hall.running.clear()
    hall.player.note_end(ID)  # the registry tells of the end before it frees the slot
    hall.slots.release("arenagam")
    assert not hall.slots.reserve("queued01", "bob")
    assert len(hall.look(6.0)) == 1
    hall.player.note_end("another1")
    hall.admission.pause()
    hall.look(7.0)
    hall.player.note_end(ID)  # nobody wants a game of it any more
    assert hall.slots.free() == 1


def test_the_server_is_not_asked_at_every_look() -> None:
    hall = Hall(WAITING)
    for second in range(0, 60, 5):
        hall.look(float(second))
    assert hall.server.looks == 1
    idle = Hall()
    idle.admission.pause()
    for second in range(0, 30, 5):
        idle.look(float(second))
    assert idle.server.looks == 1


def test_the_slot_stays_kept_while_the_arena_pairs_us() -> None:
    hall = Hall()
    for second in range(0, 20, 5):
        hall.look(float(second))
        assert hall.slots.free() == 0


def test_an_arena_is_taken_part_in_once_at_a_time() -> None:
    hall = Hall()
    hall.player.close()  # its thread would ask the server
    for arena_id, is_new in ((ID, False), ("EfGh5678", True), ("EfGh5678", False)):
        assert hall.player.join(ArenaEntry(id=arena_id)) is is_new
    for one in hall.player.arenas:
        one.done = True
    assert hall.player.join(ArenaEntry(id=ID))


def test_without_a_free_slot_no_game_is_asked_for() -> None:
    hall = Hall()
    assert hall.slots.reserve("abcdefgh", "alice")
    assert hall.look(0.0) == []
    hall.slots.release("abcdefgh")
    assert len(hall.look(40.0)) == 1


def test_a_pause_is_a_break_and_the_arena_is_joined_again_after_it() -> None:
    hall = Hall()
    hall.look(0.0)
    hall.admission.pause()
    assert hall.look(1.0) == [("leave",)]
    assert hall.slots.free() == 1
    assert hall.look(100.0) == []
    hall.admission.resume()
    assert hall.look(200.0) == [("join", "", "", True)]


def test_an_arena_named_later_is_joined_though_no_thread_could_be_started_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = Server(OPEN)
    player = ArenaPlayer(server, TournamentSettings(), Slots(1), list)
    refused = refuse_threads(monkeypatch, 1)
    assert player.join(ArenaEntry(id=ID))
    assert not player.join(ArenaEntry(id=ID))
    assert wait_until(lambda: server.asked)
    assert refused == ["arenas"]
    player.close()


def test_at_the_end_of_the_bot_every_arena_is_left() -> None:
    hall = Hall()
    hall.look(0.0)
    hall.server.asked.clear()
    hall.player.start()
    hall.player.close()
    assert hall.server.asked == [("leave",)]
    hall.player.close()
    never = Hall(WAITING)
    never.player.leave()
    assert never.server.asked == []


def test_an_arena_that_is_over_is_left_alone() -> None:
    hall = Hall()
    hall.look(0.0)
    hall.server.stands = Arena(ID, "Cup", finished=True)
    assert hall.look(50.0) == []
    assert hall.slots.free() == 1
    hall.server.stands = OPEN
    assert hall.look(500.0) == []


def test_only_the_slot_of_an_arena_that_we_play_in_is_kept() -> None:
    hall = Hall()
    hall.player.note_end(ID)  # not joined yet
    assert hall.slots.free() == 1
    hall.look(0.0)
    hall.slots.release("arena-AbCd1234")
    hall.player.note_end("another1")
    assert hall.slots.free() == 1
    hall.player.note_end(ID)
    assert hall.slots.free() == 0
    hall.server.stands = Arena(ID, "Cup", finished=True)
    hall.look(100.0)
    hall.player.note_end(ID)  # it is over
    assert hall.slots.free() == 1


@pytest.mark.parametrize(
    ("content", "runs"), [({}, False), ({"arenas": [{"id": ID}]}, True), ({"teams": [{"id": "ours"}]}, True)]
)
def test_its_thread_is_started_where_there_is_something_to_do(content: dict[str, Any], runs: bool) -> None:
    player = ArenaPlayer(Server(OPEN), TournamentSettings.model_validate(content), Slots(1), list)
    player.start()
    assert player._loop.running is runs
    player.close()
    assert not player._loop.running
