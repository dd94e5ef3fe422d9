"""Events of a game stream, exports of games, and outcomes."""

from __future__ import annotations

import pytest

from bot.events.game import (
    ANONYMOUS,
    UNLIMITED_MS,
    ChatLine,
    GameExport,
    GameFull,
    GameState,
    OpponentGone,
    Outcome,
    Player,
    UnknownEvent,
    outcome_of,
    parse_game_event,
    parse_game_export,
)
from bot.fake_lichess import FakeLichess
from bot.lichess.gateway import Gateway
from tests.helpers.fake import fake
from tests.helpers.playing import resigning_at

__all__ = ["fake"]

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


def test_colors_and_clock_of_a_game() -> None:
    event = parse_game_event(FULL)
    assert isinstance(event, GameFull)
    assert (event.initial_ms, event.increment_ms, event.has_clock, event.days_per_turn) == (900000, 2000, True, None)
    assert event.state.moves == ("d2d3", "e7e5")
    assert event.black.is_ai
    assert [event.color_of(user) for user in ("BOBBY", "carl", "")] == ["white", "", ""]  # "" is also the AI's id
    other = parse_game_event(FULL | {"black": {"id": "ann", "name": "Ann"}})
    assert isinstance(other, GameFull)
    assert other.color_of("Ann") == "black"


def test_game_without_clock() -> None:
    bare = {key: value for key, value in FULL.items() if key != "clock"}
    event = parse_game_event(bare | {"daysPerTurn": 3, "state": {"moves": ""}})
    assert isinstance(event, GameFull)
    assert not event.has_clock
    assert event.days_per_turn == 3
    assert event.state.moves == ()
    assert event.state.wtime_ms == UNLIMITED_MS  # never zero: that would be a flag


def test_defaults_of_a_state() -> None:
    bare = parse_game_event({"type": "gameState", "moves": "e2e4", "wtime": 1, "btime": 2})
    assert bare == GameState(("e2e4",), 1, 2)
    assert (bare.wdraw, bare.bdraw, bare.wtakeback, bare.btakeback, bare.is_over) == (False,) * 5


def test_chat_gone_and_unknown() -> None:
    assert parse_game_event({"type": "chatLine", "username": "a", "text": "hi", "room": "spectator"}) == ChatLine(
        "a", "hi", "spectator"
    )
    assert parse_game_event({"type": "opponentGone", "gone": True, "claimWinInSeconds": 8}) == OpponentGone(True, 8)
    assert parse_game_event({"type": "opponentGone", "gone": False}) == OpponentGone(False, None)
    assert isinstance(parse_game_event({"type": "gameTea", "strength": 3}), UnknownEvent)


def test_a_state_has_every_field() -> None:
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
    }
    expected = GameState(("e2e4",), 1, 2, 3, 4, "draw", "black", True, True, True, True)
    assert parse_game_event({"type": "gameState"} | line) == expected


def test_a_game_has_every_field() -> None:
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


def test_defaults_of_a_game() -> None:
    event = parse_game_event({"type": "gameFull"})
    state = GameState((), UNLIMITED_MS, UNLIMITED_MS)
    assert event == GameFull("", "standard", "", False, ANONYMOUS, ANONYMOUS, "startpos", state)
    assert isinstance(event, GameFull)
    assert not event.has_clock


@pytest.mark.parametrize("status", ["created", "started", "mate", "unknownFinish"])
def test_a_game_runs_until_it_has_another_status(status: str) -> None:
    assert GameState((), 1, 1, status=status).is_over is (status not in ("created", "started"))


def test_the_default_room_of_chat() -> None:
    assert parse_game_event({"type": "chatLine", "username": "a", "text": "hi"}) == ChatLine("a", "hi", "player")


