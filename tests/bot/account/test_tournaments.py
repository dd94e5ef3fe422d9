"""Arenas are joined, games asked for, breaks taken, slots reserved."""

from __future__ import annotations

from typing import Any

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st
from structlog.typing import EventDict

from bot.account.admission import Admission
from bot.account.slots import Slots, SlotUse
from bot.account.tournaments import (
    LAST_CALL_S,
    LOOK_EVERY_S,
    RETRY_S,
    ArenaWorker,
)
from bot.errors import LichessError, NetworkError, NotFound, RateLimited, Rejected, Unauthorized
from bot.lichess.values import Arena
from bot.play.observer import EndedGame
from bot.settings import ArenaEntry, TournamentSettings
from tests.helpers.ending import closed_at_end
from tests.helpers.processes import wait_until
from tests.helpers.scarce_threads import refuse_threads
from tests.helpers.server import StubServer

ID = "AbCd1234"
WAITING = Arena(ID, "Cup", starts_in_s=60)
OPEN = Arena(ID, "Cup", finishes_in_s=1000)


class ArenaServer(StubServer):
    """One arena, and the requests about it."""

    def __init__(self, arena: Arena) -> None:
        self.stands = arena
        self.asked: list[tuple[Any, ...]] = []
        self.looks = 0
        self.error: LichessError | None = None

    def arena(self, arena_id: str) -> Arena:
        """Return the arena."""
        assert arena_id == ID
        self.looks += 1
        return self.stands

    def join_arena(self, arena_id: str, *, team: str = "", password: str = "", pair_now: bool = False) -> None:
        """Join, or raise the error of the test."""
        self.asked.append(("join", team, password, pair_now))
        if self.error is not None:
            raise self.error

    def withdraw_from_arena(self, arena_id: str) -> None:
        """Leave the arena."""
        self.asked.append(("leave",))


class Hall:
    """An arena player with its server, its slots and the games that run."""

    def __init__(self, arena: Arena = OPEN, concurrency: int = 1, **entry: str) -> None:
        self.server = ArenaServer(arena)
        self.slots = Slots(concurrency)
        self.running: list[str] = []
        self.admission = Admission()
        settings = TournamentSettings.model_validate({"arenas": [{"id": ID, **entry}]})
        self.player = ArenaWorker(self.server, settings, self.slots, lambda: self.running, self.admission)

    def look(self, now_s: float) -> list[tuple[Any, ...]]:
        """Look once. Return the requests that followed."""
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
    hall.player.ended(EndedGame("abcdefgh", tournament_id=ID))  # the registry reports the end before it frees the slot
    hall.slots.release("arenagam")
    assert not hall.slots.reserve("queued01", "bob")
    assert len(hall.look(6.0)) == 1
    hall.player.ended(EndedGame("abcdefgh", tournament_id="another1"))
    hall.admission.pause()
    hall.look(7.0)
    hall.player.ended(EndedGame("abcdefgh", tournament_id=ID))  # the bot is paused
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
    server = ArenaServer(OPEN)
    player = closed_at_end(ArenaWorker(server, TournamentSettings(), Slots(1), list))
    refused = refuse_threads(monkeypatch, 1)
    assert player.join(ArenaEntry(id=ID))
    assert not player.join(ArenaEntry(id=ID))
    assert wait_until(lambda: server.asked)
    assert refused == ["arenas"]


def test_at_the_end_of_the_bot_every_arena_is_left() -> None:
    hall = Hall()
    hall.look(0.0)
    hall.server.asked.clear()
    hall.player.start()
    hall.player.close()
    assert hall.server.asked == [("leave",)]
    hall.player.close()
    never = Hall(WAITING)
    never.player.close()
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
    hall.player.ended(EndedGame("abcdefgh", tournament_id=ID))  # not joined yet
    assert hall.slots.free() == 1
    hall.look(0.0)
    hall.slots.release("arena-AbCd1234")
    hall.player.ended(EndedGame("abcdefgh", tournament_id="another1"))
    assert hall.slots.free() == 1
    hall.player.ended(EndedGame("abcdefgh", tournament_id=ID))
    assert hall.slots.free() == 0
    hall.server.stands = Arena(ID, "Cup", finished=True)
    hall.look(100.0)
    hall.player.ended(EndedGame("abcdefgh", tournament_id=ID))  # it is over
    assert hall.slots.free() == 1


