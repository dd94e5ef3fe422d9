"""What is older or more than wanted is removed, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.archive.retention import DAY_S, Retention, remove_older
from bot.archive.store import Store
from bot.settings import RetentionSettings
from tests.bot.archive.test_kept_games import record
from tests.helpers.processes import wait_until

NOW_S = 1e9
NAMES = (
    "young.pgn",
    "old.pgn",
    "old.txt",
    "bot.sqlite3.schema-2",
    "bot.sqlite3.damaged-20200101T000000",
    "bot.sqlite3",
)


def kept(folder: Path, **limits: Any) -> tuple[list[str], set[str]]:
    """The games and files that are left of some, 1, 10 and 100 days old, one of them still running."""
    for name in NAMES:
        (folder / name).touch()
        os.utime(folder / name, (0, NOW_S - (1 if name == "young.pgn" else 100) * DAY_S))
    store = Store()
    for days in (1, 10, 100):
        store.record_game(record(f"game{days:04}", ended_s=NOW_S - days * DAY_S))
    store.record_game(record("running0", status="started", ended_s=0.0))
    settings = RetentionSettings(**limits)
    Retention(settings, store, folder / "bot.sqlite3", folder, lambda: NOW_S).tidy()
    store.flush(30.0)
    assert store.unfinished_games() == ["running0"]
    found = [game.game_id for game in store.games_since(0.0) if game.status != "started"]
    store.close()
    return found, set(NAMES) - {path.name for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("limits", "games", "removed"),
    [
        ({}, ["game0100", "game0010", "game0001"], set()),
        ({"games_days": 30}, ["game0010", "game0001"], {"old.pgn"}),
        ({"games_days": 1000}, ["game0100", "game0010", "game0001"], set()),
        ({"games": 1}, ["game0001"], set()),
        ({"games": 5}, ["game0100", "game0010", "game0001"], set()),
        ({"games": 2, "games_days": 5}, ["game0001"], {"old.pgn"}),
        ({"copies_days": 7}, ["game0100", "game0010", "game0001"], {*NAMES[3:5]}),
    ],
)
def test_what_is_left(tmp_path: Path, limits: dict[str, int], games: list[str], removed: set[str]) -> None:
    assert kept(tmp_path, **limits) == (games, removed)


@pytest.mark.parametrize(("games_days", "left"), [(0, 1), (1, 0)])
def test_it_begins_where_there_is_a_limit_and_ends(tmp_path: Path, games_days: int, left: int) -> None:
    store = Store()
    store.record_game(record("game0001", ended_s=1.0))
    retention = Retention(RetentionSettings(games_days=games_days), store, None, tmp_path)
    retention.start()
    assert wait_until(lambda: len(store.games_since(0.0)) == left)
    retention.stop()
    assert not retention._loop.running
    store.close()


@pytest.mark.parametrize(
    ("limits", "runs"), [({}, False), ({"games": 1}, True), ({"copies_days": 1}, True), ({"games_days": 1}, True)]
)
def test_its_thread_is_started_where_there_is_a_limit(tmp_path: Path, limits: dict[str, int], runs: bool) -> None:
    store = Store()
    retention = Retention(RetentionSettings(**limits), store, None, tmp_path)
    retention.start()
    assert retention._loop.running is runs
    retention.stop()
    store.close()


def test_what_was_removed_is_said_once_and_nothing_is_said_of_nothing(tmp_path: Path) -> None:
    with capture_logs() as lines:
        for limits in ({"games_days": 30}, {"games_days": 1000}, {"games": 1}, {"copies_days": 7}):
            kept(tmp_path, **limits)
    assert {line["event"] for line in lines} == {"old_games_removed"}
    assert [(line["games"], line["files"]) for line in lines] == [(1, 1), (2, 0), (0, 2)]


def test_a_file_written_at_the_very_moment_of_the_limit_stays(tmp_path: Path) -> None:
    for name, age_s in (("older", 2.0), ("limit", 1.0), ("younger", 0.0)):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (0, NOW_S - age_s))
    assert remove_older(tmp_path.iterdir(), NOW_S - 1.0) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["limit", "younger"]


def test_a_file_that_cannot_be_removed_is_said(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()  # which is no file
    with capture_logs() as lines:
        (tmp_path / "old").touch()
        assert remove_older([tmp_path / "x", tmp_path / "gone", tmp_path / "old"], 1e12) == 1
    assert [(line["event"], line["file"]) for line in lines] == [("old_file_not_removed", str(tmp_path / "x"))]
