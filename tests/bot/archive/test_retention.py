"""What is older or more than wanted is removed, and nothing else."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from bot.archive import retention
from bot.archive.pgn_file import PgnFolder
from bot.archive.retention import DAY_S, EVERY_S, FIRST_S, doubt_about_clock, tidy
from bot.archive.store import Store
from bot.settings import RetentionSettings
from tests.helpers.ending import closed_at_end
from tests.helpers.finished_games import is_written, pgns_written, record, record_game
from tests.helpers.processes import wait_until

NOW_S = 1_000_000_000.0


def a_game(days: float, **fields: Any) -> Any:
    """A game that ended so many days ago, with a PGN."""
    game_id = f"game{round(days):04}"
    pgn = f'[Event "e"]\n[Site "https://lichess.test/{game_id}"]\n\n1. e4 *'
    return record(game_id, ended_s=NOW_S - days * DAY_S, pgn=pgn, **fields)


def filled(folder: Path, group: Any = "game") -> Store:
    """A store with games of 1, 10 and 100 days ago, their PGN files, and other files that are old."""
    store = Store(None, PgnFolder(folder / "pgn", group))
    for days in (1, 10, 100):
        record_game(store, a_game(days))
    assert wait_until(lambda: pgns_written(store))
    for name in ("pgn/strange.pgn", "bot.sqlite3"):
        (folder / name).touch()
        os.utime(folder / name, (0, NOW_S - 100 * DAY_S))
    return store


def tidied(store: Store, folder: Path, now_s: float = NOW_S, **limits: Any) -> tuple[list[str], set[str]]:
    """The games and files that are left after one round."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(retention, "time", SimpleNamespace(time=lambda: now_s))
        store.put("retention", partial(tidy, RetentionSettings(**limits), folder / "pgn"))
        assert is_written(store, 30.0)
    left = {path.name for path in (*folder.iterdir(), *(folder / "pgn").iterdir()) if path.is_file()}
    return [game.game_id for game in store.games()], left


FILES = {"game0001.pgn", "game0010.pgn", "game0100.pgn", "strange.pgn", "bot.sqlite3"}


@pytest.mark.parametrize(
    ("limits", "games", "removed"),
    [
        ({}, ["game0100", "game0010", "game0001"], set()),
        ({"games_days": 30}, ["game0010", "game0001"], {"game0100.pgn"}),
        ({"games_days": 1000}, ["game0100", "game0010", "game0001"], set()),
        ({"games": 1}, ["game0001"], set()),
        ({"games": 5}, ["game0100", "game0010", "game0001"], set()),
        ({"games": 2, "games_days": 5}, ["game0001"], {"game0100.pgn", "game0010.pgn"}),
    ],
)
def test_what_is_left(tmp_path: Path, limits: dict[str, int], games: list[str], removed: set[str]) -> None:
    store = closed_at_end(filled(tmp_path))
    with capture_logs() as lines:
        assert tidied(store, tmp_path, **limits) == (games, FILES - removed)
    assert {line["event"] for line in lines} == ({"old_games_removed"} if removed or len(games) < 3 else set())
    assert store.rows("SELECT COUNT(*) FROM pgns") == [(len(games),)]


def test_a_file_to_which_others_have_written_stays(tmp_path: Path) -> None:
    store = closed_at_end(filled(tmp_path))
    with (tmp_path / "pgn" / "game0100.pgn").open("a") as file:
        file.write("a game of mine")
    games, files = tidied(store, tmp_path, games_days=30)
    assert "game0100" not in games
    assert "game0100.pgn" in files


def test_a_shared_file_is_as_old_as_its_last_game(tmp_path: Path) -> None:
    store = closed_at_end(filled(tmp_path, "all"))
    assert "games.pgn" in tidied(store, tmp_path, games_days=30)[1]


@pytest.mark.parametrize(("ahead_days", "reason"), [(400, "even the newest game"), (-50, "in the future")])
def test_nothing_is_removed_while_the_clock_contradicts_the_newest_game(
    tmp_path: Path, ahead_days: int, reason: str, logs: list[EventDict]
) -> None:
    store = closed_at_end(filled(tmp_path))
    games, files = tidied(store, tmp_path, NOW_S + ahead_days * DAY_S, games_days=365, games=1)
    assert len(games) == 3
    assert files == FILES
    assert [line["event"] for line in logs] == ["retention_paused"]
    assert reason in logs[0]["reason"]


@pytest.mark.parametrize(
    ("began_ago_s", "speed", "is_doubtful"),
    [
        (600.0, "blitz", False),
        (400 * DAY_S, "blitz", True),  # the server's clock had the start, ours the end
        (400 * DAY_S, "correspondence", False),
        (-2 * DAY_S, "blitz", True),
    ],
)
def test_start_and_end_of_the_newest_game_show_a_wrong_clock(began_ago_s: float, speed: str, is_doubtful: bool) -> None:
    store = closed_at_end(Store())
    assert store.read(lambda connection: doubt_about_clock(connection, NOW_S, 0.0)) == ""
    record_game(store, a_game(0, begun_s=NOW_S - began_ago_s, speed=speed))
    is_written(store, 30.0)
    assert bool(store.read(lambda connection: doubt_about_clock(connection, NOW_S, 0.0))) is is_doubtful


def test_no_game_is_removed_before_its_pgn_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pgn").write_text("in the way")
    store = closed_at_end(Store(None, PgnFolder(tmp_path / "pgn")))
    for days in (1, 10, 100):
        record_game(store, a_game(days))
    monkeypatch.setattr(retention, "time", SimpleNamespace(time=lambda: NOW_S))
    limited = partial(tidy, RetentionSettings(games=1), tmp_path / "pgn")
    store.put("retention", limited)
    assert is_written(store, 30.0)
    assert len(store.games()) == 3
    (tmp_path / "pgn").unlink()
    assert wait_until(lambda: pgns_written(store))
    store.put("retention", limited)
    assert is_written(store, 30.0)
    assert len(store.games()) == 1


def test_it_begins_after_an_hour() -> None:
    assert (FIRST_S, EVERY_S) == (3600.0, 6 * 3600.0)


def test_a_file_that_cannot_be_removed_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = closed_at_end(filled(tmp_path))

    def fail(_self: Path, missing_ok: bool = False) -> None:
        raise PermissionError(13, f"Permission denied, missing_ok={missing_ok}")

    monkeypatch.setattr(Path, "unlink", fail)
    with capture_logs() as lines:
        assert tidied(store, tmp_path, games_days=30)[1] == FILES
    assert [line["event"] for line in lines] == ["old_file_not_removed", "old_games_removed"]
