"""The store: what is written is read, from any thread and after a restart, and each game is kept once."""

from __future__ import annotations

import math
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from bot.archive.pgn_file import Group, PgnFolder
from bot.archive.store import CoolDown, Store, read_games
from bot.errors import StoreError
from bot.events.game import Outcome
from bot.lichess.rate_limits import Window
from tests.helpers.ending import closed_at_end
from tests.helpers.finished_games import enter, ids_in, is_written, record, record_game
from tests.helpers.processes import wait_until


def pgn_in(folder: Path) -> str:
    """The one file of the folder."""
    (file,) = folder.glob("*.pgn")
    return file.read_text(encoding="utf-8")


def test_games_survive_a_restart_and_the_first_record_of_a_game_stays(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "deeper" / "store ?.sqlite3"
    store = Store(path)
    first = record("aaaaaaaa", ended_s=100.0, pgn="1. e4 1-0", my_rating=2000)
    record_game(store, first)
    record_game(store, record("bbbbbbbb", Outcome.LOSS, opponent_id="bob", ended_s=200.0))
    record_game(store, record("aaaaaaaa", None, ended_s=300.0))
    assert [game.game_id for game in store.games()] == ["aaaaaaaa", "bbbbbbbb"]
    is_written(store, 5.0)
    while_open = read_games(path, with_pgn=True)
    store.close()
    again = closed_at_end(Store(path))
    assert while_open == read_games(path, with_pgn=True)
    assert again.game("aaaaaaaa") == first
    assert again.game("cccccccc") is None
    assert [game.game_id for game in again.games(150.0)] == ["bbbbbbbb"]
    assert [game.game_id for game in read_games(path, opponent_id="bob")] == ["bbbbbbbb"]
    assert [game.game_id for game in again.games(newest=1)] == ["bbbbbbbb"]
    assert again.games()[0].pgn == ""
    assert again.outcomes() == {Outcome.WIN: 1, Outcome.LOSS: 1}
    assert again.outcomes(0.0, "bob") == {Outcome.LOSS: 1}
    assert again.outcomes(250.0).total() == 0


@pytest.mark.parametrize(
    "fields",
    [{"ended_s": math.nan}, {"ended_s": 253402300800.0}, {"ended_s": -1.0}, {"plies": "many"}, {"outcome": "?"}],
)
def test_a_record_that_no_reader_could_use_is_refused(fields: dict[str, Any], logs: list[EventDict]) -> None:
    store = closed_at_end(Store())
    record_game(store, record(**fields))
    record_game(store, record("bbbbbbbb"))
    assert [game.game_id for game in store.games()] == ["bbbbbbbb"]
    assert [line["event"] for line in logs] == ["store_write_failed"]


def test_many_threads_write_at_once(tmp_path: Path) -> None:
    store = closed_at_end(Store(tmp_path / "store.sqlite3"))

    def write(base: int) -> None:
        for number in range(20):
            record_game(store, record(f"{base}-{number}"))

    threads = [threading.Thread(target=write, args=(base,)) for base in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    is_written(store, 30.0)
    assert len(store.games()) == 80


def test_windows_notes_and_what_matchmaking_remembers_survive_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    store = Store(path)
    store.save_window("old", Window(time.time() - 1, 2))
    for strikes in (2, 3):
        store.save_window("new", Window(time.time() + 100, strikes))
    store.save_stream_opens([1.5])
    store.save_match_cool_down("other", "speed bullet", CoolDown(10.0, 1))
    store.save_match_cool_down("other", "speed bullet", CoolDown(20.0, 2))
    store.save_match_cool_down("third", "everything", CoolDown(5.0, 1))
    store.close()
    again = closed_at_end(Store(path))
    assert {name: window.strikes for name, window in again.windows().items()} == {"new": 3}
    assert again.stream_opens() == [1.5]
    assert again.match_cool_downs("other") == {"speed bullet": CoolDown(20.0, 2)}
    again.clear_match_cool_downs("other")
    assert again.match_cool_downs("other") == {}
    assert again.match_cool_downs("third") == {"everything": CoolDown(5.0, 1)}


@pytest.mark.parametrize(
    "value", ["", "garbage", "[1, {", "[null]", '["x"]', "[1e999]", f"[1{'0' * 400}]", "[" * 100_000]
)
def test_a_damaged_note_is_ignored(value: str, logs: list[EventDict]) -> None:
    store = closed_at_end(Store())
    store.execute("REPLACE INTO notes VALUES ('stream_opens', ?)", value)
    assert store.stream_opens() == []
    assert [line["event"] for line in logs] == ["store_value_ignored"]


def test_games_that_began_are_remembered_until_they_are_recorded(tmp_path: Path) -> None:
    store = Store(tmp_path / "store.sqlite3")
    for game_id in ("aaaaaaaa", "bbbbbbbb", "aaaaaaaa"):
        store.note_begun(game_id)
    store.close()
    again = closed_at_end(Store(tmp_path / "store.sqlite3"))
    assert again.unfinished_games() == ["aaaaaaaa", "bbbbbbbb"]
    record_game(again, record("aaaaaaaa"))
    assert again.unfinished_games() == ["bbbbbbbb"]


def test_what_is_no_store_is_named_and_left_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"none\.sqlite3: there is no such file"):
        read_games(tmp_path / "none.sqlite3")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "notes").write_text("no database " * 100, encoding="utf-8")
    with pytest.raises(StoreError, match="notes: cannot be read as a store"):
        read_games(tmp_path / "notes")
    (tmp_path / "empty").touch()
    with pytest.raises(StoreError, match="no such table: games"):
        read_games(tmp_path / "empty")
    with sqlite3.connect(tmp_path / "older") as older:
        older.execute("CREATE TABLE games (game_id TEXT)")
        older.execute("PRAGMA user_version=4")
    older.close()
    with pytest.raises(StoreError, match="a store of another version"):
        read_games(tmp_path / "older")


