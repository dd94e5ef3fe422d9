"""Writes are carried out in order, retried until they are kept, and never waited for."""

from __future__ import annotations

import sqlite3
import threading
import time

import pytest
from structlog.testing import capture_logs

from bot.archive import write_queue
from bot.archive.write_queue import Transaction, WriteQueue
from tests.helpers.processes import wait_until


class Database:
    """Keeps the first word of each statement; fails with `error` while there is one."""

    def __init__(self) -> None:
        self.kept: list[str] = []
        self.attempts = 0
        self.error: Exception | None = None

    def perform(self, transaction: Transaction) -> None:
        self.attempts += 1
        if self.error:
            raise self.error
        self.kept.append(transaction[0][0])


@pytest.fixture
def database(monkeypatch: pytest.MonkeyPatch) -> Database:
    monkeypatch.setattr(write_queue, "MOST_PAUSE_S", 0.2)
    return Database()


def test_writes_are_kept_in_order(database: Database) -> None:
    writes = WriteQueue(database.perform)
    for number in range(100):
        writes.put((str(number), ()))
    assert writes.flush(10.0)
    assert database.kept == [str(number) for number in range(100)]
    writes.close(1.0)


@pytest.mark.parametrize("message", ["database is locked", "database or disk is full", "disk I/O error"])
def test_a_write_is_retried_until_it_is_kept_and_said_once(database: Database, message: str) -> None:
    writes = WriteQueue(database.perform)
    database.error = sqlite3.OperationalError(message)
    with capture_logs() as logged:
        begun = time.monotonic()
        writes.put(("a", ()))
        writes.put(("b", ()))
        assert time.monotonic() - begun < 0.5
        assert not writes.flush(0.8)
        assert database.attempts >= 2
        database.error = None
        assert writes.flush(10.0)
    assert database.kept == ["a", "b"]
    assert [line["event"] for line in logged] == ["store_write_delayed", "store_writes_again"]
    writes.close(1.0)


@pytest.mark.parametrize(
    "error",
    [
        sqlite3.ProgrammingError("syntax"),
        sqlite3.IntegrityError("null"),
        sqlite3.InterfaceError("binding"),
        sqlite3.DataError("too big"),
        OverflowError("int"),
        ValueError("x"),
    ],
)
def test_a_faulty_statement_does_not_hold_up_the_others(database: Database, error: Exception) -> None:
    writes = WriteQueue(database.perform)
    database.error = error
    with capture_logs() as logged:
        writes.put(("a", ()))
        assert writes.flush(10.0)
    database.error = None
    writes.put(("b", ()))
    assert writes.flush(10.0)
    assert database.kept == ["b"]
    assert [line["event"] for line in logged] == ["store_write_failed"]
    writes.close(1.0)


def test_closing_keeps_what_is_queued(database: Database) -> None:
    writes = WriteQueue(database.perform)
    database.error = sqlite3.OperationalError("database is locked")
    writes.put(("a", ()))
    threading.Timer(0.5, lambda: setattr(database, "error", None)).start()
    writes.close(10.0)
    assert database.kept == ["a"]


def test_closing_says_what_is_lost_in_bounded_time(database: Database) -> None:
    writes = WriteQueue(database.perform)
    database.error = sqlite3.OperationalError("database is locked")
    writes.put(("REPLACE INTO windows VALUES (?)", (1,)))
    with capture_logs() as logged:
        begun = time.monotonic()
        writes.close(0.5)
        assert time.monotonic() - begun < 3.0
        writes.put(("late", ()))
    lost = [line for line in logged if line["event"] != "store_write_delayed"]
    assert [(line["event"], line.get("count")) for line in lost] == [
        ("store_writes_lost", 1), ("store_write_failed", None),
    ]  # fmt: skip


def in_a_long_pause(database: Database, monkeypatch: pytest.MonkeyPatch) -> WriteQueue:
    """A queue that waits a minute after its first attempt to write "a" has failed."""
    monkeypatch.setattr(write_queue, "FIRST_PAUSE_S", 60.0)
    monkeypatch.setattr(write_queue, "MOST_PAUSE_S", 60.0)
    writes = WriteQueue(database.perform)
    database.error = sqlite3.OperationalError("database is locked")
    writes.put(("a", ()))
    assert wait_until(lambda: writes._backoff.failures)
    return writes


def test_a_store_that_fails_is_not_tried_again_before_the_pause_has_passed(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes = in_a_long_pause(database, monkeypatch)
    writes.put(("b", ()))
    assert not threading.Event().wait(0.05)  # in which a rush would make many attempts
    assert database.attempts == 1
    database.error = None
    writes.close(10.0)
    assert database.kept == ["a", "b"]


def test_closing_does_not_wait_for_the_pause_between_attempts(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes = in_a_long_pause(database, monkeypatch)
    database.error = None
    writes.close(10.0)
    assert database.kept == ["a"]


def test_a_flush_does_not_wait_for_the_pause_between_attempts(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes = in_a_long_pause(database, monkeypatch)
    database.error = None
    assert writes.flush(10.0)
    writes.close(1.0)
