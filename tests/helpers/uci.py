"""Talking to a UCI engine process line by line, with deadlines instead of sleeps."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).resolve().parents[2]
ENGINE = (sys.executable, "-m", "engine88")
DEADLINE_S = 240.0
"""Long enough for a first start on a busy machine, where the kernels are compiled."""


def engine_environment(**extra: str) -> dict[str, str]:
    """The environment in which `python -m engine88` finds this checkout from any directory."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, "PYTHONPATH": path, **extra}


class UciProcess:
    """An engine process; every line it writes is kept, with the time at which it came."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        """Start `python -m engine88`."""
        self.process = subprocess.Popen(
            ENGINE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=dict(environment or engine_environment()),
        )
        self.lines: list[str] = []
        self._arrived: queue.SimpleQueue[tuple[float, str] | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def send(self, *commands: str) -> float:
        """Send commands, all in one piece; return the time at which they went."""
        assert self.process.stdin is not None
        now_s = time.perf_counter()
        self.process.stdin.write("".join(f"{command}\n" for command in commands).encode())
        self.process.stdin.flush()
        return now_s

    def wait_for(self, wanted: str | Callable[[str], bool], timeout_s: float = DEADLINE_S) -> tuple[str, float]:
        """Return the next line that starts with (or fulfils) what is wanted and its time; else AssertionError."""
        fits = wanted if callable(wanted) else lambda line: line.startswith(wanted)
        deadline = time.monotonic() + timeout_s
        while True:
            try:
                item = self._arrived.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no {wanted!r} within {timeout_s} s; last lines: {self.lines[-5:]}") from None
            if item is None:
                raise AssertionError(f"the engine ended before {wanted!r}; last lines: {self.lines[-5:]}")
            if fits(item[1]):
                return item[1], item[0]

    def ask(self, command: str, wanted: str, timeout_s: float = DEADLINE_S) -> str:
        """Send a command and return the line that answers it."""
        self.send(command)
        return self.wait_for(wanted, timeout_s)[0]

    def ready(self) -> None:
        """Wait until the engine has obeyed everything so far."""
        self.ask("isready", "readyok")

    def close_input(self) -> None:
        """End the engine's input."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def wait_for_end(self, timeout_s: float = DEADLINE_S) -> int:
        """Return the exit code; subprocess.TimeoutExpired if the process lives on."""
        code = self.process.wait(timeout_s)
        self._reader.join(timeout_s)
        return code

    def __enter__(self) -> UciProcess:
        """Return the process itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Kill the process, if it still lives."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(DEADLINE_S)
        self._reader.join(DEADLINE_S)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue  # what was still buffered for a dead engine is of no interest

    def _read(self) -> None:
        assert self.process.stdout is not None
        for raw in self.process.stdout:
            line = raw.decode().rstrip("\n")
            self.lines.append(line)
            self._arrived.put((time.perf_counter(), line))
        self._arrived.put(None)
