"""The store: what is written is read, from any thread, after a restart, and a bad file is named."""

from __future__ import annotations

import sqlite3
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.archive import store as store_module
from bot.archive.store import CoolDown, GameRecord, Store
from bot.errors import StoreError
from bot.lichess.rate_limits import Window


def record(game_id: str, opponent: str = "ann", ended_s: float = 100.0) -> GameRecord:
    return GameRecord(game_id, opponent, False, "white", "standard", "blitz", True, "mate", "1-0", 33, ended_s)


def test_games_are_kept_once_each(tmp_path: Path) -> None:
    store = Store(tmp_path / "deep" / "deeper" / "store.sqlite3")
    store.record_game(record("a", ended_s=100.0))
    store.record_game(record("b", "bob", 200.0))
    store.record_game(record("a", ended_s=300.0))
    store.close()
    again = Store(tmp_path / "deep" / "deeper" / "store.sqlite3")
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


def test_a_locked_store_costs_nothing_but_time(tmp_path: Path) -> None:
    """Locked for 18 s by another program, a store once lost what was written meanwhile."""
    path = tmp_path / "store.sqlite3"
    store = Store(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    begun = time.monotonic()
    store.record_game(record("a"), "1. e4 *")
    store.save_window("challenge", Window(time.time() + 100, 3))
    assert time.monotonic() - begun < 0.5
    assert store.has_finished_game("a")
    time.sleep(6.0)  # longer than the five seconds after which a write was given up
    assert not store.flush(0.1)
    other.rollback()
    other.close()
    assert store.flush(15.0)
    assert store.games_without_pgn() == [(record("a"), "1. e4 *")]
    assert store.windows()["challenge"].strikes == 3
    store.close()


@pytest.mark.parametrize(
    "value",
    ["", "garbage", "[1, {", '{"a": 1}', "[null]", '["x"]', "[1e999]", f"[1{'0' * 400}]", "[" * 100_000],
)
def test_a_damaged_note_is_ignored_with_one_line(value: str, tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    store = Store(path)
    store._execute("REPLACE INTO notes VALUES ('stream_opens', ?)", value)
    with capture_logs() as logged:
        assert store.stream_opens() == store.stream_opens() == []
    expected = [] if value == '{"a": 1}' else ["store_value_ignored"]
    assert [line["event"] for line in logged] in (expected, ["store_value_ignored"])
    store.save_stream_opens([1.5])
    assert store.stream_opens() == [1.5]
    store.close()


def test_damaged_rows_are_ignored_with_one_line_each() -> None:
    store = Store()
    store.record_game(record("good"))
    store.record_game(record("bad"))
    store.save_window("chat", Window(time.time() + 100))
    store._execute("UPDATE games SET plies = 'many' WHERE game_id = 'bad'")
    store._execute("INSERT INTO windows VALUES ('move', 'soon', 1), ('account', 1e999, 1), ('x', 9e9, 'y')")
    store._execute("INSERT INTO windows VALUES ('answer', 9e9, 1e999)")
    store.save_window("late", Window(time.time() + 100))
    store._execute("INSERT INTO cool_downs VALUES ('ann', X'ff00')")
    store.save_match_cool_down("foe", "everything", CoolDown(9e9, 1))
    store._execute("INSERT INTO match_cool_downs VALUES ('foe', 'speed blitz', 'soon', 1), ('bob', 'x', 9e9, 1e999)")
    with capture_logs() as logged:
        for _ in range(2):
            assert [game.game_id for game in store.games_since(0.0)] == ["good"]
            assert list(store.windows()) == ["chat", "late"]
            assert store.cool_down_left_s("ann") == 0.0
            assert store.match_cool_downs("foe") == {"everything": CoolDown(9e9, 1)}
            assert store.match_cool_downs("bob") == {}
    assert sorted(f"{line['table']}.{line['key']}" for line in logged) == [
        "cool_downs.ann", "games.bad", "match_cool_downs.bob", "match_cool_downs.foe",
        "windows.account", "windows.answer", "windows.move", "windows.x",
    ]  # fmt: skip


def test_games_that_began_are_remembered_until_they_are_kept(tmp_path: Path) -> None:
    store = Store(tmp_path / "store.sqlite3")
    for game_id in ("a", "b", "c"):
        store.note_begun(game_id)
    store.record_game(record("a"))
    store.note_finished("b")
    store.close()
    again = Store(tmp_path / "store.sqlite3")
    assert again.unfinished_games() == ["c"]
    assert [again.has_finished_game(game_id) for game_id in ("a", "b", "c")] == [True, False, False]
    again.close()


def test_games_that_began_are_remembered_until_their_result_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    store = Store(path)
    for game_id in ("aaaaaaaa", "bbbbbbbb", "aaaaaaaa"):
        store.note_begun(game_id)
    store.close()
    again = Store(path)
    assert again.unfinished_games() == ["aaaaaaaa", "bbbbbbbb"]
    again.note_finished("aaaaaaaa")
    assert again.unfinished_games() == ["bbbbbbbb"]


def test_a_row_without_a_result_is_no_finished_game() -> None:
    store = Store()
    running = GameRecord("aaaaaaaa", "alice", False, "white", "standard", "blitz", False, "started", "*", 4, 1.0)
    store.record_game(running)
    assert not store.has_finished_game("aaaaaaaa")
    assert store.unfinished_games() == ["aaaaaaaa"]
    store.record_game(replace(running, status="resign", result="1-0"))
    assert store.has_finished_game("aaaaaaaa")
    assert store.unfinished_games() == []


def test_what_matchmaking_remembers_survives_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    store = Store(path)
    store.save_match_cool_down("other", "speed bullet", CoolDown(10.0, 1))
    store.save_match_cool_down("other", "speed bullet", CoolDown(20.0, 2))
    store.save_match_cool_down("third", "everything", CoolDown(5.0, 1))
    store.note_match_game("aaaaaaaa", 100.0)
    store.note_match_game("bbbbbbbb", 200.0)
    store.close()
    again = Store(path)
    assert again.match_cool_downs("other") == {"speed bullet": CoolDown(20.0, 2)}
    assert again.match_games_since(100.0) == 1
    again.clear_match_cool_downs("other")
    assert again.match_cool_downs("other") == {}
    assert again.match_cool_downs("third") == {"everything": CoolDown(5.0, 1)}


def test_games_written_long_ago_are_known_from_the_disk_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "QUEUED_REMEMBERED", 3)
    store = Store()
    for number in range(10):
        store.record_game(record(f"game{number}"))
    store.flush(5.0)
    assert list(store._queued_games) == ["game7", "game8", "game9"]
    assert all(store.has_finished_game(f"game{number}") for number in range(10))
