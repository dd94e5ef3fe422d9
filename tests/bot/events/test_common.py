"""Players and time controls, in every shape that the server gives them."""

from __future__ import annotations

import pytest

from bot.events.common import (
    ANONYMOUS,
    CLOCK,
    CORRESPONDENCE,
    Player,
    TimeControl,
    parse_kind,
    parse_player,
    parse_time_control,
)


@pytest.mark.parametrize(
    ("data", "player"),
    [
        (
            {"id": "Ann", "name": "Ann", "title": "GM", "rating": 2500, "provisional": True},
            Player("ann", "Ann", "GM", 2500, True),
        ),
        ({"username": "Ann"}, Player("ann", "Ann")),
        ({"name": "Ann", "username": "Bea"}, Player("ann", "Ann")),
        ({"id": "zed", "username": "BOT Zed"}, Player("zed", "Zed", "BOT")),
        ({"id": "zed", "username": "BOT Zed", "title": "BOT"}, Player("zed", "BOT Zed", "BOT")),
        ({"username": "BOTZed"}, Player("botzed", "BOTZed")),
        ({"aiLevel": 3}, Player("", "", ai_level=3)),
        ({"id": None, "username": "Stockfish level 1", "ai": 1}, Player("", "Stockfish level 1", ai_level=1)),
        ({"id": "x", "name": "Stockfish", "ai": 0}, Player("", "Stockfish", ai_level=0)),
        ({"aiLevel": 5, "ai": 1}, Player("", "", ai_level=5)),
        ({}, ANONYMOUS),
        (None, ANONYMOUS),
        ("Ann", ANONYMOUS),
    ],
)
def test_a_player_is_read_from_any_shape(data: object, player: Player) -> None:
    assert parse_player(data) == player


@pytest.mark.parametrize(
    ("player", "kind", "label"),
    [
        (Player("ann", "Ann"), "human", "Ann"),
        (Player("ann", "Ann", "GM"), "human", "GM Ann"),
        (Player("zed", "Zed", "BOT"), "bot", "BOT Zed"),
        (Player("", "", ai_level=0), "ai", "AI level 0"),
        (Player("ann", ""), "human", "ann"),
        (ANONYMOUS, "human", "Anonymous"),
    ],
)
def test_kinds_and_names_of_players(player: Player, kind: str, label: str) -> None:
    assert (player.kind, player.label) == (kind, label)
    assert (player.is_ai, player.is_bot) == (kind == "ai", kind == "bot")


@pytest.mark.parametrize(
    ("data", "control", "spelled", "estimate_s"),
    [
        ({"type": "clock", "limit": 15, "increment": 0}, TimeControl(CLOCK, 15, 0), "¼+0", 15),
        ({"type": "clock", "limit": 45, "increment": 1}, TimeControl(CLOCK, 45, 1), "¾+1", 85),
        ({"type": "clock", "limit": 180, "increment": 2}, TimeControl(CLOCK, 180, 2), "3+2", 260),
        ({"type": "clock", "limit": 100}, TimeControl(CLOCK, 100, 0), "1.66667+0", 100),
        ({"type": "correspondence", "daysPerTurn": 3}, TimeControl(CORRESPONDENCE, 0, 0, 3), "3 days a turn", 0),
        ({"type": "unlimited", "limit": 60}, TimeControl(), "unlimited", 0),
        ({"type": "sundial"}, TimeControl(), "unlimited", 0),
        ({"type": "abacus", "limit": 60}, TimeControl(), "unlimited", 0),
        ({"type": "", "limit": 60}, TimeControl(), "unlimited", 0),
        ([], TimeControl(), "unlimited", 0),
    ],
)
def test_a_time_control_is_read_spelled_and_estimated(
    data: object, control: TimeControl, spelled: str, estimate_s: int
) -> None:
    found = parse_time_control(data)
    assert (found, str(found), found.estimate_s) == (control, spelled, estimate_s)


@pytest.mark.parametrize(("value", "kind"), [("gameStart", "gameStart"), (5, "5"), ([], ""), (None, "")])
def test_the_kind_of_a_line_is_its_type(value: object, kind: str) -> None:
    assert parse_kind({"type": value}) == kind
