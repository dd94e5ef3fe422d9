"""The store's file: made, moved aside when it is older or damaged, refused when it is another program's or newer."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from bot.archive.store import Store
from bot.archive.store_file import SCHEMA_VERSION, open_store, version_of
from bot.errors import StoreError
from tests.helpers.ending import closed_at_end
from tests.helpers.finished_games import keep, record, record_game

Connect = Callable[..., sqlite3.Connection]


def damage(path: Path, kind: str) -> None:
    """Damage a store's file."""
    data = bytearray(path.read_bytes())
    if kind == "zeroed header":
        data[:100] = bytes(100)
    elif kind == "garbage header":
        data[:100] = bytes(range(150, 250))
    elif kind == "garbage pages":
        data[4096:] = bytes(index * 37 % 256 for index in range(len(data) - 4096))
    else:
        del data[len(data) // 2 + 100 :]
    path.write_bytes(data)


@pytest.mark.parametrize("kind", ["zeroed header", "garbage header", "garbage pages", "truncated"])
def test_a_damaged_store_is_moved_aside_with_one_line(tmp_path: Path, kind: str, logs: list[EventDict]) -> None:
    path = tmp_path / "store.sqlite3"
    keep(path, record())
    damage(path, kind)
    damaged = path.read_bytes()
    again = Store(path)
    (line,) = logs
    assert (line["event"], line["file"]) == ("store_damaged", str(path))
    assert Path(line["moved_to"]).read_bytes() == damaged
    record_game(again, record())
    assert again.games() == [record()]
    again.close()


@pytest.mark.parametrize("version", [0, 4])
def test_a_store_of_an_older_version_is_moved_aside_with_one_line(tmp_path: Path, version: int) -> None:
    path = tmp_path / "store.sqlite3"
    with sqlite3.connect(path) as older:
        older.execute("CREATE TABLE games (game_id TEXT)")
        older.execute(f"PRAGMA user_version={version}")
    older.close()
    with capture_logs() as logged:
        for _ in range(2):
            store = Store(path)
            assert store.games() == []
            store.close()
    (line,) = logged
    assert (line["event"], line["log_level"]) == ("older_store_moved_aside", "warning")
    moved = Path(line["moved_to"])
    assert moved.name.startswith(f"store.sqlite3.schema-{version}-")
    connection = closed_at_end(sqlite3.connect(path))
    assert version_of(connection) == SCHEMA_VERSION


def test_a_store_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    with sqlite3.connect(path) as newer:
        newer.execute("PRAGMA user_version=99")
    newer.close()
    with pytest.raises(StoreError, match=r"newer version of bot88 \(schema 99.*upgrade"):
        Store(path)
    assert [one.name for one in tmp_path.iterdir()] == ["store.sqlite3"]


@pytest.mark.parametrize("text", ["für später", "x" * 5000, "y" * 511 + "ü" * 300])
def test_a_text_is_no_damaged_store_and_stays(tmp_path: Path, text: str) -> None:
    (tmp_path / "notes.txt").write_text(text, encoding="utf-8")
    with pytest.raises(StoreError, match=r"notes\.txt: cannot be used as the store.*store:"):
        open_store(tmp_path / "notes.txt")
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == text


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StoreError, match="file"):
        Store(tmp_path / "file" / "store.sqlite3")


def test_the_start_waits_for_a_lock(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    Store(path).close()
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("PRAGMA locking_mode=EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    threading.Timer(1.0, other.close).start()
    store = closed_at_end(Store(path))
    assert store.games() == []


@pytest.mark.parametrize(
    ("error", "is_folder"),
    [
        (sqlite3.OperationalError("unable to open database file"), False),
        (PermissionError(13, "Permission denied"), False),
        (sqlite3.DatabaseError("file is not a database"), True),  # or a device that reads like a damaged database
    ],
)
def test_what_cannot_be_opened_is_named_and_not_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, is_folder: bool
) -> None:
    path = tmp_path / "store.sqlite3"
    path.mkdir() if is_folder else keep(path)

    def fail(*_words: Any, **_named: Any) -> sqlite3.Connection:
        raise error

    monkeypatch.setattr(sqlite3, "connect", fail)
    with pytest.raises(StoreError, match=r"store\.sqlite3: cannot be used as the store: .*; name another"):
        open_store(path)
    assert [one.name for one in tmp_path.iterdir()] == ["store.sqlite3"]


def test_a_damaged_store_that_cannot_be_moved_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "store.sqlite3"
    Store(path).close()
    damage(path, "garbage header")
    damaged = path.read_bytes()

    def fail(_self: Path, _target: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(StoreError, match=r"store\.sqlite3: cannot be used as the store: .*denied; name another file"):
        open_store(path)
    assert path.read_bytes() == damaged
