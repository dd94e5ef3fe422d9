"""A logging handler whose caller never waits: a bounded queue and one listener per destination."""

from __future__ import annotations

import contextlib
import logging
import threading
from logging.handlers import QueueHandler, QueueListener
from queue import Full, Queue
from typing import Any, Protocol

from bot.log.console import StandardError

CAPACITY = 10_000
#: How long flush() and close() wait for a destination that does not take its lines.
FLUSH_S = 2.0


class Destination(Protocol):
    """Where lines go; `write` may block and may raise OSError or ValueError."""

    name: Any

    def write(self, text: str) -> None:
        """Write whole lines."""

    def close(self) -> None:
        """Release what is open; nothing is written afterwards."""


class QueuedHandler(QueueHandler):
    """Formats in the caller's thread and writes in the listener's.

    If the queue is full or the destination fails, lines are dropped and counted. logging's own handler would print a
    traceback for each of them.
    """

    queue: Queue[Any]

    def __init__(self, destination: Destination, capacity: int = CAPACITY) -> None:
        super().__init__(Queue(capacity))
        self.on_console = destination.name == StandardError.name
        self._listener = _Listener(self.queue, destination)
        self._is_closed = False

    @property
    def dropped(self) -> int:
        """Lines dropped since the count was last written."""
        return self._listener.dropped

    def handle(self, record: logging.LogRecord) -> bool:
        """Filter and queue a record without logging's lock: reporting a drop logs, to this handler too."""
        if not self.filter(record):
            return False
        self.emit(record)
        return True

    def enqueue(self, record: logging.LogRecord) -> None:
        """Queue a formatted record, or drop it."""
        try:
            if self._is_closed:
                raise Full
            self.queue.put_nowait(record)
        except Full:
            self._listener.drop("" if self._is_closed else "does not take its lines")

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 -- the name in the base class
        """Report a record that cannot be formatted."""
        logging.getLogger(__name__).error("a log line of %s cannot be formatted: %r", record.name, record.msg)

    def flush(self) -> None:
        """Wait until all lines are written, at most FLUSH_S."""
        with self.queue.all_tasks_done:
            self.queue.all_tasks_done.wait_for(lambda: not self.queue.unfinished_tasks, FLUSH_S)

    def close(self) -> None:
        """Write what is queued, for at most FLUSH_S, and close the destination; harmless when repeated."""
        if not self._is_closed:
            self._is_closed = True
            self._listener.end()
        super().close()


class _Listener(QueueListener):
    """Writes queued lines; once all are written, writes how many were dropped before."""

    queue: Queue[Any]
    _thread: threading.Thread

    def __init__(self, lines: Queue[Any], destination: Destination) -> None:
        super().__init__(lines)
        self.dropped = 0
        self._destination = destination
        self._failing = False
        self._lock = threading.Lock()  # callers and this thread count drops
        self.start()
        self._thread.name = f"log-{destination.name}"

    def handle(self, record: logging.LogRecord) -> None:
        """Write one line."""
        try:
            self._destination.write(f"{record.msg}\n")
        except (OSError, ValueError) as error:
            self.drop(f"cannot be written: {error}")
        else:
            self._report_drops()

    def drop(self, problem: str) -> None:
        """Count a dropped line. The first one of an outage is logged, for the other destinations to show."""
        with self._lock:
            self.dropped += 1
            is_first = bool(problem) and not self._failing
            self._failing = self._failing or is_first
        if is_first:
            logging.getLogger(__name__).error(
                "log destination %s %s; lines are dropped until it works again", self._destination.name, problem
            )

    def end(self) -> None:
        """Stop the thread and close the destination.

        A destination that still blocks stays open: the thread would write to whatever takes its descriptor next.
        """
        with contextlib.suppress(Full):
            self.queue.put(None, timeout=FLUSH_S)  # the listener's sign to end
        self._thread.join(FLUSH_S)
        if not self._thread.is_alive():
            self._report_drops()
            self._destination.close()

    def _report_drops(self) -> None:
        dropped = self.dropped
        if not dropped or not self.queue.empty():
            return
        try:
            self._destination.write(f"{dropped} log lines were dropped\n")
        except (OSError, ValueError):
            return  # still failing: the count is kept
        with self._lock:
            self.dropped -= dropped
            self._failing = False
