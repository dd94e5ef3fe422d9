"""`games`: what is chosen and printed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bot.archive.selection import find_game, since_s, write_new
from bot.archive.store import Store
from bot.errors import ConfigurationError
from bot.settings import Settings
from tests.bot.commands.test_cli import call
from tests.helpers.finished_games import blitz

NOW_S = 1_000_000_000.0
GAMES = [
    replace(blitz("g1", "1-0"), pgn='[Event "one"]\n\n1. e4 1-0\n'),
    blitz("g2", "1/2-1/2", color="black", opponent="alice"),
    replace(blitz("g3", "1-0", color="black", speed="rapid"), pgn='[Event "three"]\n\n1. d4 1-0\n'),
    blitz("g4", "*", speed="bullet", status="aborted"),
]


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
    store = Store(tmp_path / "games.sqlite3")
    for game in (*GAMES, blitz("abcdefgh", ended_s=1000.0)):
        store.record_game(game)
    store.close()
    return Settings(store=tmp_path / "games.sqlite3")


@pytest.mark.parametrize("wanted", ["g2", "https://lichess.org/g2", "http://127.0.0.1:80/g2/black#7"])
def test_a_game_is_found_by_its_id_or_address(wanted: str, settings: Settings) -> None:
    assert find_game(settings, wanted).game_id == "g2"


def test_a_game_is_found_by_the_address_of_a_player(settings: Settings) -> None:
    assert find_game(settings, "https://lichess.org/abcdefghIJKL").game_id == "abcdefgh"


def test_the_last_game_is_found_and_an_unknown_one_refused(settings: Settings, tmp_path: Path) -> None:
    assert find_game(settings, "last").game_id == "abcdefgh"
    Store(tmp_path / "empty.sqlite3").close()
    empty = settings.model_copy(update={"store": tmp_path / "empty.sqlite3"})
    for wanted_in, wanted in ((settings, "g"), (settings, ""), (empty, "last"), (settings, "abcdefghIJK")):
        with pytest.raises(ConfigurationError, match="no such game is kept; `bot88 games` lists"):
            find_game(wanted_in, wanted)


def test_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    store = Store(tmp_path / "games.sqlite3")
    for game in GAMES:
        store.record_game(game)
    store.close()
    Path("my.yml").write_text("store: games.sqlite3\n", encoding="utf-8")
    monkeypatch.setenv("BOT88_CONFIG", "my.yml")
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
    with pytest.raises(ConfigurationError, match=r"none/out\.pgn: cannot be written"):
        write_new(tmp_path / "none" / "out.pgn", "x")
