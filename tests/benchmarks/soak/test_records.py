"""What the bot left on the disk is read as it is there."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from benchmarks.soak.evidence import KeptGame, Records, Search, outputs, read_records, read_searches


def test_nothing_is_there_before_the_bot_has_written(tmp_path: Path) -> None:
    assert read_records(tmp_path / "store.sqlite3", tmp_path / "pgn") == Records()
    assert read_searches(tmp_path / "engine.log") == []


def test_store_and_pgn_are_read(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "store.sqlite3")) as store, store:
        store.execute("CREATE TABLE games (game_id, status, outcome, color, plies)")
        store.execute("CREATE TABLE unfinished_games (game_id, begun_s)")
        store.execute("INSERT INTO games VALUES ('abc', 'mate', 'loss', 'black', 3)")
        store.execute("INSERT INTO unfinished_games VALUES ('open', 1.5)")
    (tmp_path / "pgn").mkdir()
    game = '[Event "Casual"]\n[Site "http://127.0.0.1:1/abc"]\n[Result "1-0"]\n\n1. e4 1-0\n\n'
    (tmp_path / "pgn" / "2026-11.pgn").write_text(game * 2, encoding="utf-8")
    records = read_records(tmp_path / "store.sqlite3", tmp_path / "pgn")
    assert records == Records((KeptGame("abc", "mate", "1-0", 3),), ("open",), {"abc": ("1-0", "1-0")})


def test_the_log_of_the_engines_is_read(tmp_path: Path) -> None:
    log = tmp_path / "engine.log"
    log.write_text("12.500 88 first 0 0 e2e4\n13.000 88 next 2 99 d2d4\n", encoding="ascii")
    assert read_searches(log) == [Search(88, 12.5, True, 0, 0, "e2e4"), Search(88, 13.0, False, 2, 99, "d2d4")]


def test_every_file_is_an_output(tmp_path: Path) -> None:
    (tmp_path / "pgn").mkdir()
    (tmp_path / "pgn" / "a.pgn").write_bytes(b"1")
    (tmp_path / "bot.log").write_bytes(b"2")
    assert dict(outputs(tmp_path)) == {"bot.log": b"2", "pgn/a.pgn": b"1"}
