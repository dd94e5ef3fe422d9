"""Games read from the store's file, beside whoever has it open."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from bot.archive.kept_games import KeptGame, kept_games
from bot.archive.store import GameRecord, Store
from bot.errors import StoreError


def record(
    game_id: str, result: str = "1-0", *, color: str = "white", ended_s: float = 100.0, **other: str
) -> GameRecord:
    """A blitz game with somebot."""
    opponent, status = other.get("opponent", "somebot"), other.get("status", "mate")
    speed = other.get("speed", "blitz")
    return GameRecord(
        game_id, opponent, opponent.endswith("bot"), color, "standard", speed, True, status, result, 40, ended_s
    )


def test_games_are_read_while_the_store_is_open_and_after(tmp_path: Path) -> None:
    path = tmp_path / "store ?.sqlite3"
    store = Store(path)
    store.record_game(record("late", ended_s=200.0), '[Event "late"]\n\n1. e4 1-0\n')
    store.record_game(record("early", opponent="alice"))
    store.record_game(record("running", status="started", ended_s=300.0))
    store.flush(5.0)
    while_open = kept_games(path)
    store.close()
    assert [game.record.game_id for game in while_open] == ["early", "late"]
    assert kept_games(path) == while_open
    assert while_open[1].pgn.startswith('[Event "late"]')
    assert [game.record.game_id for game in kept_games(path, since_s=150.0)] == ["late"]
    assert [game.record.game_id for game in kept_games(path, opponent_id="alice")] == ["early"]
    assert [game.record.game_id for game in kept_games(path, game_id="early")] == ["early"]
    assert kept_games(path, game_id="running") == []
    assert [game.opponent_kind for game in while_open] == ["human", "bot"]


@pytest.mark.parametrize(
    ("result", "color", "outcome"),
    [
        ("1-0", "white", "win"),
        ("1-0", "black", "loss"),
        ("0-1", "black", "win"),
        ("0-1", "white", "loss"),
        ("1/2-1/2", "black", "draw"),
        ("*", "white", ""),
    ],
)
def test_what_a_result_is_for_us(result: str, color: str, outcome: str) -> None:
    assert KeptGame(record("a", result, color=color), "").outcome == outcome


@pytest.mark.parametrize(("color", "ratings"), [("white", (1900, 2100)), ("black", (2100, 1900))])
def test_ratings_are_in_the_row_or_in_the_pgn(color: str, ratings: tuple[int, int]) -> None:
    pgn, row = '[WhiteElo "1900"]\n[BlackElo "2100"]\n\n*\n', record("a", color=color)
    game, older = KeptGame(replace(row, my_rating=1, opponent_rating=2), pgn), KeptGame(row, pgn)
    assert (game.my_rating, game.opponent_rating) == (1, 2)
    assert (older.my_rating, older.opponent_rating) == ratings


@pytest.mark.parametrize("pgn", ["", '[WhiteElo "?"]\n\n*\n', '[WhiteElo "1e9"]\n\n*\n'])
def test_without_either_a_rating_is_not_known(pgn: str) -> None:
    assert (KeptGame(record("a"), pgn).my_rating, KeptGame(record("a"), pgn).opponent_rating) == (None, None)


def test_a_file_that_is_no_store_is_named_and_left_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"none\.sqlite3: there is no such file"):
        kept_games(tmp_path / "none.sqlite3")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "notes").write_text("no database " * 100, encoding="utf-8")
    with pytest.raises(StoreError, match="notes: cannot be read as a store"):
        kept_games(tmp_path / "notes")
    sqlite3.connect(tmp_path / "empty").close()
    (tmp_path / "empty").touch()
    with pytest.raises(StoreError, match="no such table: games"):
        kept_games(tmp_path / "empty")


@pytest.mark.parametrize("damage", ["plies = 'many'", "ended_s = 1e18", "ended_s = 253402300800", "ended_s = 'NaN'"])
def test_a_damaged_record_is_named(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    store = Store(path)
    store.record_game(record("broken"))
    store.close()
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(f"UPDATE games SET {damage}")
    connection.close()
    with pytest.raises(StoreError, match="the record of game broken is damaged"):
        kept_games(path)
