"""Writes to the store, carried out in order by a thread of their own and retried until they are kept."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable

from bot.backoff import Backoff
from bot.log import get_logger
from bot.supervised_loop import SupervisedLoop

log = get_logger(__name__)

#: SQL and its values.
Statement = tuple[str, tuple[object, ...]]
#: Statements that are kept together or not at all.
Transaction = tuple[Statement, ...]

FIRST_PAUSE_S = 0.1
MOST_PAUSE_S = 10.0
#: Faults of the statement itself: repeating it is pointless. Everything else (locked, full disk, ...) may pass.
_HOPELESS = (sqlite3.ProgrammingError, sqlite3.IntegrityError, sqlite3.InterfaceError, sqlite3.DataError)


class WriteQueue:
    """`perform(transaction)` carries one out and raises sqlite3.Error; nobody who calls `put` waits for it."""

    def __init__(self, perform: Callable[[Transaction], None]) -> None:
        """Prepare the thread; the first `put` starts it."""
        self._perform = perform
        self._pending: deque[Transaction] = deque()
        self._changed = threading.Condition()
        self._give_up_s: float | None = None  # monotonic; set when closing
        self._hurry = False  # somebody waits in flush()
        self._backoff = Backoff(FIRST_PAUSE_S, MOST_PAUSE_S)
        self._loop = SupervisedLoop("store-writer", self._work)

    def put(self, *statements: Statement) -> None:
        """Queue one transaction; on a closed queue it is lost, and that is logged."""
        with self._changed:
            is_closed = self._give_up_s is not None
            if not is_closed:
                self._pending.append(statements)
                self._changed.notify_all()
        if is_closed:
            log.error("store_write_failed", error="the store is closed", statement=_name(statements))
        else:
            self._loop.start()

    def flush(self, timeout_s: float) -> bool:
        """Wait until everything is kept, tried again at once; returns False when it is not within the time."""
        with self._changed:
            self._hurry = True
            self._changed.notify_all()
            return self._changed.wait_for(lambda: not self._pending, timeout_s)

    def close(self, timeout_s: float) -> None:
        """Keep what is queued, or say how much is lost after `timeout_s`."""
        with self._changed:
            self._give_up_s = time.monotonic() + timeout_s
            self._changed.notify_all()
        if self._loop.running:
            self._loop.join(timeout_s + 1.0)
        self._loop.stop()
        if self._pending:
            log.error("store_writes_lost", count=len(self._pending), statements=sorted(set(map(_name, self._pending))))

    def _work(self) -> None:
        while transaction := self._next():
            try:
                self._perform(transaction)
            except (*_HOPELESS, ValueError, OverflowError) as error:
                log.error("store_write_failed", error=str(error), statement=_name(transaction))
            except sqlite3.Error as error:
                if not self._wait_after(error):
                    return
                continue
            if self._backoff.failures:
                log.info("store_writes_again")
                self._backoff.reset()
            with self._changed:
                self._pending.popleft()
                self._changed.notify_all()

    def _next(self) -> Transaction | None:
        """The oldest transaction, which stays queued until it is kept; None when the queue is closed and empty."""
        with self._changed:
            self._changed.wait_for(lambda: self._pending or self._give_up_s is not None)
            self._hurry = False  # whoever hurries from now on gets another attempt
            return self._pending[0] if self._pending else None

    def _wait_after(self, error: sqlite3.Error) -> bool:
        """Pause before another attempt; False when there is no time left for one."""
        if not self._backoff.failures:
            log.warning("store_write_delayed", error=str(error), remedy="free the disk or the lock; it is retried")
        pause_s = self._backoff.next_s()
        with self._changed:
            if self._give_up_s is None:
                self._changed.wait_for(lambda: self._hurry or self._give_up_s is not None, pause_s)
            else:
                self._changed.wait(FIRST_PAUSE_S)
            return self._give_up_s is None or time.monotonic() < self._give_up_s


def _name(transaction: Transaction) -> str:
    """What a transaction does, without its values: "REPLACE INTO windows"."""
    return " ".join(transaction[0][0].split()[:3])
