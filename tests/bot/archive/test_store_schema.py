"""The store's file: migrated from every version, moved aside when it is damaged, refused when it is somebody else's."""

from __future__ import annotations

import sqlite3
import threading
import time
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.archive.kept_games import KeptGame, kept_games
from bot.archive.search_note import SearchNote
from bot.archive.store import GameRecord, Store
from bot.archive.store_schema import MIGRATIONS
from bot.errors import StoreError

#: The schema before it was numbered, as bot88 0.1.0 made it.
VERSION_0 = """
CREATE TABLE IF NOT EXISTS windows (name TEXT PRIMARY KEY, until_s REAL NOT NULL, strikes INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS cool_downs (user_id TEXT PRIMARY KEY, until_s REAL NOT NULL);
CREATE TABLE IF NOT EXISTS games (
    game_id TEXT PRIMARY KEY, opponent_id TEXT NOT NULL, opponent_is_bot INTEGER NOT NULL, color TEXT NOT NULL,
    variant TEXT NOT NULL, speed TEXT NOT NULL, rated INTEGER NOT NULL, status TEXT NOT NULL, result TEXT NOT NULL,
    plies INTEGER NOT NULL, ended_s REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS games_by_opponent ON games (opponent_id, ended_s);
"""
#: What versions 1 to 3 added, before games had ratings and openings, and moves had notes.
VERSION_3 = """
ALTER TABLE games ADD COLUMN pgn TEXT NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN pgn_written INTEGER NOT NULL DEFAULT 0;
CREATE INDEX games_without_pgn ON games (ended_s) WHERE pgn_written = 0 AND pgn != '';
CREATE TABLE unfinished_games (game_id TEXT PRIMARY KEY, begun_s REAL NOT NULL);
CREATE TABLE match_cool_downs (
    user_id TEXT NOT NULL, kind TEXT NOT NULL, until_s REAL NOT NULL, declines INTEGER NOT NULL,
    PRIMARY KEY (user_id, kind));
CREATE TABLE match_games (game_id TEXT PRIMARY KEY, begun_s REAL NOT NULL);
PRAGMA user_version=3;
"""
OLD_GAME = GameRecord("oldgame1", "ann", True, "black", "standard", "blitz", True, "mate", "0-1", 40, 100.0)


def version_of(path: Path) -> int:
    connection = sqlite3.connect(path)
    ((version,),) = connection.execute("PRAGMA user_version").fetchall()
    connection.close()
    return int(version)


@pytest.fixture
def old_store(tmp_path: Path) -> Path:
    """A store as today's version left it, with one of everything."""
    path = tmp_path / "store.sqlite3"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.executescript(VERSION_0)
    connection.execute("INSERT INTO windows VALUES ('challenge', ?, 2)", (time.time() + 100,))
    connection.execute("INSERT INTO notes VALUES ('stream_opens', '[1.5, 2.5]')")
    connection.execute("INSERT INTO cool_downs VALUES ('ann', ?)", (time.time() + 100,))
    connection.execute(
        "INSERT INTO games VALUES ('oldgame1','ann',1,'black','standard','blitz',1,'mate','0-1',40,100.0)"
    )
    connection.commit()
    connection.close()
    return path


def test_a_store_of_version_0_is_migrated_with_all_it_holds(old_store: Path) -> None:
    for _ in range(2):
        store = Store(old_store)
        assert store.games_since(0.0) == [OLD_GAME]
        assert store.windows()["challenge"].strikes == 2
        assert store.stream_opens() == [1.5, 2.5]
        assert store.cool_down_left_s("ann") > 50
        assert store.games_without_pgn() == []  # of games before the migration no PGN is made up
        assert store.unfinished_games() == []
        store.close()
        assert version_of(old_store) == len(MIGRATIONS)


