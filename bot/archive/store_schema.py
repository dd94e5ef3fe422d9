"""The store's file: opened, checked, moved aside when it is damaged, and migrated to the schema of today."""

from __future__ import annotations

import codecs
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from bot.errors import StoreError
from bot.log import get_logger

log = get_logger(__name__)

#: How long the start waits for a file that another program has locked.
OPEN_TIMEOUT_S = 20.0
#: How long one statement waits later on: writes are retried, reads must not hold up their caller.
BUSY_TIMEOUT_MS = 200

#: The statements that lead from each version (`PRAGMA user_version`) to the next. Never changed, only added to.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (  # version 0, which was not numbered, has the same tables: hence IF NOT EXISTS
        """CREATE TABLE IF NOT EXISTS windows (
            name TEXT PRIMARY KEY, until_s REAL NOT NULL, strikes INTEGER NOT NULL)""",
        "CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
        "CREATE TABLE IF NOT EXISTS cool_downs (user_id TEXT PRIMARY KEY, until_s REAL NOT NULL)",
        """CREATE TABLE IF NOT EXISTS games (
            game_id TEXT PRIMARY KEY, opponent_id TEXT NOT NULL, opponent_is_bot INTEGER NOT NULL, color TEXT NOT NULL,
            variant TEXT NOT NULL, speed TEXT NOT NULL, rated INTEGER NOT NULL, status TEXT NOT NULL,
            result TEXT NOT NULL, plies INTEGER NOT NULL, ended_s REAL NOT NULL)""",
        "CREATE INDEX IF NOT EXISTS games_by_opponent ON games (opponent_id, ended_s)",
    ),
    (  # the PGN of each game and whether its file has it; games that began and have not ended
        "ALTER TABLE games ADD COLUMN pgn TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE games ADD COLUMN pgn_written INTEGER NOT NULL DEFAULT 0",
        "CREATE INDEX games_without_pgn ON games (ended_s) WHERE pgn_written = 0 AND pgn != ''",
        "CREATE TABLE IF NOT EXISTS unfinished_games (game_id TEXT PRIMARY KEY, begun_s REAL NOT NULL)",
    ),
    (  # what matchmaking remembers of other bots, and the games it began
        """CREATE TABLE match_cool_downs (
            user_id TEXT NOT NULL, kind TEXT NOT NULL, until_s REAL NOT NULL, declines INTEGER NOT NULL,
            PRIMARY KEY (user_id, kind))""",
        "CREATE TABLE match_games (game_id TEXT PRIMARY KEY, begun_s REAL NOT NULL)",
    ),
    (  # ratings and opening of a game; what was known about our moves in games that have not ended
        "ALTER TABLE games ADD COLUMN my_rating INTEGER",
        "ALTER TABLE games ADD COLUMN opponent_rating INTEGER",
        "ALTER TABLE games ADD COLUMN eco TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE games ADD COLUMN opening TEXT NOT NULL DEFAULT ''",
        """CREATE TABLE search_notes (
            game_id TEXT NOT NULL, ply INTEGER NOT NULL, uci TEXT NOT NULL, score_cp INTEGER, mate_in INTEGER,
            depth INTEGER, source TEXT NOT NULL, PRIMARY KEY (game_id, ply))""",
    ),
)


def open_database(path: Path | None) -> sqlite3.Connection:
    """Open the file (None: memory only) at the schema of today; a damaged file is moved aside and begun anew.

    The connection is in autocommit mode and may be used from any thread. Raises StoreError.
    """
    try:
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        return _opened(path)
    except sqlite3.OperationalError as error:
        raise _unusable(path, error) from error
    except sqlite3.DatabaseError as error:
        if path is None or _is_text(path):  # somebody's file, not a store that was damaged
            raise _unusable(path, error) from error
        _move_aside(path, error)
    except OSError as error:
        raise _unusable(path, error) from error
    try:
        return _opened(path)
    except sqlite3.Error as error:
        raise _unusable(path, error) from error


def _opened(path: Path | None) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path or ":memory:", check_same_thread=False, timeout=OPEN_TIMEOUT_S, isolation_level=None
    )
    try:
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        ((verdict,),) = connection.execute("PRAGMA quick_check(1)").fetchall()
        if verdict != "ok":
            raise sqlite3.DatabaseError(str(verdict).replace("\n", " "))
        _migrate(connection, path)
        connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
    except BaseException:
        connection.close()
        raise
    return connection


def _migrate(connection: sqlite3.Connection, path: Path | None) -> None:
    ((version,),) = connection.execute("PRAGMA user_version").fetchall()
    if version > len(MIGRATIONS):
        raise StoreError(
            f"{path}: was written by a newer version of bot88 (schema {version}, this one knows {len(MIGRATIONS)}); "
            "upgrade bot88, or name another file under `store:`"
        )
    if version < len(MIGRATIONS):
        _copy_before_migration(connection, path, version)
    for number, statements in enumerate(MIGRATIONS[version:], version + 1):
        connection.execute("BEGIN IMMEDIATE")
        with connection:  # commits, or rolls back on an error
            for statement in statements:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version={number}")


def _copy_before_migration(connection: sqlite3.Connection, path: Path | None, version: int) -> None:
    """Keep the store as the older version left it, so that one can go back. Raises StoreError when that is impossible.

    A copy of the same version that is there already is replaced: it is of an earlier try.
    """
    ((tables,),) = connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchall()
    if path is None or tables == 0:  # a new store
        return
    copy = path.with_name(f"{path.name}.schema-{version}")
    try:
        copy.unlink(missing_ok=True)
        with closing(sqlite3.connect(copy)) as target:
            connection.backup(target)
    except (sqlite3.Error, OSError) as error:
        raise StoreError(
            f"{copy}: the store cannot be copied before it is changed for this version: {error}; "
            "free the disk, or make the folder writable"
        ) from error
    log.info("store_migrated", file=str(path), from_schema=version, to_schema=len(MIGRATIONS), copy=str(copy))


def _is_text(path: Path) -> bool:
    """Whether a file is readable text, which no database is; a directory or a device counts as text."""
    if not path.is_file():
        return True
    with path.open("rb") as file:
        start = file.read(512)
    try:
        codecs.getincrementaldecoder("utf-8")().decode(start)  # the last character may be cut
    except UnicodeDecodeError:
        return False
    return b"\0" not in start


def _move_aside(path: Path, error: sqlite3.Error) -> None:
    """Rename the file, and the files of its journal, so that a new one can be begun. Raises StoreError."""
    aside = path.with_name(f"{path.name}.damaged-{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}")
    try:
        for suffix in ("", "-wal", "-shm"):
            part = path.with_name(path.name + suffix)
            if part.exists():
                part.rename(aside.with_name(aside.name + suffix))
    except OSError as failure:
        raise _unusable(path, failure) from error
    log.error(
        "store_damaged",
        file=str(path),
        error=str(error),
        moved_to=str(aside),
        remedy=f"a new store was begun; `sqlite3 {aside.name} .recover` may save what the old one held",
    )


def _unusable(path: Path | None, error: Exception) -> StoreError:
    return StoreError(f"{path}: cannot be used as the store: {error}; name another file under `store:`")
