"""PGN files: each game is appended whole or not at all, and never twice."""

from __future__ import annotations

import os
import re
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

#: What shares a file: the games of a month (UTC, by their end), of an opponent, all of them, or none.
Group = Literal["game", "opponent", "month", "all"]
_LONGEST_NAME = 64
_BLANK_LINE = b"\n\n"
_CHUNK = 1 << 20


class PgnFolder:
    """Writes the games of the store into files; the store knows what has been written."""

    def __init__(self, folder: Path, group: Group = "month") -> None:
        """Write nothing yet."""
        self._folder = folder
        self._group = group

    def write_next(self, connection: sqlite3.Connection) -> bool:
        """Write the oldest game whose PGN is not in its file; returns whether there was one. Raises OSError."""
        row = connection.execute(
            "SELECT game_id, opponent_id, ended_s, pgn FROM games JOIN pgns USING (game_id)"
            " WHERE pgn_is_due ORDER BY ended_s, game_id LIMIT 1"
        ).fetchone()
        if row is None:
            return False
        game_id, opponent_id, ended_s, pgn = row
        path = self._folder / f"{self._name_of(game_id, opponent_id, ended_s)}.pgn"
        known = connection.execute("SELECT size FROM pgn_files WHERE path = ?", (str(path),)).fetchone()
        size = append_game(path, pgn, known[0] if known else 0)
        connection.execute("UPDATE games SET pgn_is_due = 0 WHERE game_id = ?", (game_id,))
        connection.execute(
            "INSERT INTO pgn_files VALUES (?, ?, ?) ON CONFLICT (path)"
            " DO UPDATE SET size = excluded.size, newest_s = MAX(newest_s, excluded.newest_s)",
            (str(path), size, ended_s),
        )
        return True

    def _name_of(self, game_id: str, opponent_id: str, ended_s: float) -> str:
        """Return the name of a game's file, without the ending."""
        names = {
            "game": game_id,
            "opponent": opponent_id or "anonymous",
            "month": f"{datetime.fromtimestamp(ended_s, UTC):%Y-%m}",
            "all": "games",
        }
        return re.sub(r"[^A-Za-z0-9_-]", "_", names[self._group])[:_LONGEST_NAME]


def append_game(path: Path, pgn: str, known_size: int = 0) -> int:
    """Append one game unless the file has it; returns the file's size.

    `pgn` is the whole game without the blank line after it; its tag `Site` is that of no other game. Only what lies
    behind `known_size` is read. The start of this game that a killed process left at the end of the file is removed
    first. Raises OSError; the file is then as it was.
    """
    data = pgn.encode("utf-8") + _BLANK_LINE
    site = re.search(rb'^\[Site "[^\n]*\n', data, re.MULTILINE)
    path.parent.mkdir(parents=True, exist_ok=True)
    fd = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
    try:
        size = _remove_torn_start(fd, data)
        if _contains_line(fd, site[0] if site else data, known_size if known_size <= size else 0):
            return size
        new = _separator(fd, size) + data
        try:
            _write_all(fd, size, new)
            os.fsync(fd)
        except OSError:
            os.ftruncate(fd, size)
            raise
        return size + len(new)
    finally:
        os.close(fd)


def _remove_torn_start(fd: int, data: bytes) -> int:
    """Cut off the part of `data`, less than the whole, that the file ends with; returns the file's size."""
    size = os.fstat(fd).st_size
    tail = _read(fd, max(0, size - len(data)), len(data))
    if tail == data:
        return size
    for length in range(min(len(tail), len(data) - 1), 0, -1):
        if tail.endswith(data[:length]):
            os.ftruncate(fd, size - length)
            return size - length
    return size


def _contains_line(fd: int, line: bytes, offset: int) -> bool:
    """Whether the file has this line, which ends with a line feed, behind an offset at which a line begins."""
    kept = b"\n"
    while chunk := _read(fd, offset, _CHUNK):
        if b"\n" + line in kept + chunk:
            return True
        kept = (kept + chunk)[-len(line) :]
        offset += len(chunk)
    return False


def _separator(fd: int, size: int) -> bytes:
    """What must come before a new game: nothing, or the end of a line and of a game that somebody left out."""
    if size == 0 or _read(fd, max(0, size - 2), 2) == _BLANK_LINE:
        return b""
    return _BLANK_LINE


def _read(fd: int, offset: int, count: int) -> bytes:
    os.lseek(fd, offset, os.SEEK_SET)
    data = b""
    while len(data) < count and (more := os.read(fd, count - len(data))):
        data += more
    return data


def _write_all(fd: int, offset: int, data: bytes) -> None:
    os.lseek(fd, offset, os.SEEK_SET)
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
