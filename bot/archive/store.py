"""The store: what survives a restart, in one SQLite file.

Finished games, rate limits, lists of users, what matchmaking remembers of other bots. Reads raise StoreError.
"""

from __future__ import annotations

import json
import math
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from bot.archive.database import Database
from bot.archive.game_record import COLUMNS, GameRecord, select_games
from bot.archive.pgn_file import PgnFolder
from bot.archive.store_file import SCHEMA_VERSION, connect, version_of
from bot.errors import StoreError
from bot.events.game import Outcome
from bot.lichess.rate_limits import Window
from bot.log import get_logger

#: Ply, move, score in centipawns or moves to mate for the mover, depth, and what chose the move.
SearchNote = tuple[int, str, int | None, int | None, int | None, str]
_KEEP_THE_FIRST = "ON CONFLICT (game_id) DO NOTHING"

log = get_logger(__name__)


@dataclass(frozen=True)
class CoolDown:
    """Not to be asked until `until_s` (epoch seconds), after so many declines of the kind in a row."""

    until_s: float
    declines: int


class Store(Database):
    """Every method may be called from any thread. Raises StoreError when it cannot be opened."""

    def __init__(self, path: Path | None = None, pgn_folder: PgnFolder | None = None) -> None:
        """`path` None keeps everything in memory only, `pgn_folder` None writes no PGN files."""
        super().__init__(path)
        self._pgn_job = self.repeat("pgn", pgn_folder.write_next, 0.0, math.inf) if pgn_folder is not None else None

    def insert_game(self, connection: sqlite3.Connection, game: GameRecord) -> None:
        """Keep a finished game, within a transaction of the store's thread."""
        values = (*game.row, bool(game.pgn))
        names = f"{', '.join(COLUMNS)}, pgn_is_due"
        marks = ", ".join("?" * len(values))
        connection.execute(f"INSERT INTO games ({names}) VALUES ({marks}) {_KEEP_THE_FIRST}", values)
        if game.pgn:
            connection.execute(f"INSERT INTO pgns VALUES (?, ?) {_KEEP_THE_FIRST}", (game.game_id, game.pgn))
        forget_unfinished(connection, game.game_id)
        if self._pgn_job is not None:
            self.wake(self._pgn_job)

    def games(self, since_s: float = 0.0, *, newest: int = 0) -> list[GameRecord]:
        """Return finished games without their PGN, oldest first; see select_games."""
        return self.read(lambda connection: select_games(connection, since_s=since_s, newest=newest))

    def game(self, game_id: str) -> GameRecord | None:
        """Return a finished game with its PGN, None for one that is not kept."""
        found = self.read(lambda connection: select_games(connection, game_id=game_id, with_pgn=True))
        return found[0] if found else None

    def outcomes(self, since_s: float = 0.0, opponent_id: str = "") -> Counter[Outcome | None]:
        """Count the games that ended after `since_s` (epoch seconds) by their outcome; of one opponent when named."""
        condition, values = (" AND opponent_id = ?", (opponent_id,)) if opponent_id else ("", ())
        rows = self.rows(
            f"SELECT outcome, COUNT(*) FROM games WHERE ended_s > ?{condition} GROUP BY outcome", since_s, *values
        )
        return Counter({Outcome(outcome) if outcome else None: count for outcome, count in rows})

    def note_begun(self, game_id: str) -> None:
        """Remember a game that began, until it is recorded or forgotten."""
        self.execute("INSERT OR IGNORE INTO unfinished_games VALUES (?, ?)", game_id, time.time())

    def unfinished_games(self) -> list[str]:
        """Return the games that began and are not recorded, oldest first."""
        return [str(game_id) for (game_id,) in self.rows("SELECT game_id FROM unfinished_games ORDER BY begun_s")]

    def windows(self) -> dict[str, Window]:
        """Return the rate-limit windows that are still closed, by name."""
        rows = self.rows("SELECT name, until_s, strikes FROM windows WHERE until_s > ?", time.time())
        return {name: Window(until_s, strikes) for name, until_s, strikes in rows}

    def save_window(self, name: str, window: Window) -> None:
        """Keep one rate-limit window."""
        self.execute(
            "REPLACE INTO windows VALUES (?, ?, ?)", name, window.until_s, window.strikes, key=("windows", name)
        )

    def stream_opens(self) -> list[float]:
        """Return when the event stream was opened lately, epoch seconds, oldest first."""
        return self.noted("stream_opens", _finite)

    def save_stream_opens(self, opens: list[float]) -> None:
        """Keep those times."""
        self.note("stream_opens", opens)

    def note(self, name: str, values: list[float] | list[str]) -> None:
        """Keep a list under a name."""
        self.execute("REPLACE INTO notes VALUES (?, ?)", name, json.dumps(values), key=("notes", name))

    def noted(self, name: str, read: Callable[[object], Any]) -> list[Any]:
        """Return a list kept by `note`, each value through `read`; empty if it is missing or cannot be read."""
        rows = self.rows("SELECT value FROM notes WHERE name = ?", name)
        try:
            return [read(value) for value in json.loads(rows[0][0])] if rows else []
        except (TypeError, ValueError, OverflowError, RecursionError) as error:
            log.warning("store_value_ignored", name=name, error=str(error))
            return []

    def match_cool_downs(self, user_id: str) -> dict[str, CoolDown]:
        """Return what matchmaking is not to ask a bot for, by kind, lapsed ones included."""
        rows = self.rows("SELECT kind, until_s, declines FROM match_cool_downs WHERE user_id = ?", user_id)
        return {kind: CoolDown(until_s, declines) for kind, until_s, declines in rows}

    def save_match_cool_down(self, user_id: str, kind: str, cool_down: CoolDown) -> None:
        """Keep one."""
        self.execute("REPLACE INTO match_cool_downs VALUES (?, ?, ?, ?)", user_id, kind, *astuple(cool_down))

    def clear_match_cool_downs(self, user_id: str) -> None:
        """Forget all of one bot."""
        self.execute("DELETE FROM match_cool_downs WHERE user_id = ?", user_id)


