"""The store: what is written is read, from any thread, after a restart, and a bad file is named."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.account.store import GameRecord, Store
from bot.errors import StoreError
from bot.lichess.rate_limits import Window


def record(game_id: str, opponent: str = "ann", ended_s: float = 100.0) -> GameRecord:
    return GameRecord(game_id, opponent, False, "white", "standard", "blitz", True, "mate", "1-0", 33, ended_s)


def test_games_are_kept_once_each(tmp_path: Path) -> None:
    store = Store(tmp_path / "deep" / "store.sqlite3")
    store.record_game(record("a", ended_s=100.0))
    store.record_game(record("b", "bob", 200.0))
    store.record_game(record("a", ended_s=300.0))
    store.close()
    again = Store(tmp_path / "deep" / "store.sqlite3")
    assert [game.game_id for game in again.games_since(0.0)] == ["b", "a"]
    assert again.games_since(0.0, "bob") == [record("b", "bob", 200.0)]
    assert again.games_since(250.0, "bob") == []


def test_cool_downs() -> None:
    store = Store()
    assert store.cool_down_left_s("ann") == 0.0
    store.set_cool_down("ann", time.time() + 500)
    assert 400 < store.cool_down_left_s("ann") <= 500
    store.set_cool_down("ann", time.time() - 1)
    assert store.cool_down_left_s("ann") == 0.0


def test_windows_that_are_over_are_forgotten() -> None:
    store = Store()
    store.save_window("old", Window(time.time() - 1, 2))
    store.save_window("new", Window(time.time() + 100, 3))
    assert list(store.windows()) == ["new"]
    assert store.windows()["new"].strikes == 3


def test_many_threads_write_at_once(tmp_path: Path) -> None:
    store = Store(tmp_path / "store.sqlite3")

    def write(base: int) -> None:
        for number in range(20):
            store.record_game(record(f"{base}-{number}"))

    threads = [threading.Thread(target=write, args=(base,)) for base in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(store.games_since(0.0)) == 80


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("this is no database, and long enough to be read as one " * 20, encoding="utf-8")
    with pytest.raises(StoreError, match=r"notes\.txt.*store:"):
        Store(path)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StoreError, match="file"):
        Store(tmp_path / "file" / "store.sqlite3")


def test_a_store_that_fails_later_costs_the_record_only() -> None:
    store = Store()
    store.close()
    with capture_logs() as logged:
        store.record_game(record("a"))
    assert [line["event"] for line in logged] == ["store_write_failed"]
    with pytest.raises(StoreError, match="cannot be read"):
        store.games_since(0.0)
