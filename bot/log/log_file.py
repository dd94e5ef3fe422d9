"""A log file that rotates by size."""

from __future__ import annotations

import logging
import os
from logging.handlers import RotatingFileHandler, WatchedFileHandler
from pathlib import Path

from bot.log.console import write_all


class LogFile(RotatingFileHandler, WatchedFileHandler):
    """The file at `path`, of at most `max_bytes` (0: no limit). Raises OSError if it cannot be opened.

    RotatingFileHandler renames, WatchedFileHandler reopens a file that another program has renamed. What they cannot do
    is here: whole lines on a disk that fills up, and a rotation that fails without losing a line.
    """

    def __init__(self, path: Path, max_bytes: int = 0, keep: int = 5) -> None:
        """`keep`: how many old files are kept; `bot.log.1` is the youngest."""
        super().__init__(path, maxBytes=max_bytes, backupCount=keep, encoding="utf-8")
        self.name = str(path)
        self.dev = self.ino = -1  # WatchedFileHandler then opens the file at the first line

    def write(self, text: str) -> None:
        """Append the lines whole or not at all. Raises OSError."""
        data = text.encode("utf-8", "backslashreplace")
        self.reopenIfNeeded()  # the open file is no longer there, as after logrotate
        if self._is_due(len(data)):
            self._start_new_file()
        fd = self._fd
        size = os.fstat(fd).st_size
        try:
            write_all(fd, data)
        except OSError:
            if os.fstat(fd).st_size > size:  # a line was written in part; on a device it stays
                os.ftruncate(fd, size)
            raise

    @property
    def _fd(self) -> int:
        assert self.stream is not None  # it is only between the two halves of a rotation
        return self.stream.fileno()

    def _is_due(self, more_bytes: int) -> bool:
        size = os.fstat(self._fd).st_size
        return bool(size and self.maxBytes) and size + more_bytes > self.maxBytes

    def _start_new_file(self) -> None:
        """Rotate. A failure is logged once and ends the rotation."""
        if not self.backupCount:
            os.ftruncate(self._fd, 0)
            return
        try:
            self.doRollover()
        except OSError as error:
            self.maxBytes = 0
            logging.getLogger(__name__).error("log file %s cannot be rotated and keeps growing: %s", self.name, error)
        finally:
            self.stream = self.stream or self._open()
