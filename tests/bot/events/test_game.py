"""Events of a game stream."""

from __future__ import annotations

import pytest

from bot.events import UNLIMITED_MS, ChatLine, GameFull, GameState, OpponentGone, UnknownEvent, parse_game_event
from bot.events.common import ANONYMOUS, Player

STATE = {
    "type": "gameState",
    "moves": "d2d3 e7e5",
    "wtime": 900000,
    "btime": 899000,
    "winc": 0,
    "binc": 0,
    "status": "started",
}
FULL = {
    "type": "gameFull",
    "id": "BEOucQJo",
    "variant": {"key": "standard", "name": "Standard"},
    "speed": "rapid",
    "perf": {"name": "Rapid"},
    "rated": False,
    "createdAt": 1745112707998,
    "white": {"id": "bobby", "name": "Bobby", "title": None, "rating": 1751},
    "black": {"aiLevel": 3},
    "initialFen": "startpos",
    "clock": {"initial": 900000, "increment": 2000},
    "state": STATE,
}


def test_game_full() -> None:
    event = parse_game_event(FULL)
    assert isinstance(event, GameFull)
    assert (event.initial_ms, event.increment_ms, event.has_clock, event.days_per_turn) == (900000, 2000, True, None)
    assert event.state.moves == ("d2d3", "e7e5")
    assert event.black.is_ai
    assert event.color_of("BOBBY") == "white"
    assert (event.color_of("nobody"), event.color_of("alice")) == ("", "")  # before and after the players' names
    assert event.color_of("") == ""  # the AI's empty id is nobody's


def test_game_without_clock() -> None:
    bare = {key: value for key, value in FULL.items() if key != "clock"}
    event = parse_game_event(bare | {"daysPerTurn": 3, "state": {"moves": ""}})
    assert isinstance(event, GameFull)
    assert not event.has_clock
    assert event.days_per_turn == 3
    assert event.state.moves == ()
    assert event.state.wtime_ms == UNLIMITED_MS  # never zero: that would be a flag


def test_game_state() -> None:
    event = parse_game_event(STATE | {"wdraw": True, "rematch": "newgame1", "status": "mate", "winner": "white"})
    assert isinstance(event, GameState)
    assert (event.wdraw, event.bdraw, event.rematch, event.winner, event.is_over) == (
        True,
        False,
        "newgame1",
        "white",
        True,
    )
    assert not GameState((), 1, 1).is_over


def test_what_a_state_does_not_say_is_not_so() -> None:
    bare = parse_game_event({"type": "gameState", "moves": "e2e4", "wtime": 1, "btime": 2})
    assert bare == GameState(("e2e4",), 1, 2)
    assert (bare.wdraw, bare.bdraw, bare.wtakeback, bare.btakeback, bare.is_over) == (False,) * 5


def test_expiration() -> None:
    event = parse_game_event(STATE | {"expiration": {"idleMillis": 12, "millisToMove": 20000}})
    assert isinstance(event, GameState)
    assert event.expires_in_ms == 20000


def test_chat_gone_and_unknown() -> None:
    assert parse_game_event({"type": "chatLine", "username": "a", "text": "hi", "room": "spectator"}) == ChatLine(
        "a", "hi", "spectator"
    )
    assert parse_game_event({"type": "opponentGone", "gone": True, "claimWinInSeconds": 8}) == OpponentGone(True, 8)
    assert parse_game_event({"type": "opponentGone", "gone": False}) == OpponentGone(False, None)
    assert isinstance(parse_game_event({"type": "gameTea", "strength": 3}), UnknownEvent)


def test_every_field_of_a_state_arrives() -> None:
    line = {
        "moves": "e2e4",
        "wtime": 1,
        "btime": 2,
        "winc": 3,
        "binc": 4,
        "status": {"name": "draw"},
        "winner": "black",
        "wdraw": True,
        "bdraw": True,
        "wtakeback": True,
        "btakeback": True,
        "rematch": "newgame1",
        "expiration": {"millisToMove": 5},
    }
    expected = GameState(("e2e4",), 1, 2, 3, 4, "draw", "black", True, True, True, True, "newgame1", 5)
    assert parse_game_event({"type": "gameState"} | line) == expected


def test_every_field_of_a_game_arrives() -> None:
    more = {"rated": True, "daysPerTurn": 2, "perf": {"name": "Rapid"}, "tournamentId": "arena123"}
    event = parse_game_event(FULL | more)
    assert event == GameFull(
        "BEOucQJo",
        "standard",
        "rapid",
        True,
        Player("bobby", "Bobby", "", 1751),
        Player("", "", ai_level=3),
        "startpos",
        GameState(("d2d3", "e7e5"), 900000, 899000),
        900000,
        2000,
        2,
        1745112707998,
        "Rapid",
        "arena123",
    )


def test_what_a_game_does_not_say_is_not_so() -> None:
    event = parse_game_event({"type": "gameFull"})
    state = GameState((), UNLIMITED_MS, UNLIMITED_MS)
    assert event == GameFull("", "standard", "", False, ANONYMOUS, ANONYMOUS, "startpos", state)
    assert isinstance(event, GameFull)
    assert not event.has_clock


def test_either_side_may_be_ours() -> None:
    event = parse_game_event(FULL | {"black": {"id": "ann", "name": "Ann"}})
    assert isinstance(event, GameFull)
    assert [event.color_of(user) for user in ("bobby", "Ann", "carl", "")] == ["white", "black", "", ""]


@pytest.mark.parametrize("status", ["created", "started", "mate", "unknownFinish"])
def test_a_game_runs_until_it_has_another_status(status: str) -> None:
    assert GameState((), 1, 1, status=status).is_over is (status not in ("created", "started"))


def test_a_line_of_chat_is_of_the_player_room_unless_it_says_otherwise() -> None:
    assert parse_game_event({"type": "chatLine", "username": "a", "text": "hi"}) == ChatLine("a", "hi", "player")
