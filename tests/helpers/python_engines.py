"""The adapter of Python engines as a process, and files with classes for it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent

from tests.helpers.uci import engine_environment

COMMAND = (sys.executable, "-P", "-m", "bot.engine_pool.python_engine")
MOST_S = 120.0


def write(folder: Path, source: str, name: str = "my_engine.py") -> Path:
    """Write a file with an engine; the source may be indented."""
    path = folder / name
    path.write_text(dedent(source), encoding="utf-8")
    return path


class Conversation:
    """A running adapter."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lines: list[str] = []

    def send(self, *commands: str) -> None:
        """Send commands."""
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{command}\n" for command in commands))
        self.process.stdin.flush()

    def read_to(self, start: str) -> str:
        """Read until a line starts so; return it."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))
            if line.startswith(start):
                return self.lines[-1]
        raise AssertionError(f"the adapter ended before {start!r}: {self.lines[-5:]}")

    def ask(self, start: str, *commands: str) -> str:
        """Send commands and return the line that answers."""
        self.send(*commands)
        return self.read_to(start)

    def move(self, go: str = "go movetime 5000", position: str = "startpos") -> str:
        """Return the move played in a position."""
        return self.ask("bestmove", f"position {position}", go).split()[1]

    def errors(self) -> list[str]:
        """What was reported so far."""
        start = "info string ERROR: "
        return [line.removeprefix(start) for line in self.lines if line.startswith(start)]


@contextmanager
def talking(file: Path | str) -> Iterator[Conversation]:
    """Start the adapter for FILE[:CLASS]; it is ended after the block."""
    with subprocess.Popen(
        [*COMMAND, str(file)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=engine_environment(),
    ) as process:
        try:
            yield Conversation(process)
        finally:
            process.kill()


def refusal(file: Path | str) -> str:
    """Return the one line with which the adapter refuses a file."""
    done = subprocess.run(
        [*COMMAND, str(file)],
        input="uci\n",
        capture_output=True,
        text=True,
        env=engine_environment(),
        timeout=MOST_S,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    return line