EXPORT = {
    "id": "abcdefgh",
    "rated": True,
    "variant": "standard",
    "speed": "blitz",
    "perf": "blitz",
    "createdAt": 1_700_000_000_000,
    "lastMoveAt": 1_700_000_060_000,
    "status": "mate",
    "winner": "black",
    "players": {
        "white": {"user": {"name": "Me", "id": "me", "title": "BOT"}, "rating": 2000, "ratingDiff": -5},
        "black": {"aiLevel": 3},
    },
    "moves": "f3 e5 g4 Qh4#",
    "clock": {"initial": 180, "increment": 2, "totalTime": 260},
    "clocks": [18003, 18003, 17900, 17850],
    "arenaTour": {"id": "arena123", "name": "Arena"},
}


def test_an_export_without_clock() -> None:
    head = {"id": "abcdefgh", "status": "started", "daysPerTurn": 3, "initialFen": "8/8/8/8/8/8/8/K1k5 w - - 0 1"}
    export = parse_game_export(head)
    assert export is not None
    assert (export.initial_ms, export.increment_ms, export.days_per_turn) == (None, None, 3)
    assert (export.clocks_ms, export.is_over) == ((), False)
    assert export.initial_fen.startswith("8/8")


def test_defaults_of_an_export() -> None:
    bare = parse_game_export({"id": "abcdefgh", "status": "mate"})
    assert bare == GameExport("abcdefgh", "mate")
    assert not bare.rated


@pytest.mark.parametrize("value", [None, [], "x", {}, {"id": "abcdefgh"}, {"status": "mate"}, {"id": [], "status": 3}])
def test_an_export_without_id_or_status_is_none(value: object) -> None:
    assert parse_game_export(value) is None


def test_a_game_of_the_fake_is_exported(fake: FakeLichess) -> None:
    fake.add_account("Shorty", script=resigning_at(4))
    fake.add_account("Other", opponent="random")
    game_id = fake.challenge("Shorty", "Other", clock=(60, 1), color="white")
    fake.wait_for_end(game_id)
    gateway = Gateway(fake.url, fake.token("bot88"))
    export = gateway.export_game(game_id)
    gateway.close()
    assert isinstance(export, GameExport)
    assert (export.game_id, export.status, export.winner) == (game_id, "resign", "black")
    assert len(export.san_moves) == len(export.clocks_ms) == 4
    assert (export.white.name, export.black.name) == ("Shorty", "Other")
    assert (export.initial_ms, export.increment_ms) == (60_000, 1000)


def test_an_export_has_every_field() -> None:
    export = parse_game_export({**EXPORT, "tournament": "swiss123", "daysPerTurn": 2, "initialFen": "8/8 w"})
    assert export == GameExport(
        "abcdefgh",
        "mate",
        "black",
        ("f3", "e5", "g4", "Qh4#"),
        (180_030, 180_030, 179_000, 178_500),
        "standard",
        "blitz",
        True,
        Player("me", "Me", "BOT", 2000),
        Player("", "", ai_level=3),
        "8/8 w",
        180_000,
        2000,
        2,
        1_700_000_000_000,
        1_700_000_060_000,
        "blitz",
        "swiss123",
    )


@pytest.mark.parametrize("clocks", [None, "12", {"a": 1}, [], [1, "x", 3], [True], [2**60]])
def test_clocks_that_are_not_all_numbers_are_left_out(clocks: object) -> None:
    export = parse_game_export({**EXPORT, "clocks": clocks})
    assert export is not None
    assert export.clocks_ms == ()


@pytest.mark.parametrize(
    ("status", "winner", "outcome"),
    [
        ("mate", "white", Outcome.WIN),
        ("resign", "black", Outcome.LOSS),
        ("stalemate", "", Outcome.DRAW),
        ("outoftime", "", Outcome.DRAW),
        ("started", "", None),
        ("created", "", None),
        ("aborted", "", None),
        ("noStart", "", None),
        ("unknownFinish", "", None),
    ],
)
def test_outcome_for_white(status: str, winner: str, outcome: Outcome | None) -> None:
    assert outcome_of(status, winner, "white") is outcome