def test_a_store_of_version_3_is_migrated_with_all_it_holds(old_store: Path) -> None:
    """Its games have neither ratings nor openings, but their PGN; a game that runs on gets notes of its moves."""
    connection = sqlite3.connect(old_store)
    connection.executescript(VERSION_3)
    connection.execute("UPDATE games SET pgn = '1. e4 0-1', pgn_written = 1")
    connection.execute("INSERT INTO unfinished_games VALUES ('running1', 5.0)")
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match="older version of bot88; the next `bot88 run` brings it up to date"):
        kept_games(old_store)
    note = SearchNote(7, "e2e4", -5, None, 20, "engine88")
    for _ in range(2):
        store = Store(old_store)
        assert store.games_since(0.0) == [OLD_GAME]
        assert store.unfinished_games() == ["running1"]
        store.keep_search_note("running1", note)
        assert store.search_notes("running1") == [note]
        store.close()
        assert version_of(old_store) == len(MIGRATIONS)
    assert kept_games(old_store) == [KeptGame(OLD_GAME, "1. e4 0-1")]


def test_a_store_is_copied_before_it_is_migrated_and_only_then(old_store: Path) -> None:
    copy = old_store.with_name("store.sqlite3.schema-0")
    with capture_logs() as logs:
        Store(old_store).close()
    (line,) = [line for line in logs if line["event"] == "store_migrated"]
    assert (line["from_schema"], line["to_schema"], line["copy"]) == (0, len(MIGRATIONS), str(copy))
    assert version_of(copy) == 0
    copy.unlink()
    Store(old_store).close()
    assert not copy.exists()
    Store(copy.with_name("new.sqlite3")).close()
    assert not list(copy.parent.glob("new.sqlite3.schema-*"))  # a new store has nothing to lose


def test_one_can_go_back_to_the_copy(old_store: Path) -> None:
    Store(old_store).close()
    old_store.with_name("store.sqlite3.schema-0").replace(old_store)
    store = Store(old_store)
    assert store.games_since(0.0) == [OLD_GAME]
    store.close()


def test_without_the_copy_nothing_is_migrated(old_store: Path) -> None:
    (old_store.parent / "store.sqlite3.schema-0").mkdir()
    with pytest.raises(StoreError, match=r"schema-0: the store cannot be copied .* free the disk"):
        Store(old_store)
    assert version_of(old_store) == 0


def test_a_migration_that_fails_changes_nothing(old_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = (*MIGRATIONS, ("CREATE TABLE extra (a)", "CREATE TABLE extra (a)"))
    monkeypatch.setattr("bot.archive.store_schema.MIGRATIONS", broken)
    with pytest.raises(StoreError, match="extra already exists"):
        Store(old_store)
    assert version_of(old_store) == len(MIGRATIONS)
    monkeypatch.undo()
    store = Store(old_store)
    assert store.games_since(0.0) == [OLD_GAME]
    store.close()


def test_a_store_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version=99")
    connection.close()
    with pytest.raises(StoreError, match=r"newer version of bot88 \(schema 99.*upgrade"):
        Store(path)


def damage(path: Path, kind: str) -> None:
    """Damage a store's file."""
    data = bytearray(path.read_bytes())
    if kind == "zeroed header":
        data[:100] = bytes(100)
    elif kind == "garbage header":
        data[:100] = bytes(range(150, 250))
    elif kind == "garbage pages":
        data[4096:] = bytes(index * 37 % 256 for index in range(len(data) - 4096))
    else:
        del data[len(data) // 2 + 100 :]
    path.write_bytes(data)


@pytest.mark.parametrize("kind", ["zeroed header", "garbage header", "garbage pages", "truncated"])
def test_a_damaged_store_is_moved_aside_with_one_line(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "store.sqlite3"
    store = Store(path)
    store.record_game(OLD_GAME)
    store.close()
    damage(path, kind)
    damaged = path.read_bytes()
    with capture_logs() as logged:
        again = Store(path)
    (line,) = logged
    assert (line["event"], line["file"]) == ("store_damaged", str(path))
    assert Path(line["moved_to"]).read_bytes() == damaged
    assert again.games_since(0.0) == []
    again.record_game(OLD_GAME)
    assert again.games_since(0.0) == [OLD_GAME]
    again.close()


def test_a_text_file_is_refused_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "notizen.txt"
    path.write_text("für später: nichts, und lang genug, um gelesen zu werden " * 20, encoding="utf-8")
    with pytest.raises(StoreError, match=r"notizen\.txt.*store:"):
        Store(path)
    assert path.read_text(encoding="utf-8").startswith("für später")


def test_the_start_waits_for_a_lock(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    Store(path).close()
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("PRAGMA locking_mode=EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    threading.Timer(1.0, other.close).start()
    store = Store(path)
    assert store.games_since(0.0) == []
    store.close()
