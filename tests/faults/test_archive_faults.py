"""Rows A6, C1, C2, C3, D2 and D3: what is kept of finished games, and for how long."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from bot.fake_lichess import FakeConfig, FakeLichess
from bot.fake_lichess.faults.fault_plan import FaultPlan, FaultRule
from tests.helpers.archive_load import fill, keep_notes_while_locked, refresh_ms, rule_ms
from tests.helpers.fake import FAST
from tests.helpers.playing import resigning_at
from tests.helpers.processes import wait_until
from tests.helpers.running_bot import running_bot

DAY_S = 86_400.0


@pytest.fixture
def fake() -> Iterator[FakeLichess]:
    """A fast server whose games end as their opponents' scripts say."""
    with FakeLichess(FakeConfig(**FAST, auto_threefold=False)) as server:
        yield server


@pytest.fixture(scope="module")
def full_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with 20,000 games of 4 kB each, 7 % of them with one opponent."""
    path = tmp_path_factory.mktemp("full") / "store.sqlite3"
    fill(path, 20_000)
    return path


def pgn_in(folder: Path) -> str:
    """All PGN of a folder."""
    return "".join(file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.pgn")))


def games_in(pgn: str) -> int:
    """How many games a PGN holds."""
    return pgn.count("[Event ")


def has_games(folder: Path, number: int) -> bool:
    """Whether the PGN of a folder holds so many games."""
    return games_in(pgn_in(folder)) == number


def kept_in(folder: Path, **settings: object) -> dict[str, Any]:
    """Settings that keep store and PGN in a folder."""
    return {"store": str(folder / "store.sqlite3"), "pgn_folder": str(folder / "pgn")} | settings


def play(fake: FakeLichess, opponent: str = "Shorty") -> None:
    """Play a short game that the opponent resigns; the default settings allow few games per opponent."""
    if fake.call(lambda: fake.world.registry.find(opponent)) is None:
        fake.add_account(opponent, script=resigning_at(4))
    fake.wait_for_end(fake.challenge(opponent, "bot88", clock=(60, 0), color="white"))


@pytest.mark.slow
def test_a6_a_rule_is_fast_in_a_full_store(full_store: Path) -> None:
    """A fifth of the games of the benchmark, hence a fifth of its 50 ms."""
    assert rule_ms(full_store) < 10.0


@pytest.mark.slow
def test_a6_the_dashboard_refreshes_fast_from_a_full_store(full_store: Path) -> None:
    assert refresh_ms(full_store) < 10.0


@pytest.mark.slow
def test_c1_a_game_looked_up_later_has_the_date_of_its_last_move(fake: FakeLichess, tmp_path: Path) -> None:
    moved_s = time.time() - 2 * DAY_S
    with running_bot(fake, tmp_path, **kept_in(tmp_path, pgn={"group": "month"})) as bot:
        game_id = fake.challenge("Alice", "bot88", clock=(300, 0), color="white")
        fake.wait_for_game(game_id)
        fake.player("Alice", game_id).move("e2e4")
        fake.wait_for_moves(game_id, 2)
        silent = FaultRule(endpoint="game_stream", fault="keepalives_only")
        closed = FaultRule(endpoint="game_stream", fault="status", status=502, at="open")
        fake.set_faults(FaultPlan(rules=(silent, closed)))
        fake.player("Alice", game_id).resign()
        fake.call(lambda: setattr(fake.world.game(game_id), "last_move_at_ms", round(moved_s * 1000)))
        assert wait_until(bot.games)
        (game,) = bot.games()
    assert game["status"] == "resign"
    assert game["ended_s"] == pytest.approx(moved_s, abs=1.0)
    (file,) = (tmp_path / "pgn").iterdir()
    assert file.stem == time.strftime("%Y-%m", time.gmtime(moved_s))


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(psutil.Process, "io_counters"), reason="needs the count of bytes read by a process")
def test_c2_a_game_is_appended_without_reading_the_whole_file(fake: FakeLichess, tmp_path: Path) -> None:
    folder, filler_bytes = tmp_path / "pgn", 100_000_000
    with running_bot(fake, tmp_path, **kept_in(tmp_path, pgn={"group": "all"})) as bot:
        for number in range(1, 4):
            read_before = psutil.Process(bot.process.pid).io_counters().read_chars
            play(fake, f"Shorty{number}")
            assert wait_until(partial(has_games, folder, number))
            if number == 1:
                with (folder / "games.pgn").open("ab") as file:  # another program may have written; read once
                    file.write(b"{" + b"x" * filler_bytes + b"}\n\n")
        read_bytes = psutil.Process(bot.process.pid).io_counters().read_chars - read_before
    assert read_bytes < filler_bytes / 2  # what a child process has read counts when it ends, some 12 MB


def test_c3_a_locked_store_does_not_fill_the_memory_and_loses_no_game(tmp_path: Path) -> None:
    megabytes, games = keep_notes_while_locked(tmp_path / "store.sqlite3", notes=60_000, games=500)
    assert games == 500
    assert megabytes < 5.0


def make_older(store: Path, days: float) -> None:
    """Let the games of a store end so much earlier, as if the clock were ahead now."""
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE games SET ended_s = ended_s - ?", (days * DAY_S,))


@pytest.mark.slow
def test_d2_nothing_is_deleted_at_the_start(fake: FakeLichess, tmp_path: Path) -> None:
    """The clock may be wrong: a machine without a battery learns the time after it has started."""
    folder = tmp_path / "pgn"
    settings = kept_in(tmp_path, retention={"games_days": 365})
    with running_bot(fake, tmp_path, **settings) as bot:
        play(fake)
        assert wait_until(lambda: games_in(pgn_in(folder)) == 1)
    make_older(tmp_path / "store.sqlite3", days=400)
    strange = folder / "my own games.pgn"
    strange.write_text("not written by the bot\n", encoding="utf-8")
    for file in folder.glob("*.pgn"):
        os.utime(file, (0, time.time() - 400 * DAY_S))
    with running_bot(fake, tmp_path, **settings) as bot:
        time.sleep(1.0)
        assert len(bot.games()) == 1
    assert strange.exists()
    assert games_in(pgn_in(folder)) == 1


@pytest.mark.slow
def test_d3_no_game_leaves_the_store_before_its_pgn_is_written(fake: FakeLichess, tmp_path: Path) -> None:
    folder = tmp_path / "pgn"
    settings = kept_in(tmp_path, pgn={"group": "all"}, retention={"games": 2})
    folder.write_text("in the way of the folder", encoding="utf-8")
    with running_bot(fake, tmp_path, **settings) as bot:
        for number in range(3):
            play(fake, f"Shorty{number}")
        assert wait_until(lambda: len(bot.games()) == 3)
    with running_bot(fake, tmp_path, **settings) as bot:
        time.sleep(1.0)  # it tidies up
        folder.unlink()
        assert wait_until(lambda: folder.is_dir() and games_in(pgn_in(folder)) == 3, timeout_s=30.0)
