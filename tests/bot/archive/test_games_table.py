"""The table of `bot88 games`."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bot.archive.tables import games_json, games_table
from tests.helpers.finished_games import blitz

GAMES = [
    replace(blitz("g1234567", "1-0"), eco="C50"),
    blitz("g2", "1/2-1/2", color="black", opponent="alice"),
    blitz("g3", "*", speed="bullet", status="aborted"),
]
LONGEST = replace(
    blitz("12345678", "1-0", opponent="a" * 30), speed="correspondence", variant="threeCheck", rated=True, eco="A00"
)


def test_a_line_a_game_and_their_sum() -> None:
    head, *rows, total = games_table(GAMES, 80).splitlines()
    assert head.split("  ")[0] == "ended (UTC)"
    assert rows[0].split()[2:] == ["g1234567", "win", "white", "BOT", "somebot", "rated", "blitz", "40", "C50"]
    assert rows[1].split()[3:6] == ["draw", "black", "alice"]
    assert rows[2].split()[3] == "aborted"
    assert total == "3 games: 1 won, 1 drawn, 0 lost, 1 without a result"
    assert games_table([], 80) == "no games\n"


@pytest.mark.parametrize("width", [80, 100])
def test_the_longest_line_fits(width: int) -> None:
    lines = games_table([LONGEST, *GAMES], width).splitlines()
    assert max(map(len, lines)) == width
    assert "…" in lines[1]


def test_nothing_is_shortened_without_need_or_beyond_recognition() -> None:
    assert "…" not in games_table(GAMES, 81)
    assert "rated bull…" in games_table(GAMES, 80)
    assert " aaaaaaa… " in games_table([LONGEST], 20)


def test_json_has_everything_but_the_moves() -> None:
    (first, *_rest) = json.loads(games_json([replace(LONGEST, pgn="1. e4")]))["games"]
    assert first["opponent_id"] == "a" * 30
    assert first["outcome"] == "win"
    assert "pgn" not in first


def test_a_single_game_and_games_with_results_alone() -> None:
    assert games_table(GAMES[:1], 80).splitlines()[-1] == "1 game: 1 won, 0 drawn, 0 lost"
    lost = blitz("g4", "0-1")
    assert games_table([*GAMES[:2], lost], 80).splitlines()[-1] == "3 games: 1 won, 1 drawn, 1 lost"


def test_the_lines_in_full() -> None:
    moment = replace(blitz("g1234567", "1-0"), ended_s=1_700_000_000.0, eco="C50")
    casual = replace(blitz("g2", "1-0", opponent="alice"), ended_s=1_700_000_060.0, rated=False, variant="atomic")
    assert games_table([moment, casual], 120).splitlines()[1:3] == [
        "2023-11-14 22:13  g1234567  win     white  BOT somebot  rated blitz      40  C50",
        "2023-11-14 22:14  g2        win     white  alice        blitz atomic     40",
    ]


def test_names_are_written_as_they_are() -> None:
    game = replace(blitz("g1"), opening="Grünfeld Defense")
    assert '"Grünfeld Defense"' in games_json([game])