def insert_search_note(connection: sqlite3.Connection, game_id: str, note: SearchNote) -> None:
    """Keep a note, in place of an earlier one of the same ply."""
    connection.execute(f"REPLACE INTO search_notes VALUES (?{', ?' * len(note)})", (game_id, *note))


def search_notes(connection: sqlite3.Connection, game_id: str) -> list[SearchNote]:
    """Return the notes of a game that has not been recorded, by ply."""
    return connection.execute(
        "SELECT ply, uci, score_cp, mate_in, depth, source FROM search_notes WHERE game_id = ? ORDER BY ply", (game_id,)
    ).fetchall()


def has_game(connection: sqlite3.Connection, game_id: str) -> bool:
    """Whether a game is recorded."""
    return connection.execute("SELECT 1 FROM games WHERE game_id = ?", (game_id,)).fetchone() is not None


def forget_unfinished(connection: sqlite3.Connection, game_id: str) -> None:
    """Forget a game that began, and the notes of its moves: it is recorded, or there is nothing to record."""
    connection.execute("DELETE FROM unfinished_games WHERE game_id = ?", (game_id,))
    connection.execute("DELETE FROM search_notes WHERE game_id = ?", (game_id,))


def read_games(path: Path, **selection: Any) -> list[GameRecord]:
    """Return finished games of a store's file, which a bot may have open; `selection` as for select_games.

    Nothing is written and nobody is delayed. Raises StoreError if the file is missing or no store of this version.
    """
    if not path.is_file():
        raise StoreError(f"{path}: there is no such file; the first `bot88 run` makes it")
    try:
        with closing(connect(f"{path.resolve().as_uri()}?mode=ro")) as connection:
            if version_of(connection) not in (0, SCHEMA_VERSION):
                raise StoreError(f"{path}: is a store of another version of bot88; `bot88 run` starts a new one")
            return select_games(connection, **selection)
    except (sqlite3.Error, ValueError) as error:
        raise StoreError(f"{path}: cannot be read as a store of this version: {error}") from error


def _finite(value: object) -> float:
    number = float(value)  # type: ignore[arg-type]  # the caller handles what is not a number
    if not math.isfinite(number):
        raise ValueError(f"{number} is not a time")
    return number
