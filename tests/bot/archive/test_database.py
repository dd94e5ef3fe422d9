"""Writes are performed in order by one thread, repeated until they succeed, and never waited for."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from bot.archive import database as module
from bot.archive.database import Database
from bot.errors import StoreError
from tests.helpers.ending import closed_at_end
from tests.helpers.finished_games import is_written
from tests.helpers.processes import wait_until

INSERT = "INSERT INTO notes VALUES (?, '')"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    one = Database(tmp_path / "store.sqlite3")
    yield one
    one.close(0.1)


@pytest.fixture
def lock(database: Database, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Another program that locks the store until it rolls back."""
    other = sqlite3.connect(tmp_path / "store.sqlite3", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    yield other
    other.close()


def names(database: Database) -> list[str]:
    return [name for (name,) in database.rows("SELECT name FROM notes ORDER BY rowid")]


def test_writes_are_performed_in_order(database: Database) -> None:
    for number in range(100):
        database.execute(INSERT, str(number))
    assert is_written(database, 10.0)
    assert names(database) == [str(number) for number in range(100)]


def test_a_locked_store_costs_nothing_but_time(
    database: Database, lock: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch, logs: list[EventDict]
) -> None:
    monkeypatch.setattr(module, "READ_AFTER_WRITE_S", 60.0)
    begun_s = time.monotonic()
    database.execute(INSERT, "a")
    database.execute(INSERT, "b")
    assert time.monotonic() - begun_s < 10.0
    assert not is_written(database, 0.8)
    assert wait_until(lambda: logs)
    begun_s = time.monotonic()
    assert names(database) == []
    assert time.monotonic() - begun_s < 30.0  # while writing fails, no read waits for it
    lock.rollback()
    assert is_written(database, 15.0)
    assert names(database) == ["a", "b"]
    assert [line["event"] for line in logs] == ["store_work_delayed", "store_work_resumed"]


def test_a_faulty_statement_does_not_delay_the_others(database: Database, logs: list[EventDict]) -> None:
    database.execute("INSERT INTO nowhere VALUES (1)")
    database.execute(INSERT, None)
    database.put("fault", lambda _connection: [][0])  # a fault of ours
    database.execute(INSERT, "a")
    assert is_written(database, 10.0)
    assert names(database) == ["a"]
    assert {line["event"] for line in logs} == {"store_write_failed"}


def test_a_later_write_with_the_same_key_replaces_a_waiting_one(database: Database, lock: sqlite3.Connection) -> None:
    for number in range(5000):
        database.execute("REPLACE INTO notes VALUES ('a', ?)", str(number), key="a")
    assert len(database._waiting) <= 2
    lock.rollback()
    assert is_written(database, 15.0)
    assert database.rows("SELECT value FROM notes") == [("4999",)]


def test_what_may_be_dropped_is_dropped_while_too_much_waits(
    database: Database, lock: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch, logs: list[EventDict]
) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 10)
    for number in range(20):
        database.put("note", lambda c, n=number: c.execute(INSERT, (f"note{n}",)), may_be_dropped=True)  # type: ignore[misc]  # bound at once
    for number in range(20):
        database.execute(INSERT, f"game{number}")
    lock.rollback()
    assert is_written(database, 15.0)
    assert wait_until(lambda: "store_writes_kept_again" in [line["event"] for line in logs])
    assert names(database) == [f"note{number}" for number in range(10)] + [f"game{number}" for number in range(20)]
    assert [line["event"] for line in logs if "writes" in line["event"]] == [
        "store_writes_dropped", "store_writes_kept_again",
    ]  # fmt: skip


def test_closing_reports_what_is_lost_in_bounded_time(database: Database, lock: sqlite3.Connection) -> None:
    database.execute(INSERT, "a")
    with capture_logs() as logged:
        begun_s = time.monotonic()
        database.close(0.5)
        assert time.monotonic() - begun_s < 10.0
        database.execute(INSERT, "late")
    lost = [(line["event"], line.get("count")) for line in logged if line["event"] != "store_work_delayed"]
    assert lost == [("store_writes_lost", 1), ("store_write_failed", None)]
    with pytest.raises(StoreError, match="cannot be read"):
        names(database)


def test_closing_waits_for_a_lock_that_goes_away(database: Database, lock: sqlite3.Connection, tmp_path: Path) -> None:
    database.execute(INSERT, "a")
    closer = threading.Thread(target=database.close, args=(10.0,))
    closer.start()
    lock.rollback()
    closer.join(30)
    again = closed_at_end(Database(tmp_path / "store.sqlite3"))
    assert names(again) == ["a"]


def test_a_job_is_repeated_and_a_failing_one_is_retried(database: Database, logs: list[EventDict]) -> None:
    runs: list[int] = []

    def work(_connection: sqlite3.Connection) -> bool:
        runs.append(1)
        if len(runs) == 2:
            raise OSError("disk full")
        return len(runs) == 1

    job = database.repeat("work", work, 0.0, 600.0)
    assert wait_until(lambda: len(runs) == 3 and not job.backoff.failures)
    database.wake(job)
    assert wait_until(lambda: len(runs) == 4)
    assert [line["event"] for line in logs] == ["store_work_delayed", "store_work_resumed"]


def test_a_store_that_is_found_damaged_is_moved_aside_while_it_is_used(tmp_path: Path, logs: list[EventDict]) -> None:
    path = tmp_path / "store.sqlite3"
    database = Database(path)
    for number in range(2000):
        database.execute("INSERT INTO pgns VALUES (?, ?)", str(number), "x" * 100)
    database.close(30.0)
    data = bytearray(path.read_bytes())
    (root,) = sqlite3.connect(path).execute("SELECT rootpage FROM sqlite_master WHERE name = 'pgns'").fetchone()
    data[(root - 1) * 4096 : root * 4096] = bytes(index * 37 % 256 for index in range(4096))
    path.write_bytes(data)
    again = closed_at_end(Database(path))
    with pytest.raises(StoreError, match="malformed"):
        again.rows("SELECT pgn FROM pgns")
    assert wait_until(lambda: "store_damaged" in [line["event"] for line in logs])
    again.execute(INSERT, "a")
    assert is_written(again, 10.0)
    assert names(again) == ["a"]
    assert again.rows("SELECT pgn FROM pgns") == []
