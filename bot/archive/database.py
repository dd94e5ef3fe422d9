"""One connection to the store's file, shared by all threads: reads at once, writes through a queue."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path
from typing import Any

from bot.archive.store_schema import open_database
from bot.archive.write_queue import Transaction, WriteQueue
from bot.errors import StoreError
from bot.log import get_logger

log = get_logger(__name__)

#: How long a read waits for the writes before it; with a store that is locked it reads what there is.
_READ_AFTER_WRITE_S = 0.5
_CLOSE_S = 5.0


class Database:
    """No caller waits for a write: they are queued and retried until they are kept."""

    def __init__(self, path: Path | None = None) -> None:
        """Open the file; None keeps everything in memory only. Raises StoreError."""
        self._lock = threading.Lock()
        self._unreadable: set[str] = set()
        self._connection = open_database(path)
        self._writes = WriteQueue(self._perform)

    def flush(self, timeout_s: float) -> bool:
        """Wait until everything written so far is kept; returns False when it is not within the time."""
        return self._writes.flush(timeout_s)

    def close(self) -> None:
        """Keep what is queued (five seconds at most) and close the file; it cannot be used after."""
        self._writes.close(_CLOSE_S)
        with self._lock:
            self._connection.close()

    def _execute(self, statement: str, *values: object) -> None:
        self._writes.put((statement, values))

    def _perform(self, transaction: Transaction) -> None:
        """Carry out one transaction, on the writer's thread."""
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            with self._connection:  # commits, or rolls back on an error
                for statement, values in transaction:
                    self._connection.execute(statement, values)

    def _query(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        self._writes.flush(_READ_AFTER_WRITE_S)
        try:
            with self._lock:
                return list(self._connection.execute(statement, values))
        except sqlite3.Error as error:
            raise StoreError(f"the store cannot be read: {error}") from error

    def _ignore(self, table: str, key: object, error: Exception) -> None:
        """Say once that a value is damaged; the bot goes on without it."""
        name = f"{table}: {key}"
        if name not in self._unreadable:
            self._unreadable.add(name)
            log.warning("store_value_ignored", table=table, key=str(key), error=str(error))
