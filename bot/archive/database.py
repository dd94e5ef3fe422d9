"""The thread that owns the database: it alone writes, and repeats what fails until it succeeds."""

from __future__ import annotations

import itertools
import math
import sqlite3
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from bot.archive.store_file import (
    BUSY_TIMEOUT_MS,
    DamagedStoreError,
    check,
    connect,
    is_damage,
    move_damaged_aside,
    open_store,
)
from bot.backoff import Backoff
from bot.errors import StoreError
from bot.log import get_logger
from bot.supervised_loop import SupervisedLoop

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 10.0  # between attempts at what failed
MOST_WAITING = 1000  # writes; more are kept only of what must not be lost
READ_AFTER_WRITE_S = 0.2  # how long a read waits for earlier writes, so that it sees them
#: Faults of a statement itself, which repeating it does not cure. Others (locked, full disk, ...) may pass.
_LASTING = (sqlite3.ProgrammingError, sqlite3.IntegrityError, sqlite3.InterfaceError, sqlite3.DataError)

Found = TypeVar("Found")
Work = Callable[[sqlite3.Connection], object]

log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Write:
    name: str  # for the log, without values
    work: Work


@dataclass
class Job:
    """Work that the thread does when it is due, in a transaction; `due_s` is monotonic.

    `work(connection)` returns whether more is to be done at once. It is repeated every `every_s` seconds, and after a
    pause when it fails.
    """

    name: str
    work: Callable[[], bool]
    every_s: float
    due_s: float
    again: bool = False  # wanted again since its latest run began
    backoff: Backoff = field(default_factory=lambda: Backoff(FIRST_PAUSE_S, LONGEST_PAUSE_S))


