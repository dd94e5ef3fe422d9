"""Ends all engine processes when the bot is gone, however it ended: a small process that outlives it for a moment.

    python reaper.py < PIPE

The bot holds the other end of the pipe and writes `+PID` for each engine started and `-PID` for each one ended. At the
end of the pipe, which the system closes with the bot, every process group still listed is killed: the engine, a shell
wrapper before it, and whatever they started. The script runs isolated and imports nothing of the bot.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterable


class Reaper:
    """The bot's side: starts the process at the first engine, and again should it be gone. One thread's only."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._groups: set[int] = set()
        self._closed = False

    @property
    def pid(self) -> int | None:
        """Process id, None before the first engine."""
        return None if self._process is None else self._process.pid

    def add(self, group: int) -> None:
        """Kill this process group when the bot ends."""
        self._groups.add(group)
        self._send(f"+{group}\n")

    def remove(self, group: int) -> None:
        """The group has ended; its number may be given to others."""
        if group in self._groups:
            self._groups.remove(group)
            self._send(f"-{group}\n")

    def close(self) -> None:
        """End the process, which kills what is still listed, for good. Idempotent."""
        self._closed = True
        self._end()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
            process.wait()

    def _send(self, line: str) -> None:
        if os.name != "posix" or self._closed:
            return
        if self._process is not None and self._process.stdin is not None:
            try:
                self._process.stdin.write(line.encode())
            except BrokenPipeError:
                self._end()
            else:
                return
        self._start()

    def _start(self) -> None:
        command = [sys.executable, "-I", "-S", __file__]
        null = subprocess.DEVNULL
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=null, stderr=null, bufsize=0, start_new_session=True
        )
        if self._process.stdin is not None:
            self._process.stdin.write("".join(f"+{group}\n" for group in sorted(self._groups)).encode())


def kill_groups(lines: Iterable[str]) -> None:
    """Read the list to its end, then kill the process groups on it."""
    groups: set[int] = set()
    for line in lines:
        if line.endswith("\n"):  # the last one may have been cut off
            (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
    for group in groups:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    kill_groups(sys.stdin)
