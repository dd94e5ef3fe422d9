"""The export of a game, from its JSON and from the fake server."""

from __future__ import annotations

import pytest

from bot.events import GameExport, parse_game_export
from bot.events.common import Player
from bot.fake_lichess import FakeLichess
from bot.lichess import Gateway
from tests.helpers.fake import fake
from tests.helpers.playing import resigning_at

__all__ = ["fake"]

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


def test_an_export_is_read() -> None:
    export = parse_game_export(EXPORT)
    assert export is not None
    assert (export.game_id, export.status, export.winner, export.is_over) == ("abcdefgh", "mate", "black", True)
    assert export.san_moves == ("f3", "e5", "g4", "Qh4#")
    assert export.clocks_ms == (180_030, 180_030, 179_000, 178_500)
    assert (export.initial_ms, export.increment_ms, export.days_per_turn) == (180_000, 2000, None)
    assert (export.white.id, export.white.is_bot, export.white.rating) == ("me", True, 2000)
    assert (export.black.ai_level, export.black.label) == (3, "AI level 3")
    assert (export.initial_fen, export.tournament_id, export.rated) == ("startpos", "arena123", True)


def test_a_game_without_clock_has_none() -> None:
    head = {"id": "abcdefgh", "status": "started", "daysPerTurn": 3, "initialFen": "8/8/8/8/8/8/8/K1k5 w - - 0 1"}
    export = parse_game_export(head)
    assert export is not None
    assert (export.initial_ms, export.increment_ms, export.days_per_turn) == (None, None, 3)
    assert (export.clocks_ms, export.is_over) == ((), False)
    assert export.initial_fen.startswith("8/8")


def test_what_an_export_does_not_say_is_not_so() -> None:
    bare = parse_game_export({"id": "abcdefgh", "status": "mate"})
    assert bare == GameExport("abcdefgh", "mate")
    assert not bare.rated


@pytest.mark.parametrize("value", [None, [], "x", {}, {"id": "abcdefgh"}, {"status": "mate"}, {"id": [], "status": 3}])
def test_what_is_no_game_is_none(value: object) -> None:
    assert parse_game_export(value) is None


def test_clocks_that_are_no_numbers_are_left_out_whole() -> None:
    export = parse_game_export({**EXPORT, "clocks": [1, "x", 3]})
    assert export is not None
    assert export.clocks_ms == ()


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


def test_every_field_of_an_export_arrives() -> None:
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


@pytest.mark.parametrize("clocks", [None, "12", {"a": 1}, [], [True], [2**60]])
def test_without_clocks_that_are_numbers_there_are_none(clocks: object) -> None:
    export = parse_game_export({**EXPORT, "clocks": clocks})
    assert export is not None
    assert export.clocks_ms == ()
