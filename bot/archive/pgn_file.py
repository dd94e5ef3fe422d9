"""Appending a game to a PGN file: whole or not at all, and never twice."""

from __future__ import annotations

import os
from pathlib import Path

_BLANK_LINE = b"\n\n"
_CHUNK = 1 << 20


def append_game(path: Path, pgn: str, tag_line: str) -> None:
    """Append one game, unless the file has it.

    `pgn` is the whole game without the blank line after it; `tag_line` is the one of its header lines that no other
    game has. The start of this game that a killed process left at the end of the file is taken away first. Raises
    OSError; the file is then as it was.
    """
    data = pgn.encode("utf-8") + _BLANK_LINE
    path.parent.mkdir(parents=True, exist_ok=True)
    fd = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
    try:
        size = _remove_torn_start(fd, data)
        if _contains_line(fd, tag_line.encode("utf-8")):
            return
        try:
            _write_all(fd, size, _separator(fd, size) + data)
            os.fsync(fd)
        except OSError:
            os.ftruncate(fd, size)
            raise
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


def _contains_line(fd: int, line: bytes) -> bool:
    """Whether the file has this line."""
    wanted = line + b"\n"
    kept, offset = b"\n", 0
    while chunk := _read(fd, offset, _CHUNK):
        if b"\n" + wanted in kept + chunk:
            return True
        kept = (kept + chunk)[-len(wanted) - 1 :]
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
