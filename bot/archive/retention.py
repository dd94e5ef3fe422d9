"""Removes what is older, or more, than the configuration wants to keep: games and PGN files."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

import structlog

from bot.settings import RetentionSettings

DAY_S = 86_400.0
FIRST_S = 3600.0  # nothing is removed before: the clock of a machine may be wrong after its start
EVERY_S = 6 * 3600.0
_TOLERANCE_S = 3600.0  # between our clock and the server's

log = structlog.get_logger(__name__)


def tidy(settings: RetentionSettings, pgn_folder: Path | None, connection: sqlite3.Connection) -> bool:
    """Remove what is too old or too much, unless the clock is in doubt; returns False: nothing is left to do.

    Runs on the store's thread, FIRST_S after the start and then every EVERY_S; see Store.repeat.
    """
    now_s, days = time.time(), settings.games_days
    if doubt := doubt_about_clock(connection, now_s, days * DAY_S):
        log.warning("retention_paused", reason=doubt, remedy="set the clock; a new game ends the doubt")
        return False
    before_s = now_s - days * DAY_S if days else 0.0
    games = _remove_games(connection, before_s, settings.games, keeps_due_pgn=pgn_folder is not None)
    files = _remove_pgn_files(connection, before_s)
    if games or files:
        log.info("old_games_removed", games=games, files=files, by_key="retention")
    return False


def _remove_games(connection: sqlite3.Connection, before_s: float, most: int, *, keeps_due_pgn: bool) -> int:
    """Remove games that ended before a moment or are too many, but none whose PGN is still to be written."""
    removed = connection.execute(
        "DELETE FROM games WHERE (ended_s < ? OR game_id NOT IN"
        " (SELECT game_id FROM games ORDER BY ended_s DESC, game_id LIMIT ?)) AND NOT (pgn_is_due AND ?)",
        (before_s, most or -1, keeps_due_pgn),
    ).rowcount
    if removed:
        connection.execute("DELETE FROM pgns WHERE game_id NOT IN (SELECT game_id FROM games)")
    return removed


def _remove_pgn_files(connection: sqlite3.Connection, before_s: float) -> int:
    """Remove the PGN files whose last game ended before a moment; one that others have written to stays."""
    removed = 0
    rows = connection.execute("SELECT path, size FROM pgn_files WHERE newest_s < ?", (before_s,)).fetchall()
    for name, size in rows:
        path = Path(name)
        if path.is_file() and path.stat().st_size != size:
            continue
        if not path.exists() or _remove(path):
            connection.execute("DELETE FROM pgn_files WHERE path = ?", (name,))
            removed += 1
    return removed


def doubt_about_clock(connection: sqlite3.Connection, now_s: float, oldest_s: float) -> str:
    """Return why the newest game contradicts the clock, "" if it does not.

    The server's clock has the start of a game, ours its end. `oldest_s` is the age from which games are removed (0:
    any): a clock that makes all games too old is more likely wrong than right.
    """
    newest = connection.execute("SELECT begun_s, ended_s, speed FROM games ORDER BY ended_s DESC LIMIT 1").fetchone()
    if newest is None:
        return ""
    begun_s, ended_s, speed = newest
    if ended_s > now_s + _TOLERANCE_S:
        return "the newest game ended in the future"
    if ended_s < begun_s - _TOLERANCE_S or (speed != "correspondence" and ended_s > begun_s + DAY_S):
        return "the clock was wrong when the newest game ended"
    if oldest_s and ended_s < now_s - oldest_s:
        return "even the newest game is older than retention.games_days"
    return ""


def _remove(path: Path) -> bool:
    """Remove a file; returns whether it is gone, after logging what failed."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        log.warning(
            "old_file_not_removed", file=str(path), error=str(error), remedy="remove it, or make its folder writable"
        )
        return False
    return True
