"""A program on a pseudo-terminal of its own: its output, its keys, its settings, and a terminal that goes away."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import threading
from pathlib import Path
from typing import Any

from tests.helpers.processes import wait_until

PATIENCE_S = 120.0
ROWS, COLUMNS = 40, 120
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def without_escapes(text: str) -> str:
    """Return the text without what moves the cursor and colours."""
    return _ESCAPES.sub("", text)


class PtyProgram:
    """Runs a command as the leader of a session whose terminal is ours; `reading` False takes none of its output."""

    def __init__(self, command: list[str], environment: dict[str, str], cwd: Path, *, reading: bool = True) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self._slave = os.dup(slave)  # to look at the settings
        self.settings_before = self.settings()
        self._output = b""

        def take_terminal() -> None:
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            command,
            env=environment | {"TERM": "xterm-256color"},
            cwd=cwd,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            preexec_fn=take_terminal,
        )
        os.close(slave)
        self._reader = threading.Thread(target=self._read, daemon=True)
        if reading:
            self._reader.start()

    def shown(self) -> str:
        """Everything that was written so far, without what moves the cursor and colours."""
        return without_escapes(self._output.decode("utf-8", "replace"))

    def wait_for(self, text: str, after: int = 0) -> int:
        """Wait until a text was written beyond the first `after` characters; returns how much was written then."""
        assert wait_until(lambda: text in self.shown()[after:], PATIENCE_S), f"{text!r} not in:\n{self.shown()[-3000:]}"
        return len(self.shown())

    def type(self, keys: str) -> None:
        """Type on its keyboard."""
        os.write(self._master, keys.encode())

    def settings(self) -> list[Any]:
        """The terminal's settings."""
        return termios.tcgetattr(self._slave)

    def hang_up(self) -> None:
        """Let the terminal go away, as when a connection is lost."""
        os.close(self._slave)
        os.close(self._master)
        self._master = self._slave = -1

    def close(self) -> None:
        """Kill the program and close the terminal."""
        self.process.kill()
        self.process.wait(PATIENCE_S)
        if self._slave >= 0:
            os.close(self._slave)
        if self._reader.is_alive():
            self._reader.join(PATIENCE_S)
        if self._master >= 0:
            os.close(self._master)

    def _read(self) -> None:
        with contextlib.suppress(OSError):
            while data := os.read(self._master, 65_536):
                self._output += data
