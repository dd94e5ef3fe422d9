"""A store that cannot be opened is named with a remedy, and nothing of it is left open or half moved."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.archive.store import Store
from bot.archive.store_schema import open_database
from bot.errors import StoreError
from tests.bot.archive.test_store_schema import damage, old_store, version_of

__all__ = ["old_store"]

Connect = Callable[..., sqlite3.Connection]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[sqlite3.Connection]:
    """Every connection that is opened from now on."""
    found: list[sqlite3.Connection] = []
    connect: Connect = sqlite3.connect

    def note(*words: Any, **named: Any) -> sqlite3.Connection:
        found.append(connect(*words, **named))
        return found[-1]

    monkeypatch.setattr(sqlite3, "connect", note)
    return found


def is_closed(connection: sqlite3.Connection) -> bool:
    """Whether it was closed."""
    try:
        connection.execute("SELECT 1")
    except sqlite3.ProgrammingError:
        return True
    return False


def test_a_damaged_store_is_closed_before_it_is_moved_aside(tmp_path: Path, opened: list[sqlite3.Connection]) -> None:
    path = tmp_path / "store.sqlite3"
    Store(path).close()
    damage(path, "garbage header")
    opened.clear()
    connection = open_database(path)
    assert [is_closed(one) for one in opened] == [True, False]
    connection.close()


def test_a_store_of_a_newer_version_is_closed(tmp_path: Path, opened: list[sqlite3.Connection]) -> None:
    path = tmp_path / "store.sqlite3"
    with sqlite3.connect(path) as newer:
        newer.execute("PRAGMA user_version=99")
    newer.close()
    with pytest.raises(StoreError, match="newer version"):
        open_database(path)
    assert all(is_closed(one) for one in opened)


def test_a_damaged_store_that_cannot_be_moved_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "store.sqlite3"
    Store(path).close()
    damage(path, "garbage header")
    damaged = path.read_bytes()

    def fail(_self: Path, _target: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(StoreError, match=r"store\.sqlite3: cannot be used as the store: .*denied; name another file"):
        open_database(path)
    assert path.read_bytes() == damaged


@pytest.mark.parametrize("error", [sqlite3.OperationalError("disk is full"), OSError(28, "No space left on device")])
def test_a_copy_that_fails_stops_the_migration(
    old_store: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    connect: Connect = sqlite3.connect

    def fail_copy(path: Any, **named: Any) -> sqlite3.Connection:
        if str(path).endswith(".schema-0"):
            raise error
        return connect(path, **named)

    monkeypatch.setattr(sqlite3, "connect", fail_copy)
    with pytest.raises(StoreError, match="schema-0: the store cannot be copied"):
        open_database(old_store)
    monkeypatch.undo()
    assert version_of(old_store) == 0


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (sqlite3.OperationalError("unable to open database file"), "unable to open database file"),
        (PermissionError(13, "Permission denied"), "Permission denied"),
    ],
)
def test_what_cannot_be_opened_is_named_and_not_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    path = tmp_path / "store.sqlite3"
    Store(path).close()

    def fail(*_words: Any, **_named: Any) -> sqlite3.Connection:
        raise error

    monkeypatch.setattr(sqlite3, "connect", fail)
    with pytest.raises(StoreError, match=rf"store\.sqlite3: cannot be used as the store: .*{words}; name another"):
        open_database(path)
    assert [one.name for one in tmp_path.iterdir()] == ["store.sqlite3"]


def test_what_is_no_file_is_never_moved_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder, or a device that reads like a damaged database."""
    (tmp_path / "store").mkdir()

    def fail(*_words: Any, **_named: Any) -> sqlite3.Connection:
        raise sqlite3.DatabaseError("file is not a database")

    monkeypatch.setattr(sqlite3, "connect", fail)
    with pytest.raises(StoreError, match="cannot be used as the store: file is not a database"):
        open_database(tmp_path / "store")
    assert [one.name for one in tmp_path.iterdir()] == ["store"]


@pytest.mark.parametrize("text", ["für später", "x" * 5000, "y" * 511 + "ü" * 300])
def test_a_text_is_somebodys_file_and_no_damaged_store(tmp_path: Path, text: str) -> None:
    (tmp_path / "notes").write_text(text, encoding="utf-8")
    with pytest.raises(StoreError, match="cannot be used as the store"):
        open_database(tmp_path / "notes")
    assert (tmp_path / "notes").read_text(encoding="utf-8") == text


def test_a_new_store_that_cannot_be_begun_in_place_of_a_damaged_one_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "store.sqlite3"
    Store(path).close()
    damage(path, "garbage header")
    connect: Connect = sqlite3.connect

    def fail_new(name: Any, **named: Any) -> sqlite3.Connection:
        if not Path(name).exists():
            raise sqlite3.OperationalError("disk is full")
        return connect(name, **named)

    monkeypatch.setattr(sqlite3, "connect", fail_new)
    with pytest.raises(StoreError, match="cannot be used as the store: disk is full"):
        open_database(path)
