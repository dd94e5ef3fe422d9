"""A backup is whole, also of a store that is being written, and never takes the place of another file."""

from __future__ import annotations

import os
import sqlite3
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest

from bot.archive import backup
from bot.archive.backup import back_up
from bot.archive.game_record import GameRecord
from bot.archive.store import Store
from bot.errors import StoreError
from tests.helpers.ending import closed_at_end
from tests.helpers.finished_games import is_written, keep, record, record_game


def game(number: int) -> GameRecord:
    return record(f"game{number:04}", ended_s=float(number + 1))


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """The folder of a bot with one game, in the store and in a file of PGN."""
    keep(tmp_path / "bot.sqlite3", game(0))
    (tmp_path / "pgn").mkdir()
    (tmp_path / "pgn" / "2026-11.pgn").write_text("[Event]\n", encoding="utf-8")
    return tmp_path


def restored(file: Path, folder: Path) -> list[GameRecord]:
    """The games of a backup, read by the program itself."""
    with zipfile.ZipFile(file) as archive:
        archive.extractall(folder)
    store = Store(folder / backup.STORE_NAME)
    games = store.games()
    store.close()
    return games


def test_store_and_pgn_are_in_it(kept: Path) -> None:
    made = back_up(kept / "bot.sqlite3", kept / "pgn", kept / "copy.zip")
    assert (made.games, made.pgn_files) == (1, 1)
    assert made.size_bytes == (kept / "copy.zip").stat().st_size
    assert restored(kept / "copy.zip", kept / "back") == [game(0)]
    assert (kept / "back" / "pgn" / "2026-11.pgn").read_text(encoding="utf-8") == "[Event]\n"
    assert (kept / "copy.zip").stat().st_mode & 0o077 == 0
    assert sorted(path.name for path in kept.iterdir() if path.name.startswith(".")) == []


def test_a_store_that_is_being_written_is_copied_as_it_was_at_one_moment(kept: Path) -> None:
    store = Store(kept / "bot.sqlite3")
    ended = threading.Event()

    def write() -> None:
        number = 1
        while not ended.is_set():
            record_game(store, game(number))
            is_written(store, 10.0)
            number += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        counts = [back_up(kept / "bot.sqlite3", None, kept / f"{number}.zip").games for number in range(5)]
    finally:
        ended.set()
        writer.join()
        store.close()
    for number, count in enumerate(counts):
        games = restored(kept / f"{number}.zip", kept / str(number))
        assert games == [game(index) for index in range(count)]  # none is missing in between
    assert counts == sorted(counts)


def test_a_file_that_exists_is_left_as_it_is(kept: Path) -> None:
    (kept / "copy.zip").write_text("precious")
    with pytest.raises(StoreError, match=r"copy\.zip: exists already"):
        back_up(kept / "bot.sqlite3", None, kept / "copy.zip")
    assert (kept / "copy.zip").read_text() == "precious"


def test_what_cannot_be_copied_is_named(kept: Path) -> None:
    with pytest.raises(StoreError, match=r"absent\.sqlite3: there is no such file"):
        back_up(kept / "absent.sqlite3", None, kept / "copy.zip")
    (kept / "text.sqlite3").write_text("no database " * 100)
    with pytest.raises(StoreError, match=r"text\.sqlite3: cannot be copied"):
        back_up(kept / "text.sqlite3", None, kept / "copy.zip")
    with pytest.raises(StoreError, match="the backup cannot be written"):
        back_up(kept / "bot.sqlite3", None, kept / "nowhere" / "copy.zip")
    assert not (kept / "copy.zip").exists()


def test_a_backup_that_fails_leaves_nothing_behind(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_arguments: object) -> int:
        raise OSError("No space left on device")

    monkeypatch.setattr(backup, "_write", full)
    with pytest.raises(StoreError, match="No space left"):
        back_up(kept / "bot.sqlite3", None, kept / "copy.zip")
    names = {path.name for path in kept.iterdir()}
    assert names - {"bot.sqlite3-shm", "bot.sqlite3-wal"} == {"bot.sqlite3", "pgn"}  # SQLite's own may stay


def test_a_file_that_appears_meanwhile_is_left_as_it_is(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = backup._write

    def slow(*words: Any) -> int:
        (kept / "copy.zip").write_text("precious")
        return write(*words)

    monkeypatch.setattr(backup, "_write", slow)
    with pytest.raises(StoreError, match="has appeared meanwhile"):
        back_up(kept / "bot.sqlite3", None, kept / "copy.zip")
    assert (kept / "copy.zip").read_text() == "precious"


def test_a_copy_that_is_damaged_is_no_backup(kept: Path) -> None:
    data = bytearray((kept / "bot.sqlite3").read_bytes())
    data[4096:] = bytes(index * 37 % 256 for index in range(len(data) - 4096))
    (kept / "bot.sqlite3").write_bytes(data)
    with pytest.raises(StoreError, match="cannot be copied"):
        back_up(kept / "bot.sqlite3", None, kept / "copy.zip")
    assert not (kept / "copy.zip").exists()


def test_a_file_that_no_archive_can_hold_is_an_error_of_the_backup(kept: Path) -> None:
    os.utime(kept / "pgn" / "2026-11.pgn", (0, 0))  # ZIP knows no time before 1980
    with pytest.raises(StoreError, match=r"the backup cannot be written: .*1980"):
        back_up(kept / "bot.sqlite3", kept / "pgn", kept / "copy.zip")
    assert not (kept / "copy.zip").exists()


def test_the_copy_needs_no_journal_beside_it(kept: Path) -> None:
    backup.copy_store(kept / "bot.sqlite3", kept / "copy.sqlite3")
    assert not list(kept.glob("copy.sqlite3-*"))
    connection = closed_at_end(sqlite3.connect(f"{(kept / 'copy.sqlite3').as_uri()}?mode=ro&immutable=1", uri=True))
    assert connection.execute("SELECT COUNT(*) FROM games").fetchone() == (1,)
