"""A log file: written whole lines at a time, followed when it is renamed, rotated by size and age."""

from __future__ import annotations

import logging
import os
import time
from dataclasses import dataclass
from pathlib import Path

_DAY_S = 86_400


@dataclass(frozen=True, slots=True)
class Rotation:
    """When a file gives way to a new one, and how many old ones are kept (`bot.log.1` is the youngest).

    `max_bytes` 0 and `max_days` 0 mean never. Days are counted in UTC: with 1 a file holds one calendar day.
    """

    max_bytes: int = 0
    max_days: int = 0
    keep: int = 5


NO_ROTATION = Rotation()


class LogFile:
    """The file at `path`. Raises OSError where it cannot be opened."""

    def __init__(self, path: Path, rotation: Rotation = NO_ROTATION) -> None:
        self.name = str(path)
        self._path = path
        self._rotation = rotation
        self._rotates = True
        self._fd = self._open()
        self._written_s = os.fstat(self._fd).st_mtime

    def write(self, text: str) -> None:
        """Append the lines whole or not at all. Raises OSError."""
        data = text.encode("utf-8", "backslashreplace")
        self._follow()
        if self._is_due(len(data)):
            self._rotate()
        size = os.fstat(self._fd).st_size
        try:
            _write_all(self._fd, data)
        except OSError:
            self._shorten(size)
            raise
        self._written_s = time.time()

    def close(self) -> None:
        """Close the file."""
        os.close(self._fd)

    def _open(self) -> int:
        return os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)

    def _reopen(self) -> None:
        fd = self._open()
        os.close(self._fd)
        self._fd = fd

    def _rename_all(self) -> None:
        """Rename bot.log to bot.log.1, that to bot.log.2 and so on, closed: Windows renames no open file."""
        os.close(self._fd)
        try:
            for number in range(self._rotation.keep, 0, -1):
                older = self._numbered(number - 1)
                if older.exists():
                    older.replace(self._numbered(number))
            self._path.unlink(missing_ok=True)  # with keep 0
        finally:
            self._fd = self._open()

    def _follow(self) -> None:
        """Open the path anew when the file that is open is no longer there under its name, as after logrotate."""
        opened = os.fstat(self._fd)
        try:
            named = self._path.stat()
        except FileNotFoundError:
            self._reopen()
            return
        if (named.st_dev, named.st_ino) != (opened.st_dev, opened.st_ino):
            self._reopen()

    def _is_due(self, more_bytes: int) -> bool:
        size = os.fstat(self._fd).st_size
        if not self._rotates or size == 0:
            return False
        if self._rotation.max_bytes and size + more_bytes > self._rotation.max_bytes:
            return True
        period_s = self._rotation.max_days * _DAY_S
        return bool(period_s) and time.time() // period_s > self._written_s // period_s

    def _rotate(self) -> None:
        """Start a new file. A failure is logged once and ends the rotation."""
        try:
            self._rename_all()
        except OSError as error:
            self._rotates = False
            logging.getLogger(__name__).error("log file %s cannot be rotated and grows on: %s", self.name, error)

    def _numbered(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}") if number else self._path

    def _shorten(self, size: int) -> None:
        """Take back a line that was written in part; on what cannot be shortened (a device) it stays."""
        if os.fstat(self._fd).st_size > size:
            os.ftruncate(self._fd, size)


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
