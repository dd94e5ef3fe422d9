"""The terminal that the bot runs on: its keys one by one, its screen by file descriptor, and its settings put back."""

from __future__ import annotations

import codecs
import contextlib
import os
import select
import signal
import sys
import termios
from typing import Any

from bot.log.console import write_all

_LOCAL_FLAGS = 3  # the place of the local flags in what termios gives
_CONTROL_CHARACTERS = 6
_DISABLED = b"\0"


def owns_terminal() -> bool:
    """Whether standard input and standard error are a terminal in whose foreground this process runs."""
    if sys.stdin is None or sys.stderr is None or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp() and os.environ.get("TERM", "dumb") != "dumb"
    except OSError:
        return False


class Terminal:
    """Reads keys unbuffered and without echo from `open` to `close`; Ctrl-C goes on to be a signal.

    Ctrl-Z is switched off, for a bot that is stopped loses its games on time. A process in the background that touches
    its terminal is stopped as well: the signals for it are ignored, and reading fails instead.
    """

    def __init__(self, fd: int | None = None) -> None:
        """`fd`: standard input, unless a test has another; for the main thread only."""
        self._fd = fd if fd is not None else sys.stdin.fileno()
        self._old: list[Any] | None = None
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._wake_read, self._wake_write = os.pipe()
        for number in (signal.SIGTTIN, signal.SIGTTOU):
            signal.signal(number, signal.SIG_IGN)

    def open(self) -> None:
        """Take the keys. Raises termios.error."""
        self._old = termios.tcgetattr(self._fd)
        new = termios.tcgetattr(self._fd)
        new[_LOCAL_FLAGS] &= ~(termios.ICANON | termios.ECHO)
        new[_CONTROL_CHARACTERS][termios.VSUSP] = _DISABLED
        termios.tcsetattr(self._fd, termios.TCSANOW, new)

    def read(self) -> str | None:
        """Wait for keys; None once the terminal is closed or gone."""
        ready, _, _ = select.select([self._fd, self._wake_read], [], [])
        if self._wake_read in ready:
            return None
        try:
            data = os.read(self._fd, 1024)
        except OSError:
            return None
        return self._decoder.decode(data) if data else None

    def stop_reading(self) -> None:
        """Let `read` return None from now on."""
        os.write(self._wake_write, b"x")

    def restore(self) -> None:
        """Put the settings back; harmless when repeated, or where the terminal is gone."""
        if self._old is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self._fd, termios.TCSANOW, self._old)


class Screen:
    """Standard error as a file for rich. It is written by its file descriptor: see bot.log.console."""

    encoding = "utf-8"

    def __init__(self, fd: int | None = None) -> None:
        """`fd`: the real standard error, unless a test has another."""
        self._fd = fd if fd is not None else sys.__stderr__.fileno() if sys.__stderr__ is not None else 2

    def write(self, text: str) -> int:
        """Write all of it; may block, and raises OSError where the terminal is gone."""
        write_all(self._fd, text.encode(self.encoding, "backslashreplace"))
        return len(text)

    def flush(self) -> None:
        """Nothing waits to be written."""

    def isatty(self) -> bool:
        """It is one."""
        return True

    def fileno(self) -> int:
        """The number of standard error."""
        return self._fd