class Database:
    """Writes are queued and performed in order by one thread, so no caller waits for the disk.

    A store that is found damaged is moved aside, and a new one is started.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Open the file; None keeps everything in memory only. Raises StoreError."""
        self._path = path
        self._connection = open_store(path)
        self._lock = threading.Lock()
        self._reader, self._read_lock = self._open_reader()
        self._changed = threading.Condition()
        self._waiting: OrderedDict[Hashable, _Write] = OrderedDict()
        self._numbers = itertools.count()
        self._dropped = 0
        self._close_by_s: float | None = None  # monotonic; set when closing
        self._writes = Job("writes", self._perform_oldest, math.inf, math.inf)
        self._jobs = [self._writes]
        self._loop = SupervisedLoop("store", self._work)

    def _open_reader(self) -> tuple[sqlite3.Connection, threading.Lock]:
        """Return a connection for reads, which a write does not delay; in memory there is only one."""
        if self._path is None:
            return self._connection, self._lock
        return connect(self._path, BUSY_TIMEOUT_MS / 1000), threading.Lock()

    def put(self, name: str, work: Work, *, key: Hashable = None, may_be_dropped: bool = False) -> None:
        """Queue `work(connection)`, which becomes one transaction.

        `name` appears in the log. A write replaces a waiting one with the same `key`. One that `may_be_dropped` is
        dropped while too many wait; no other ever is.
        """
        with self._changed:
            is_closed = self._close_by_s is not None
            if not is_closed and may_be_dropped and len(self._waiting) >= MOST_WAITING:
                self._dropped += 1
                if self._dropped == 1:
                    log.warning("store_writes_dropped", what=name, remedy="free the disk or the lock")
                return
            if not is_closed:
                key = ("number", next(self._numbers)) if key is None else key
                self._waiting.pop(key, None)
                self._waiting[key] = _Write(name, work)
                self._wake(self._writes)
        if is_closed:
            log.error("store_write_failed", error="the store is closed", what=name)
        else:
            self._loop.start()

    def execute(self, statement: str, *values: object, key: Hashable = None) -> None:
        """Queue one statement."""
        self.put(_name_of(statement), lambda connection: connection.execute(statement, values), key=key)

    def repeat(self, name: str, work: Callable[[sqlite3.Connection], bool], first_s: float, every_s: float) -> Job:
        """Do work on the store's thread after `first_s` and then every `every_s` seconds; see Job."""
        job = Job(name, lambda: self._transact(work), every_s, time.monotonic() + first_s)
        with self._changed:
            self._jobs.append(job)
            self._changed.notify_all()
        self._loop.start()
        return job

    def wake(self, job: Job) -> None:
        """Do a job now, unless it waits after a failure."""
        with self._changed:
            self._wake(job)

    def close(self, timeout_s: float = 5.0) -> None:
        """Write what is queued and close the file; report what could not be written in time."""
        with self._changed:
            self._close_by_s = time.monotonic() + timeout_s
            for job in self._jobs:
                if job.backoff.failures:
                    job.due_s = time.monotonic()
            self._changed.notify_all()
        if self._loop.running:
            self._loop.join(timeout_s + 1.0)
        self._loop.stop()
        if self._waiting:
            names = sorted({write.name for write in self._waiting.values()})
            log.error("store_writes_lost", count=len(self._waiting), what=names)
        for lock, connection in ((self._lock, self._connection), (self._read_lock, self._reader)):
            with lock:
                connection.close()

    def read(self, query: Callable[[sqlite3.Connection], Found]) -> Found:
        """Return `query(connection)`, which sees what was written before unless writing fails. Raises StoreError."""
        with self._changed:
            if not self._writes.backoff.failures:
                self._changed.wait_for(lambda: not self._waiting, READ_AFTER_WRITE_S)
        try:
            with self._read_lock:
                return query(self._reader)
        except (sqlite3.Error, ValueError) as error:
            if is_damage(error) and self._close_by_s is None:
                self.put("check", check, key="check")
            raise StoreError(f"the store cannot be read: {error}") from error

    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Return all rows of one query. Raises StoreError."""
        return self.read(lambda connection: connection.execute(statement, values).fetchall())

    def _wake(self, job: Job) -> None:
        job.again = True
        if not job.backoff.failures:
            job.due_s = time.monotonic()
            self._changed.notify_all()

    def _work(self) -> None:
        while (job := self._next()) is not None:
            self._do(job)

    def _next(self) -> Job | None:
        """Wait for the job that is due first; None when the store is closing and nothing is left or time is up."""
        with self._changed:
            while True:
                now_s = time.monotonic()
                job = min(self._jobs, key=lambda job: job.due_s)
                is_last = self._close_by_s is not None and (job.due_s > self._close_by_s or now_s > self._close_by_s)
                if is_last:
                    return None
                if job.due_s <= now_s:
                    job.again = False
                    return job
                self._changed.wait(None if job.due_s == math.inf else job.due_s - now_s)

    def _do(self, job: Job) -> None:
        try:
            more = job.work()
        except (sqlite3.Error, OSError) as error:
            if self._path is not None and isinstance(error, sqlite3.Error) and is_damage(error):
                self._start_anew(self._path, error)
            if not job.backoff.failures:
                log.warning("store_work_delayed", what=job.name, error=str(error), remedy="free the disk or the lock")
            self._postpone(job)
            return
        except Exception:
            log.exception("store_fault", what=job.name)
            self._postpone(job)
            return
        if job.backoff.failures:
            log.info("store_work_resumed", what=job.name)
            job.backoff.reset()
        with self._changed:
            job.due_s = time.monotonic() + (0.0 if more or job.again else job.every_s)

    def _postpone(self, job: Job) -> None:
        pause_s = job.backoff.next_s()
        with self._changed:
            if self._close_by_s is not None:
                pause_s = FIRST_PAUSE_S if job is self._writes else math.inf  # other jobs: that was the last attempt
            job.due_s = time.monotonic() + pause_s

    def _start_anew(self, path: Path, error: sqlite3.Error) -> None:
        self._connection.close()  # no lock: only this thread uses the connection
        with self._read_lock:
            self._reader.close()
            move_damaged_aside(path, error)
            self._connection = open_store(path)
            self._reader = connect(path, BUSY_TIMEOUT_MS / 1000)

    def _transact(self, work: Callable[[sqlite3.Connection], Found]) -> Found:
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            with self._connection:  # commits, or rolls back on an error
                return work(self._connection)

    def _perform_oldest(self) -> bool:
        """Perform the oldest write, which stays queued until it is done; returns whether there are more."""
        with self._changed:
            if not self._waiting:
                self._writes.due_s = math.inf
                return False
            key, write = next(iter(self._waiting.items()))
        try:
            self._transact(write.work)
        except DamagedStoreError:
            self._waiting.pop(key, None)  # the check has done its work
            raise
        except sqlite3.Error as error:
            if not isinstance(error, _LASTING) and getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_ERROR:
                raise
            log.error("store_write_failed", error=str(error), what=write.name)
        except Exception as error:
            log.exception("store_write_failed", error=str(error), what=write.name)
        with self._changed:
            if self._waiting.get(key) is write:
                del self._waiting[key]
            if not self._waiting and self._dropped:
                log.info("store_writes_kept_again", dropped=self._dropped)
                self._dropped = 0
            self._changed.notify_all()
            return bool(self._waiting)


def _name_of(statement: str) -> str:
    """Return what a statement does, without its values: "REPLACE INTO windows"."""
    return " ".join(statement.split()[:3])
