"""The store's file: its schema, and how it is opened, checked and moved aside."""

from __future__ import annotations

import codecs
import re
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from bot.errors import StoreError
from bot.log import get_logger

log = get_logger(__name__)

#: How long the start waits for a file that another program has locked.
OPEN_TIMEOUT_S = 20.0
#: How long one statement waits later on: writes are retried, and reads must not delay their caller.
BUSY_TIMEOUT_MS = 200
SCHEMA_VERSION = 5  # `PRAGMA user_version`
LATEST_S = 253_402_300_799  # the end of the year 9999, the last one that datetime knows

#: The constraints refuse what no reader could use, so that readers need not check it. `pgn_is_due`: the PGN is not in
#: its file yet. `pgn_files`: up to which byte the bot has written each file, and when its last game ended.
_SCHEMA = """
CREATE TABLE windows (name TEXT NOT NULL PRIMARY KEY, until_s MOMENT, strikes WHOLE);
CREATE TABLE notes (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE match_cool_downs (
    user_id TEXT NOT NULL, kind TEXT NOT NULL, until_s MOMENT, declines WHOLE, PRIMARY KEY (user_id, kind));
CREATE TABLE unfinished_games (game_id TEXT NOT NULL PRIMARY KEY, begun_s MOMENT);
CREATE TABLE search_notes (
    game_id TEXT NOT NULL, ply WHOLE, uci TEXT NOT NULL, score_cp INTEGER, mate_in INTEGER, depth INTEGER,
    source TEXT NOT NULL, PRIMARY KEY (game_id, ply));
CREATE TABLE games (
    game_id TEXT NOT NULL PRIMARY KEY, opponent_id TEXT NOT NULL, opponent TEXT NOT NULL, opponent_is_bot WHOLE,
    color TEXT NOT NULL, variant TEXT NOT NULL, speed TEXT NOT NULL, rated WHOLE, status TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('', 'win', 'draw', 'loss')), plies WHOLE, begun_s MOMENT, ended_s MOMENT,
    my_rating INTEGER, opponent_rating INTEGER, eco TEXT NOT NULL, opening TEXT NOT NULL, pgn_is_due WHOLE);
CREATE TABLE pgns (game_id TEXT NOT NULL PRIMARY KEY, pgn TEXT NOT NULL);
CREATE TABLE pgn_files (path TEXT NOT NULL PRIMARY KEY, size WHOLE, newest_s MOMENT);
CREATE INDEX games_by_end ON games (ended_s, outcome);
CREATE INDEX games_by_opponent ON games (opponent_id, ended_s, outcome);
CREATE INDEX games_with_due_pgn ON games (ended_s) WHERE pgn_is_due;
"""
#: Tables that are small, so that they can be checked at every start. A damage of the others is noticed when it is read.
_CHECKED_TABLES = ("windows", "notes", "match_cool_downs", "unfinished_games", "search_notes")


class DamagedStoreError(sqlite3.DatabaseError):
    """The store failed its check."""


def is_damage(error: Exception) -> bool:
    """Return whether the error says that the file is damaged, not that it is locked or that the disk is full."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return isinstance(error, DamagedStoreError) or code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def check(connection: sqlite3.Connection, table: str = "") -> None:
    """Check one table, or the whole store. Raises DamagedStoreError."""
    argument = f"({table})" if table else "(1)"
    ((verdict, *_rest),) = connection.execute(f"PRAGMA quick_check{argument}").fetchmany(1)
    if verdict != "ok":
        raise DamagedStoreError(str(verdict).replace("\n", " "))


def open_store(path: Path | None) -> sqlite3.Connection:
    """Open the file (None: memory only); a damaged store and one of an older version are moved aside.

    The connection is in autocommit mode and may be used from any thread. Raises StoreError.
    """
    try:
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            _move_older_aside(path)
        return _opened(path)
    except (sqlite3.OperationalError, OSError) as error:
        raise _unusable(path, error) from error
    except sqlite3.DatabaseError as error:
        if path is None or _is_text(path):  # another program's file, not a damaged store
            raise _unusable(path, error) from error
        move_damaged_aside(path, error)
    try:
        return _opened(path)
    except sqlite3.Error as error:
        raise _unusable(path, error) from error


def connect(path: Path | str | None, timeout_s: float = OPEN_TIMEOUT_S) -> sqlite3.Connection:
    """Return a connection to a file, a `file:` address or memory (None), in autocommit mode and for any thread.

    Bytes that are not UTF-8 are replaced when read.
    """
    is_address = isinstance(path, str)
    connection = sqlite3.connect(
        path or ":memory:", check_same_thread=False, timeout=timeout_s, isolation_level=None, uri=is_address
    )
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    return connection


def _opened(path: Path | None) -> sqlite3.Connection:
    connection = connect(path)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        if version_of(connection) == 0:
            _create(connection)
        for table in _CHECKED_TABLES:
            check(connection, table)
        connection.execute("SELECT 1 FROM games, pgns, pgn_files LIMIT 0")
        connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
    except BaseException:
        connection.close()
        raise
    return connection


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    with connection:  # commits, or rolls back on an error
        for statement in _statements():
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")


def _statements() -> list[str]:
    """Return the statements of the schema, with the two types of columns that it defines spelled out."""
    moment = f"\\1 REAL NOT NULL CHECK (typeof(\\1) = 'real' AND \\1 BETWEEN 0 AND {LATEST_S})"
    whole = r"\1 INTEGER NOT NULL CHECK (typeof(\1) = 'integer')"
    text = re.sub(r"(\w+) WHOLE", whole, re.sub(r"(\w+) MOMENT", moment, _SCHEMA))
    return [statement for statement in text.split(";") if statement.strip()]


def version_of(connection: sqlite3.Connection) -> int:
    """Return the version of a store's schema, 0 for a file without tables, -1 for tables without a version."""
    ((version,),) = connection.execute("PRAGMA user_version").fetchall()
    ((tables,),) = connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchall()
    return -1 if tables and not version else int(version)


def _move_older_aside(path: Path) -> None:
    """Move a store of an older version aside. Raises StoreError for one of a newer version."""
    if not path.is_file():
        return
    with closing(connect(path)) as connection:
        version = version_of(connection)
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"{path}: was written by a newer version of bot88 (schema {version}, this one knows {SCHEMA_VERSION}); "
            "upgrade bot88, or name another file under `store:`"
        )
    if version not in (0, SCHEMA_VERSION):
        aside = _move_aside(path, f"schema-{max(0, version)}")
        log.warning(
            "older_store_moved_aside",
            file=str(path),
            moved_to=str(aside),
            remedy="nothing to do: a new store was started; the PGN files and the old store still hold the old games",
        )


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


def move_damaged_aside(path: Path, error: sqlite3.Error) -> None:
    """Rename a damaged store, so that a new one can be started. Raises StoreError."""
    try:
        aside = _move_aside(path, "damaged")
    except OSError as failure:
        raise _unusable(path, failure) from error
    log.error(
        "store_damaged",
        file=str(path),
        error=str(error),
        moved_to=str(aside),
        remedy=f"a new store was started; `sqlite3 {aside.name} .recover` may save what the old one held",
    )


def _move_aside(path: Path, reason: str) -> Path:
    """Rename the file and the files of its journal; returns the new path."""
    aside = path.with_name(f"{path.name}.{reason}-{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}")
    for suffix in ("", "-wal", "-shm"):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(aside.with_name(aside.name + suffix))
    return aside


def _unusable(path: Path | None, error: Exception) -> StoreError:
    return StoreError(f"{path}: cannot be used as the store: {error}; name another file under `store:`")