@pytest.mark.parametrize(
    ("content", "runs"), [({}, False), ({"arenas": [{"id": ID}]}, True), ({"teams": [{"id": "ours"}]}, True)]
)
def test_its_thread_is_started_where_there_is_something_to_do(content: dict[str, Any], runs: bool) -> None:
    player = ArenaWorker(ArenaServer(OPEN), TournamentSettings.model_validate(content), Slots(1), list)
    player.start()
    assert player._loop.running is runs
    player.close()
    assert not player._loop.running


@pytest.mark.parametrize(
    ("error", "least_s", "most_s"),
    [
        (NetworkError("gone"), 0.5 * RETRY_S[0], 1.5 * RETRY_S[0]),
        (RateLimited(100.0), 100.0, 100.0),
        (RateLimited(86_400.0), 10 * LOOK_EVERY_S, 10 * LOOK_EVERY_S),
    ],
)
def test_a_limit_is_waited_for_but_no_arena_is_missed_for_it(
    error: LichessError, least_s: float, most_s: float
) -> None:
    hall = Hall()
    hall.server.error = error
    hall.look(1000.0)
    assert least_s <= hall.player.arenas[0].look_at_s - 1000.0 <= most_s
    assert hall.slots.free() == 1


def test_another_reason_of_the_same_arena_is_said_again_and_again_after_it_was_joined(logs: list[EventDict]) -> None:
    hall = Hall()
    one = hall.player.arenas[0]
    for reason in (
        "Wrong entry code",
        "Wrong entry code",
        "You are not in the team",
        "",
        "You are not in the team",
    ):
        hall.server.error = Rejected(400, reason) if reason else None
        one.look_at_s, one.joined = 0.0, False
        hall.look(1000.0)
    assert [line["event"] for line in logs] == ["arena_refused", "arena_refused", "arena_joined", "arena_refused"]


@pytest.mark.parametrize(
    ("error", "event", "remedy"),
    [
        (Rejected(400, "Wrong entry code"), "arena_refused", "look at the arena's conditions"),
        (NotFound(404, "not found"), "arena_refused", "correct the id"),
        (Unauthorized(403, "Missing scope"), "arena_refused", "create a token with the scope tournament:write"),
        (NetworkError("gone"), "arena_not_reached", ""),
        (RateLimited(60.0), "arena_not_reached", ""),
    ],
)
def test_a_refusal_is_said_once_and_tried_again_ever_more_rarely(error: LichessError, event: str, remedy: str) -> None:
    hall = Hall(password="sesame")
    hall.server.error = error
    with structlog.testing.capture_logs() as lines:
        tries = sum(len(hall.look(float(second))) for second in range(0, 3600, 1))
    assert 3 <= tries <= 40
    assert hall.slots.free() == 1
    said = [line for line in lines if line["event"] == event]
    assert len(said) == (1 if event == "arena_refused" else tries)
    assert said[0].get("remedy", "").startswith(remedy)
    assert (remedy == "") is ("remedy" not in said[0])
    assert "sesame" not in str(lines)
    hall.server.error = None
    assert sum(len(hall.look(float(second))) for second in range(3600, 5000, 100)) >= 1
    assert hall.player.arenas[0].joined


FAR, SOON = Arena(ID, "A", starts_in_s=3600), Arena(ID, "A", starts_in_s=50)
LAST = Arena(ID, "A", finishes_in_s=int(LAST_CALL_S) - 1)
OVER = Arena(ID, "A", finished=True)
JOIN, PAIR, LEAVE = [("join", "", "", False)], [("join", "", "", True)], [("leave",)]
NOW_S = 10_000.0


