"""A logging handler whose caller never waits: a bounded queue and one writer thread per destination."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from typing import Protocol

from bot.log.console import StandardError

CAPACITY = 10_000
_BATCH = 100
#: How long flush() and close() wait for a destination that does not take its lines.
FLUSH_S = 2.0


class Destination(Protocol):
    """Where lines go; `write` may block and may raise OSError or ValueError."""

    name: str

    def write(self, text: str) -> None:
        """Write whole lines."""

    def close(self) -> None:
        """Release what is open; nothing is written any more."""


class QueuedHandler(logging.Handler):
    """Formats in the caller's thread and writes in its own.

    When the queue is full, or the destination fails, lines are dropped and counted. The first drop of an outage is
    logged (so that the other destinations show it), and the count is written once the destination works again.
    """

    def __init__(self, destination: Destination, capacity: int = CAPACITY) -> None:
        super().__init__()
        self._destination = destination
        self._capacity = capacity
        self._lines: deque[str] = deque()
        self._changed = threading.Condition()
        self._writing = False
        self._closing = False
        self._destination_closed = False
        self._failing = False
        self._dropped = 0
        self._thread = threading.Thread(target=self._run, name=f"log-{destination.name}", daemon=True)
        self._thread.start()

    @property
    def on_console(self) -> bool:
        """Whether the lines go to standard error."""
        return self._destination.name == StandardError.name

    @property
    def dropped(self) -> int:
        """Lines dropped since the count was last written."""
        return self._dropped

    def handle(self, record: logging.LogRecord) -> bool:
        """As logging's own, but without its lock: formatting needs none, and a complaint may log in turn."""
        if not self.filter(record):
            return False
        self.emit(record)
        return True

    def emit(self, record: logging.LogRecord) -> None:
        """Format the record and queue its line, or drop it."""
        try:
            line = self.format(record) + "\n"
        except Exception:  # noqa: BLE001 -- logging's own contract: formatting never breaks its caller
            self.handleError(record)
            return
        with self._changed:
            is_full = len(self._lines) >= self._capacity or self._closing
            if not is_full:
                self._lines.append(line)
                self._changed.notify_all()
            else:
                self._dropped += 1
            complain = is_full and not self._failing and not self._closing
            self._failing = self._failing or complain
        if complain:
            self._complain("does not take its lines")

    def flush(self) -> None:
        """Wait until all lines are written, FLUSH_S at most."""
        deadline = time.monotonic() + FLUSH_S
        with self._changed:
            while (self._lines or self._writing) and (left_s := deadline - time.monotonic()) > 0:
                self._changed.wait(left_s)

    def close(self) -> None:
        """Write what is queued, FLUSH_S at most, end the thread and close the destination.

        A destination that still blocks stays open: its thread would write to whatever takes the descriptor next.
        """
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(FLUSH_S)
        if not self._destination_closed and not self._thread.is_alive():
            self._destination_closed = True
            self._destination.close()
        super().close()

    def _run(self) -> None:
        while batch := self._next_batch():
            try:
                self._destination.write("".join(batch))
            except (OSError, ValueError) as error:
                self._failed(len(batch), error)
            else:
                self._succeeded()
            with self._changed:
                self._writing = False
                self._changed.notify_all()

    def _next_batch(self) -> list[str]:
        """Wait for lines; empty when the handler closes and all are written."""
        with self._changed:
            while not self._lines and not self._closing:
                self._changed.wait()
            self._writing = bool(self._lines)
            return [self._lines.popleft() for _ in range(min(len(self._lines), _BATCH))]

    def _failed(self, lines: int, error: Exception) -> None:
        with self._changed:
            self._dropped += lines
            complain = not self._failing
            self._failing = True
        if complain:
            self._complain(f"cannot be written: {error}")

    def _succeeded(self) -> None:
        """Once all that was queued is written, say how many lines were dropped before."""
        with self._changed:
            if self._lines or not self._dropped:
                return
            dropped = self._dropped
        try:
            self._destination.write(self.format(_record(logging.WARNING, f"{dropped} log lines were dropped")) + "\n")
        except (OSError, ValueError):
            return  # still failing: the count is kept, and said when it can be
        with self._changed:
            self._dropped -= dropped
            self._failing = False

    def _complain(self, problem: str) -> None:
        logging.getLogger(__name__).error(
            "log destination %s %s; lines are dropped until it works again", self._destination.name, problem
        )


def _record(level: int, message: str) -> logging.LogRecord:
    return logging.LogRecord(__name__, level, __file__, 0, message, None, None)
