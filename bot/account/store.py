"""What survives a restart, in one SQLite file: rate-limit windows, games played, opponents' cool-downs."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.errors import StoreError
from bot.lichess.rate_limits import Window
from bot.log import get_logger

log = get_logger(__name__)

_SCHEMA = """
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


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A finished game; `result` is "1-0", "0-1", "1/2-1/2" or "*", `ended_s` epoch seconds."""

    game_id: str
    opponent_id: str
    opponent_is_bot: bool
    color: str
    variant: str
    speed: str
    rated: bool
    status: str
    result: str
    plies: int
    ended_s: float


class Store:
    """One connection, shared by all threads behind a lock. Raises StoreError when it cannot be opened."""

    def __init__(self, path: Path | None = None) -> None:
        """`path` None keeps everything in memory only."""
        self._lock = threading.Lock()
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path or ":memory:", check_same_thread=False, timeout=5.0)
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=NORMAL")
            self._connection.executescript(_SCHEMA)
        except (sqlite3.Error, OSError) as error:
            raise StoreError(
                f"{path}: cannot be used as the store: {error}; name another file under `store:`"
            ) from error

    def windows(self) -> dict[str, Window]:
        """Rate-limit windows that are still closed, by name."""
        rows = self._query("SELECT name, until_s, strikes FROM windows WHERE until_s > ?", time.time())
        return {name: Window(until_s, strikes) for name, until_s, strikes in rows}

    def save_window(self, name: str, window: Window) -> None:
        """Keep one rate-limit window."""
        self._execute("REPLACE INTO windows VALUES (?, ?, ?)", name, window.until_s, window.strikes)

    def stream_opens(self) -> list[float]:
        """When the event stream was opened lately, epoch seconds, oldest first."""
        rows = self._query("SELECT value FROM notes WHERE name = 'stream_opens'")
        return [float(moment) for moment in json.loads(rows[0][0])] if rows else []

    def save_stream_opens(self, opens: list[float]) -> None:
        """Keep those times."""
        self._execute("REPLACE INTO notes VALUES ('stream_opens', ?)", json.dumps(opens))

    def record_game(self, game: GameRecord) -> None:
        """Keep a finished game; a repeated record of the same game replaces the first."""
        self._execute(
            "REPLACE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            game.game_id, game.opponent_id, game.opponent_is_bot, game.color, game.variant, game.speed, game.rated,
            game.status, game.result, game.plies, game.ended_s,
        )  # fmt: skip

    def games_since(self, since_s: float, opponent_id: str = "") -> list[GameRecord]:
        """Games that ended after `since_s` (epoch seconds), oldest first; of one opponent when named."""
        rows = self._query(
            "SELECT * FROM games WHERE ended_s > ? AND (? = '' OR opponent_id = ?) ORDER BY ended_s",
            since_s, opponent_id, opponent_id,
        )  # fmt: skip
        return [_game_record(row) for row in rows]

    def set_cool_down(self, user_id: str, until_s: float) -> None:
        """Leave a user alone until `until_s` (epoch seconds)."""
        self._execute("REPLACE INTO cool_downs VALUES (?, ?)", user_id, until_s)

    def cool_down_left_s(self, user_id: str) -> float:
        """Seconds for which a user is to be left alone; 0.0 for none."""
        rows = self._query("SELECT until_s FROM cool_downs WHERE user_id = ?", user_id)
        return max(0.0, float(rows[0][0]) - time.time()) if rows else 0.0

    def close(self) -> None:
        """Close the file; the store cannot be used after."""
        with self._lock:
            self._connection.close()

    def _execute(self, statement: str, *values: object) -> None:
        """Write. A full disk or a closed store costs the record, never the game that was about to be recorded."""
        try:
            with self._lock, self._connection:
                self._connection.execute(statement, values)
        except sqlite3.Error as error:
            log.error("store_write_failed", error=str(error), statement=statement.split(" VALUES")[0])

    def _query(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            with self._lock:
                return list(self._connection.execute(statement, values))
        except sqlite3.Error as error:
            raise StoreError(f"the store cannot be read: {error}") from error


def _game_record(row: tuple[Any, ...]) -> GameRecord:
    game_id, opponent_id, is_bot, color, variant, speed, rated, status, result, plies, ended_s = row
    return GameRecord(
        game_id, opponent_id, bool(is_bot), color, variant, speed, bool(rated), status, result, plies, ended_s
    )
