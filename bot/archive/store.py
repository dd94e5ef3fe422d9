"""What survives a restart, in one SQLite file: rate-limit windows, games played, opponents' cool-downs.

No caller waits for a write: they are queued and retried until they are kept (see write_queue). A value that cannot be
read is ignored with one line in the log.
"""

from __future__ import annotations

import json
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from bot.archive.database import Database
from bot.archive.game_record import COLUMNS, GameRecord, record_of
from bot.archive.search_note import SearchNote
from bot.archive.write_queue import Statement
from bot.lichess.rate_limits import Window

__all__ = ["GameRecord", "Store"]

#: Games whose results are queued or were written lately, known without a look at the disk.
QUEUED_REMEMBERED = 500
#: Statuses of a game that has not ended.
_RUNNING = "('created', 'started')"
_GAME_COLUMNS = ", ".join(COLUMNS)
_RECORD_GAME = (
    f"INSERT INTO games ({_GAME_COLUMNS}, pgn) VALUES ({', '.join('?' * (len(COLUMNS) + 1))})"
    f" ON CONFLICT (game_id) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in COLUMNS)},"
    " pgn = CASE WHEN pgn_written THEN pgn ELSE excluded.pgn END"
)


@dataclass(frozen=True)
class CoolDown:
    """Not to be asked until `until_s` (epoch seconds), after so many declines of the kind in a row."""

    until_s: float
    declines: int


