"""Threads that meet in the archive: each test fails without the locks of the class it names."""

from __future__ import annotations

import contextlib
import itertools
import sqlite3
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.archive.database import Database
from bot.archive.look_up import GameLookUp
from bot.errors import StoreError
from bot.events.game import GameExport
from bot.supervised_loop import SupervisedLoop
from tests.helpers.interleave import Threads, interleave

GAME_ID = "abcdefgh"


@pytest.fixture(autouse=True)
def no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """The threads of a scenario do the work of the loops."""
    monkeypatch.setattr(SupervisedLoop, "start", lambda _loop: True)


class Here:
    """Lets threads switch between the lines of this file, too."""


def write_two(connection: sqlite3.Connection) -> None:
    """A transaction of two rows."""
    for name in ("one", "two"):
        connection.execute("INSERT INTO notes VALUES (?, '[]')", (name,))


def count(connection: sqlite3.Connection) -> int:
    """Rows that a transaction writes."""
    return int(connection.execute("SELECT COUNT(*) FROM notes").fetchone()[0])


def write_all(database: Database) -> None:
    """Do the work of the database's thread until nothing waits."""
    while database._perform_oldest():
        pass


def test_a_reader_never_sees_half_a_transaction() -> None:
    def scenario(threads: Threads) -> None:
        database = Database()
        _, seen = threads.run(partial(database._transact, write_two), partial(database.read, count))
        assert seen in (0, 2)
        database.close()

    interleave(scenario, Database, Here)


def test_no_write_is_lost() -> None:
    def scenario(threads: Threads) -> None:
        database = Database()
        done: list[str] = []
        database.put("first", lambda _connection: done.append("first"))
        put = partial(database.put, "second", lambda _connection: done.append("second"))
        threads.run(partial(write_all, database), put)
        assert done == ["first", "second"] or database._writes.due_s <= time.monotonic()
        write_all(database)
        assert done == ["first", "second"]
        database.close()

    interleave(scenario, Database)


def test_a_newer_value_replaces_one_that_is_being_written() -> None:
    def scenario(threads: Threads) -> None:
        database = Database()
        done: list[int] = []
        database.put("note", lambda _connection: done.append(1), key="note")
        put = partial(database.put, "note", lambda _connection: done.append(2), key="note")
        threads.run(partial(write_all, database), put)
        write_all(database)
        assert done[-1] == 2
        database.close()

    interleave(scenario, Database)


def test_a_job_that_is_wanted_while_it_is_done_is_done_again() -> None:
    def scenario(threads: Threads) -> None:
        database = Database()
        job = database.repeat("job", lambda _connection: False, 0.0, 600.0)
        threads.run(partial(database._do, job), partial(database.wake, job))
        assert job.due_s <= time.monotonic() or not job.again
        database.close()

    interleave(scenario, Database)


def test_writes_queued_at_once_are_all_kept() -> None:
    def scenario(threads: Threads) -> None:
        database = Database()
        threads.run(*[partial(database.put, name, lambda _connection: None, key="same") for name in ("one", "two")])
        assert len(database._waiting) == 1
        database.close()

    interleave(scenario, Database)


def test_the_thread_is_woken_by_a_write() -> None:
    def scenario(threads: Threads) -> None:
        database = Database()
        job, _ = threads.run(database._next, partial(database.put, "write", lambda _connection: None))
        assert job is database._writes
        database.close()

    interleave(scenario, Database)


def test_a_read_sees_what_was_written_before() -> None:
    def scenario(threads: Threads) -> None:
        database = Database()
        database.put("two", write_two)
        _, seen = threads.run(partial(write_all, database), partial(database.read, count))
        assert seen == 2
        database.close()

    interleave(scenario, Database)


def test_a_read_may_meet_the_start_of_a_new_store(tmp_path: Path) -> None:
    numbers = itertools.count()

    def scenario(threads: Threads) -> None:
        folder = tmp_path / str(next(numbers))
        folder.mkdir()
        path = folder / "store.sqlite3"
        database = Database(path)
        anew = partial(database._start_anew, path, sqlite3.DatabaseError("damaged"))
        assert threads.run(anew, partial(database.read, count)) == [None, 0]
        database.close()

    interleave(scenario, Database)


def test_a_query_ends_before_its_connection_is_closed() -> None:
    def scenario(threads: Threads) -> None:
        database = Database()
        steps: list[int] = []

        def query(connection: sqlite3.Connection) -> None:
            steps.append(count(connection))
            steps.append(count(connection))

        def read() -> None:
            with contextlib.suppress(StoreError):  # closed before it began
                database.read(query)

        threads.run(read, database.close)
        assert steps in ([], [0, 0])

    interleave(scenario, Database, Here)


def look_up(export: GameExport) -> GameLookUp:
    """A look-up whose requests return the export."""
    return GameLookUp(lambda _game_id: export, between_s=0.0)


@pytest.mark.parametrize("status", ["started", "resign"])
def test_no_question_is_lost_while_another_is_answered(status: str) -> None:
    def scenario(threads: Threads) -> None:
        answers: list[Any] = []
        asking = look_up(GameExport(GAME_ID, status))
        asking.ask(GAME_ID, lambda _export: None, until_over=True)
        threads.run(partial(asking._look_up, GAME_ID), partial(asking.ask, GAME_ID, answers.append))
        open_question = asking._questions.get(GAME_ID)
        is_open = open_question is not None and any(one.on_answer == answers.append for one in open_question.waiters)
        assert len(answers) + is_open == 1

    interleave(scenario, GameLookUp)


def test_a_look_up_may_be_closed_while_a_question_is_answered() -> None:
    def scenario(threads: Threads) -> None:
        asking = look_up(GameExport(GAME_ID, "resign"))
        asking.ask(GAME_ID, lambda _export: None)
        threads.run(partial(asking._look_up, GAME_ID), asking.close)
        assert not asking._questions

    interleave(scenario, GameLookUp)


def test_the_thread_is_woken_by_a_question() -> None:
    def scenario(threads: Threads) -> None:
        asking = look_up(GameExport(GAME_ID, "resign"))
        assert threads.run(asking._next, partial(asking.ask, GAME_ID, lambda _export: None))[0] == GAME_ID

    interleave(scenario, GameLookUp)
