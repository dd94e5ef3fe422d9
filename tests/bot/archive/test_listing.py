"""The finished games that a command is about, and the tables for the terminal."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bot.archive.listing import aligned, find_game, games_json, games_table, shortened, since_s, write_pgn
from bot.errors import ConfigurationError
from bot.settings import Settings
from tests.bot.commands.test_cli import call
from tests.helpers.finished_games import blitz, bot_in, keep

NOW_S = 1_000_000_000.0
GAMES = [
    replace(blitz("g1234567", "1-0"), pgn='[Event "one"]\n\n1. e4 1-0\n', eco="C50"),
    blitz("g2", "1/2-1/2", color="black", opponent="alice"),
    replace(blitz("g3", "1-0", color="black", speed="rapid"), pgn='[Event "three"]\n\n1. d4 1-0\n'),
    blitz("g4", "*", speed="bullet", status="aborted"),
]
LONGEST = replace(
    blitz("12345678", "1-0", opponent="a" * 30), speed="correspondence", variant="threeCheck", rated=True, eco="A00"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0.0),
        ("12h", NOW_S - 43_200),
        ("7d", NOW_S - 604_800),
        ("2w", NOW_S - 1_209_600),
        ("99999w", 0.0),
        ("1970-01-02", 86_400.0),
    ],
)
def test_since(text: str, expected: float) -> None:
    assert since_s(text, NOW_S) == expected


@pytest.mark.parametrize("text", ["7", "d", "-7d", "7m", "2026-13-01", "yesterday"])
def test_another_since_is_refused_by_name(text: str) -> None:
    with pytest.raises(ConfigurationError, match=f"--since '{text}': write 12h, 7d, 2w or a date"):
        since_s(text, NOW_S)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """The settings with a store of GAMES and a game of Lichess."""
    keep(tmp_path / "games.sqlite3", *GAMES, blitz("abcdefgh", ended_s=1000.0))
    return Settings(store=tmp_path / "games.sqlite3")


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("g2", "g2"),
        ("https://lichess.org/g2", "g2"),
        ("http://127.0.0.1:80/g2/black#7", "g2"),
        ("https://lichess.org/abcdefghIJKL", "abcdefgh"),  # the address of a player's own view
        ("last", "abcdefgh"),
    ],
)
def test_a_game_is_found_by_its_id_or_address(wanted: str, found: str, settings: Settings) -> None:
    assert find_game(settings, wanted).game_id == found


def test_an_unknown_game_is_refused(settings: Settings, tmp_path: Path) -> None:
    keep(tmp_path / "empty.sqlite3")
    empty = settings.model_copy(update={"store": tmp_path / "empty.sqlite3"})
    for wanted_in, wanted in ((settings, "g"), (settings, ""), (empty, "last"), (settings, "abcdefghIJK")):
        with pytest.raises(ConfigurationError, match="no such game is kept; `bot88 games` lists"):
            find_game(wanted_in, wanted)


def test_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bot_in(tmp_path, monkeypatch, *GAMES)
    assert call(monkeypatch, "games", "--opponent", "Alice") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 game: 0 won, 1 drawn, 0 lost"
    assert call(monkeypatch, "games", "--json", "--opponent", "Alice") == 0
    assert json.loads(capsys.readouterr().out)["games"][0]["game_id"] == "g2"
    assert call(monkeypatch, "games", "--pgn", "out.pgn") == 0
    assert capsys.readouterr().out == "2 of 4 games are in out.pgn\n"
    assert Path("out.pgn").read_text(encoding="utf-8") == f"{GAMES[0].pgn}\n{GAMES[2].pgn}"
    assert call(monkeypatch, "games", "--pgn", "out.pgn") == 2
    assert "out.pgn: exists already" in capsys.readouterr().err
    monkeypatch.setenv("BOT88__STORE", "")
    assert call(monkeypatch, "games") == 2
    assert "the configuration has no `store:`" in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "none").touch()
    with pytest.raises(ConfigurationError, match=r"none/out\.pgn: cannot be written"):
        write_pgn([], tmp_path / "none" / "out.pgn")


def test_a_line_a_game() -> None:
    moment = replace(GAMES[0], ended_s=1_700_000_000.0)
    casual = replace(GAMES[1], ended_s=1_700_000_060.0, rated=False, variant="atomic")
    aborted = replace(GAMES[3], ended_s=1_700_000_120.0)
    assert games_table([moment, casual, aborted], 120).splitlines() == [
        "ended (UTC)       game      result   color  opponent     type          plies  eco",
        "2023-11-14 22:13  g1234567  win      white  BOT somebot  rated blitz      40  C50",
        "2023-11-14 22:14  g2        draw     black  alice        blitz atomic     40",
        "2023-11-14 22:15  g4        aborted  white  BOT somebot  rated bullet     40",
        "3 games: 1 won, 1 drawn, 0 lost, 1 without a result",
    ]


def test_the_sum_of_the_results() -> None:
    assert games_table([], 80) == "no games\n"
    assert games_table(GAMES[:1], 80).splitlines()[-1] == "1 game: 1 won, 0 drawn, 0 lost"
    assert games_table(GAMES[:3], 80).splitlines()[-1] == "3 games: 1 won, 1 drawn, 1 lost"


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
    text = games_json([replace(LONGEST, pgn="1. e4", opening="Grünfeld Defense"), *GAMES])
    first, *rest = json.loads(text)["games"]
    assert (first["opponent_id"], first["outcome"], len(rest)) == ("a" * 30, "win", 4)
    assert "pgn" not in first
    assert '"Grünfeld Defense"' in text
    assert json.loads(games_json([])) == {"games": []}


def test_columns_stand_below_each_other_numbers_to_the_right() -> None:
    rows = [("name", "games", "note"), ("Al", "7", "x"), ("Barbara", "123", "")]
    assert aligned(rows, right=frozenset({1})) == (
        "name     games  note\n"
        "Al           7  x\n"
        "Barbara    123\n"
    )  # fmt: skip


def test_what_fits_stays_as_it_is() -> None:
    rows = [("opponent", "n"), ("Barbara the Great", "7")]
    assert aligned(rows, fit=20, shrinking=(0,)) == aligned(rows)
    assert aligned(rows, fit=19, shrinking=(0,)) == aligned([rows[0], ("Barbara the Gre…", "7")])


@pytest.mark.parametrize(("fit", "widths"), [(52, (25, 25)), (45, (21, 22)), (1, (8, 19))])
def test_the_widest_column_gives_way_first_and_none_becomes_narrower_than_its_heading(
    fit: int, widths: tuple[int, int]
) -> None:
    rows = [("a", "a very long heading"), ("x" * 30, "y" * 25)]
    last = aligned(rows, fit=fit, shrinking=(0, 1)).splitlines()[-1]
    assert tuple(map(len, last.split())) == widths


def test_a_text_is_cut_only_where_it_is_too_long() -> None:
    assert [shortened(text, 5) for text in ("12345", "123456", "")] == ["12345", "1234…", ""]
