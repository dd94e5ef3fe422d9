"""Events of a game stream."""

from __future__ import annotations

from bot.events import UNLIMITED_MS, ChatLine, GameFull, GameState, OpponentGone, UnknownEvent, parse_game_event

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