def test_games_are_written_as_pgn_once_each_also_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    store = Store(path)  # killed before a file was written
    enter(store, "aaaaaaaa")
    enter(store, "aaaaaaaa")
    store.close()
    for _ in range(2):
        again = Store(path, PgnFolder(tmp_path / "pgn"))
        enter(again, "bbbbbbbb")
        again.close()
    assert ids_in(pgn_in(tmp_path / "pgn")) == ["aaaaaaaa", "bbbbbbbb"]


def test_a_folder_that_cannot_be_written_is_reported_once_and_delays_no_record(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with capture_logs() as logged:
        store = Store(None, PgnFolder(tmp_path / "file"))
        enter(store, "aaaaaaaa")
        assert len(store.games()) == 1
        assert wait_until(lambda: store._pgn_job is not None and store._pgn_job.backoff.failures >= 3)
    assert [(line["event"], line["what"]) for line in logged] == [("store_work_delayed", "pgn")]
    (tmp_path / "file").unlink()
    assert wait_until(lambda: (tmp_path / "file").is_dir())
    store.close()
    assert ids_in(pgn_in(tmp_path / "file")) == ["aaaaaaaa"]


@pytest.mark.parametrize(
    ("group", "files"),
    [
        ("game", ["aaaaaaaa.pgn", "bbbbbbbb.pgn", "cccccccc.pgn"]),
        ("opponent", ["______etc_x.pgn", "anonymous.pgn"]),
        ("month", ["2023-11.pgn"]),
        ("all", ["games.pgn"]),
    ],
)
def test_games_share_a_file_as_configured(tmp_path: Path, group: Group, files: list[str]) -> None:
    store = Store(None, PgnFolder(tmp_path, group))
    hostile = {"id": "../../etc/x", "name": "X"}
    for game_id, black in (("aaaaaaaa", {"aiLevel": 3}), ("bbbbbbbb", hostile), ("cccccccc", hostile)):
        enter(store, game_id, black=black)
    store.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == files
    texts = [path.read_text(encoding="utf-8") for path in sorted(tmp_path.iterdir())]
    assert sorted(game_id for text in texts for game_id in ids_in(text)) == ["aaaaaaaa", "bbbbbbbb", "cccccccc"]