def look_in_state(hall: Hall, **state: Any) -> tuple[list[tuple[Any, ...]], float]:
    """Look once, with this state of the arena. Return the requests, and the seconds until the next look."""
    if not state.pop("wanted", True):
        hall.admission.pause()
    if not state.pop("has_slot", True):
        hall.slots.put("abcdefgh", SlotUse.PLAYING, "alice")
    if state.get("playing"):
        hall.running.append(ID)
    one = hall.player.arenas[0]
    for name, value in state.items():
        setattr(one, name, value)
    return hall.look(NOW_S), one.look_at_s - NOW_S


@pytest.mark.parametrize(
    ("arena", "state", "asked", "look_in_s"),
    [
        # before the start
        (FAR, {}, [], LOOK_EVERY_S),
        (Arena(ID, "A", starts_in_s=660), {}, [], 60.0),
        (SOON, {}, JOIN, 51.0),
        (Arena(ID, "A", starts_in_s=600), {}, JOIN, LOOK_EVERY_S),
        (Arena(ID, "A", starts_in_s=601), {}, [], 1.0),
        (SOON, {"joined": True}, [], 51.0),
        (Arena(ID, "A", starts_in_s=0), {"joined": True}, [], 1.0),
        # while it runs
        (OPEN, {}, PAIR, 30.0),
        (OPEN, {"joined": True}, PAIR, 30.0),
        (OPEN, {"joined": True, "asked_s": NOW_S - 10.0}, [], 20.0),
        (OPEN, {"joined": True, "asked_s": NOW_S - 30.0}, PAIR, 30.0),
        (OPEN, {"joined": False, "asked_s": NOW_S - 1.0}, PAIR, 30.0),
        (OPEN, {"joined": True, "playing": True}, [], 30.0),
        (OPEN, {"has_slot": False}, [], 30.0),
        (Arena(ID, "A"), {}, PAIR, 30.0),  # the server does not send the end
        (LAST, {"joined": True}, [], LAST_CALL_S),
        (Arena(ID, "A", finishes_in_s=int(LAST_CALL_S)), {}, PAIR, 30.0),
        # paused or ending
        (OPEN, {"joined": True, "wanted": False}, LEAVE, 30.0),
        (OPEN, {"joined": True, "playing": True, "wanted": False}, LEAVE, 30.0),
        (SOON, {"joined": True, "wanted": False}, LEAVE, 30.0),
        (OPEN, {"wanted": False}, [], 30.0),
        # over
        (OVER, {"joined": True}, [], LOOK_EVERY_S),
        (OVER, {"wanted": False}, [], LOOK_EVERY_S),
    ],
)
def test_what_is_done(arena: Arena, state: dict[str, Any], asked: list[tuple[Any, ...]], look_in_s: float) -> None:
    hall = Hall(arena)
    assert look_in_state(hall, **state) == (asked, look_in_s)
    assert hall.player.arenas[0].done is arena.finished


SECONDS = st.none() | st.integers(-(10**6), 10**9)


@given(
    st.builds(Arena, st.text(), st.text(), st.booleans(), SECONDS, SECONDS),
    st.fixed_dictionaries(
        {
            "joined": st.booleans(),
            "playing": st.booleans(),
            "has_slot": st.booleans(),
            "wanted": st.booleans(),
            "asked_s": st.none() | st.floats(0, NOW_S),
        }
    ),
)
def test_whatever_the_server_says_of_an_arena(arena: Arena, state: dict[str, Any]) -> None:
    asked, look_in_s = look_in_state(Hall(arena), **state)
    assert 1.0 <= look_in_s <= LOOK_EVERY_S
    assert asked in ([], JOIN, PAIR, LEAVE)
    if asked in (JOIN, PAIR):
        assert state["wanted"]
        assert not arena.finished
    if asked == PAIR:
        assert state["has_slot"]
        assert not state["playing"]