class Store(Database):
    """One connection, shared by all threads behind a lock. Raises StoreError when it cannot be opened."""

    def __init__(self, path: Path | None = None) -> None:
        """`path` None keeps everything in memory only."""
        super().__init__(path)
        self._queued_games: OrderedDict[str, None] = OrderedDict()  # latest last
        self._noting = threading.Lock()

    def windows(self) -> dict[str, Window]:
        """Rate-limit windows that are still closed, by name."""
        found = {}
        for name, until_s, strikes in self._query("SELECT name, until_s, strikes FROM windows"):
            try:
                window = Window(_finite(until_s), int(strikes))
            except (ValueError, OverflowError) as error:
                self._ignore("windows", name, error)
                continue
            if window.until_s > time.time():
                found[str(name)] = window
        return found

    def save_window(self, name: str, window: Window) -> None:
        """Keep one rate-limit window."""
        self._execute("REPLACE INTO windows VALUES (?, ?, ?)", name, window.until_s, window.strikes)

    def stream_opens(self) -> list[float]:
        """When the event stream was opened lately, epoch seconds, oldest first."""
        return self.noted("stream_opens", _finite)

    def save_stream_opens(self, opens: list[float]) -> None:
        """Keep those times."""
        self.note("stream_opens", opens)

    def note(self, name: str, values: list[float] | list[str]) -> None:
        """Keep a list under a name."""
        self._execute("REPLACE INTO notes VALUES (?, ?)", name, json.dumps(values))

    def noted(self, name: str, read: Callable[[object], Any]) -> list[Any]:
        """Return a list kept by `note`, each value through `read`; empty where there is none that can be read."""
        rows = self._query("SELECT value FROM notes WHERE name = ?", name)
        try:
            return [read(value) for value in json.loads(rows[0][0])] if rows else []
        except (TypeError, ValueError, OverflowError, RecursionError) as error:
            self._ignore("notes", name, error)
            return []

    def note_begun(self, game_id: str) -> None:
        """Remember a game that began, until `note_finished` or `record_game`."""
        self._execute("INSERT OR IGNORE INTO unfinished_games VALUES (?, ?)", game_id, time.time())

    def note_finished(self, game_id: str) -> None:
        """Forget a game remembered by `note_begun`: its result is kept, or there is none to keep."""
        self._writes.put(_forget_begun(game_id), _forget_search_notes(game_id))

    def unfinished_games(self) -> list[str]:
        """The games that began and whose result is not kept, oldest first."""
        rows = self._query(
            "SELECT game_id, begun_s FROM unfinished_games"
            f" UNION SELECT game_id, ended_s FROM games WHERE status IN {_RUNNING} ORDER BY 2"
        )
        return [str(game_id) for game_id, _begun_s in rows]

    def has_finished_game(self, game_id: str) -> bool:
        """Whether the result of a game is kept, or queued to be."""
        if game_id in self._queued_games:
            return True
        return bool(self._query(f"SELECT 1 FROM games WHERE game_id = ? AND status NOT IN {_RUNNING}", game_id))

    def record_game(self, game: GameRecord, pgn: str = "") -> None:
        """Keep a finished game and its PGN; a repeated record of the same game replaces the first."""
        statements: list[Statement] = [(_RECORD_GAME, (*astuple(game), pgn)), _forget_begun(game.game_id)]
        if game.status not in ("created", "started"):
            self._note_queued(game.game_id)
            statements.append(_forget_search_notes(game.game_id))
        self._writes.put(*statements)

    def _note_queued(self, game_id: str) -> None:
        with self._noting:
            self._queued_games[game_id] = None
            while len(self._queued_games) > QUEUED_REMEMBERED:  # long since written
                self._queued_games.popitem(last=False)

    def keep_search_note(self, game_id: str, note: SearchNote) -> None:
        """Keep what is known about a move of ours until the game is kept; a later note of the same ply replaces it."""
        self._execute(f"REPLACE INTO search_notes VALUES (?{', ?' * 6})", game_id, *astuple(note))

    def search_notes(self, game_id: str) -> list[SearchNote]:
        """Return what was kept of a game that has not been recorded, by ply."""
        rows = self._query(
            "SELECT ply, uci, score_cp, mate_in, depth, source FROM search_notes WHERE game_id = ? ORDER BY ply",
            game_id,
        )
        return [SearchNote(*row) for row in rows]

    def games_since(self, since_s: float, opponent_id: str = "") -> list[GameRecord]:
        """Games that ended after `since_s` (epoch seconds), oldest first; of one opponent when named."""
        rows = self._query(
            f"SELECT {_GAME_COLUMNS} FROM games WHERE ended_s > ? AND (? = '' OR opponent_id = ?) ORDER BY ended_s",
            since_s, opponent_id, opponent_id,
        )  # fmt: skip
        return [record for row in rows if (record := self._game_record(row))]

    def remove_games(self, before_s: float, most: int) -> int:
        """Remove the finished games that ended before `before_s` (epoch seconds) and all but the `most` youngest.

        0 for either: no such limit. Returns how many are removed; the file keeps its size, the room is used again.
        """
        wanted = (
            f"FROM games WHERE status NOT IN {_RUNNING} AND (ended_s < ? OR game_id NOT IN"
            f" (SELECT game_id FROM games WHERE status NOT IN {_RUNNING} ORDER BY ended_s DESC, game_id LIMIT ?))"
        )
        limits = (before_s, most or -1)
        ((count,),) = self._query(f"SELECT COUNT(*) {wanted}", *limits)
        self._execute(f"DELETE {wanted}", *limits)
        return int(count)

    def games_without_pgn(self) -> list[tuple[GameRecord, str]]:
        """Games whose PGN is not yet in its file, with the PGN, oldest first."""
        rows = self._query(
            f"SELECT {_GAME_COLUMNS}, pgn FROM games WHERE pgn_written = 0 AND pgn != '' ORDER BY ended_s, game_id"
        )
        return [(record, str(row[-1])) for row in rows if (record := self._game_record(row[:-1]))]

    def note_pgn_written(self, game_id: str) -> None:
        """The file of PGN has the game."""
        self._execute("UPDATE games SET pgn_written = 1 WHERE game_id = ?", game_id)

    def match_cool_downs(self, user_id: str) -> dict[str, CoolDown]:
        """Return what matchmaking is not to ask a bot for, by kind, lapsed ones included."""
        found = {}
        rows = self._query("SELECT kind, until_s, declines FROM match_cool_downs WHERE user_id = ?", user_id)
        for kind, until_s, declines in rows:
            try:
                found[str(kind)] = CoolDown(_finite(until_s), int(declines))
            except (ValueError, OverflowError) as error:
                self._ignore("match_cool_downs", user_id, error)
        return found

    def save_match_cool_down(self, user_id: str, kind: str, cool_down: CoolDown) -> None:
        """Keep one."""
        self._execute("REPLACE INTO match_cool_downs VALUES (?, ?, ?, ?)", user_id, kind, *astuple(cool_down))

    def clear_match_cool_downs(self, user_id: str) -> None:
        """Forget all of one bot."""
        self._execute("DELETE FROM match_cool_downs WHERE user_id = ?", user_id)

    def match_games_since(self, since_s: float) -> int:
        """Count the games begun by matchmaking after `since_s` (epoch seconds)."""
        return int(self._query("SELECT COUNT(*) FROM match_games WHERE begun_s > ?", since_s)[0][0])

    def note_match_game(self, game_id: str, begun_s: float) -> None:
        """Count a game begun by matchmaking."""
        self._execute("REPLACE INTO match_games VALUES (?, ?)", game_id, begun_s)

    def set_cool_down(self, user_id: str, until_s: float) -> None:
        """Leave a user alone until `until_s` (epoch seconds)."""
        self._execute("REPLACE INTO cool_downs VALUES (?, ?)", user_id, until_s)

    def cool_down_left_s(self, user_id: str) -> float:
        """Seconds for which a user is to be left alone; 0.0 for none."""
        rows = self._query("SELECT until_s FROM cool_downs WHERE user_id = ?", user_id)
        try:
            return max(0.0, _finite(rows[0][0]) - time.time()) if rows else 0.0
        except ValueError as error:
            self._ignore("cool_downs", user_id, error)
            return 0.0

    def _game_record(self, row: tuple[Any, ...]) -> GameRecord | None:
        try:
            return record_of(row)
        except ValueError as error:
            self._ignore("games", row[0], error)
            return None


def _forget_begun(game_id: str) -> Statement:
    return "DELETE FROM unfinished_games WHERE game_id = ?", (game_id,)


def _forget_search_notes(game_id: str) -> Statement:
    return "DELETE FROM search_notes WHERE game_id = ?", (game_id,)


def _finite(value: object) -> float:
    number = float(value)  # type: ignore[arg-type]  # whatever it is, the caller handles what is no number
    if not math.isfinite(number):
        raise ValueError(f"{number} is no time")
    return number
