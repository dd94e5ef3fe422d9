"""Store and PGN against kill -9 at the worst moments, a full disk and a locked file: each game is kept exactly once."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bot.archive.pgn_file import PgnFolder
from bot.archive.store import Store
from bot.fake_lichess import FakeLichess
from bot.fake_lichess.faults.fault_plan import FaultPlan, FaultRule
from bot.service.service import Service
from bot.settings import Settings
from tests.helpers.engines import tiny_entry
from tests.helpers.examples import first_quick
from tests.helpers.finished_games import enter, ids_in, pgns_written
from tests.helpers.playing import resigning_at
from tests.helpers.processes import wait_until

ROOT = Path(__file__).resolve().parents[2]
URL = "https://lichess.test"
GAMES = ("aaaaaaaa", "bbbbbbbb", "cccccccc", "dddddddd")

#: A bot's archive in a process of its own: enters the games given, with `trap` in place of a function of `os`.
PROGRAM = """
import os, signal, sys, time
from pathlib import Path
from bot.archive.pgn_file import PgnFolder
from bot.archive.store import Store
from tests.helpers.finished_games import enter, is_written, pgns_written

folder, trap, *game_ids = sys.argv[1:]

def die(*_arguments):
    os.kill(os.getpid(), signal.SIGKILL)

real_write = os.write

def write_half_and_die(fd, data):
    real_write(fd, bytes(data)[: len(data) // 2])
    die()

store = Store(Path(folder) / "store.sqlite3", PgnFolder(Path(folder) / "pgn"))
enter(store, game_ids[0])
while not pgns_written(store):
    time.sleep(0.01)
if trap == "before the file":
    os.open = die
elif trap == "in mid-write":
    os.write = write_half_and_die
elif trap == "before the mark":
    os.fsync = die
for game_id in game_ids[1:]:
    enter(store, game_id)
time.sleep(60)
"""


def check(folder: Path, expected: tuple[str, ...]) -> None:
    """Start again: store and PGN hold each game exactly once."""
    store = Store(folder / "store.sqlite3", PgnFolder(folder / "pgn"))
    assert wait_until(lambda: pgns_written(store))
    assert [game.game_id for game in store.games()] == list(expected)
    store.close()
    (file,) = (folder / "pgn").glob("*.pgn")
    assert ids_in(file.read_text(encoding="utf-8")) == list(expected)


@first_quick("trap", ["before the file", "in mid-write", "before the mark"])
def test_killed_between_store_and_pgn(tmp_path: Path, trap: str) -> None:
    for first in range(0, len(GAMES), 2):  # killed twice, each time with a game kept and one under way
        command = [sys.executable, "-c", PROGRAM, str(tmp_path), trap, *GAMES[first : first + 2]]
        done = subprocess.run(command, cwd=ROOT, timeout=60, check=False)
        assert done.returncode == -signal.SIGKILL
    check(tmp_path, GAMES)


#: Enters two games with files limited to a size that tears the second game, then lifts the limit.
FULL_DISK = """
import resource, sys, time
from pathlib import Path
from bot.archive.pgn_file import PgnFolder
from bot.archive.store import Store
from tests.helpers.finished_games import enter, is_written, pgns_written

folder = Path(sys.argv[1])
store = Store(folder / "store.sqlite3", PgnFolder(folder / "pgn"))
enter(store, "aaaaaaaa")
while not pgns_written(store):
    time.sleep(0.01)
(file,) = (folder / "pgn").glob("*.pgn")
size = file.stat().st_size
with file.open("ab") as filler:  # comments: the database is smaller than the limit then, and the PGN tears
    filler.write(b"{" + b"x" * 400_000 + b"}\\n\\n")
whole = file.read_bytes()
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + 100, hard))
enter(store, "bbbbbbbb")
while store._pgn_job.backoff.failures < 3:
    time.sleep(0.01)
assert file.read_bytes() == whole, "a torn game was left behind"
resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
while not pgns_written(store):
    time.sleep(0.01)
file.write_bytes(file.read_bytes().replace(b"{" + b"x" * 400_000 + b"}\\n\\n", b""))
store.close()
"""


@pytest.mark.slow
def test_the_disk_fills_up_while_a_pgn_is_written(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FULL_DISK, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, timeout=60, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("store_work_delayed") == 1
    check(tmp_path, GAMES[:2])


#: The same for the store's own file: the row waits until there is room.
FULL_STORE = """
import resource, sys, time
from pathlib import Path
from bot.archive.pgn_file import PgnFolder
from bot.archive.store import Store
from tests.helpers.finished_games import enter, is_written, pgns_written

folder = Path(sys.argv[1])
store = Store(folder / "store.sqlite3", PgnFolder(folder / "pgn"))
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (max(f.stat().st_size for f in folder.iterdir() if f.is_file()), hard))
for game_id in sys.argv[2:]:
    enter(store, game_id)
time.sleep(1.0)
assert not is_written(store, 0.1), "the disk was not full"
resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
while not pgns_written(store):
    time.sleep(0.01)
store.close()
"""


def test_the_disk_is_full_for_the_store(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FULL_STORE, str(tmp_path), *GAMES]
    done = subprocess.run(command, cwd=ROOT, timeout=60, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("store_work_delayed") == 1
    check(tmp_path, GAMES)


@pytest.mark.slow
def test_the_store_is_locked_while_games_end(tmp_path: Path) -> None:
    store = Store(tmp_path / "store.sqlite3", PgnFolder(tmp_path / "pgn"))
    other = sqlite3.connect(tmp_path / "store.sqlite3", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    begun = time.monotonic()
    for game_id in GAMES:
        enter(store, game_id)
    assert time.monotonic() - begun < 5.0
    time.sleep(7.0)
    other.rollback()
    other.close()
    assert wait_until(lambda: pgns_written(store))
    store.close()
    check(tmp_path, GAMES)


@pytest.mark.slow
def test_a_locked_store_delays_no_move(fake: FakeLichess, tmp_path: Path) -> None:
    """Limits are kept in the store, and a limited move must not wait for it."""
    fake.add_account("Shorty", script=resigning_at(16))
    content = {
        "lichess": {"url": fake.url, "token": fake.token("bot88")},
        "engines": [tiny_entry()],
        "store": tmp_path / "store.sqlite3",
        "pgn_folder": tmp_path / "pgn",
    }
    service = Service(Settings.model_validate(content))
    other = sqlite3.connect(tmp_path / "store.sqlite3", isolation_level=None)
    try:
        service.start()
        assert wait_until(lambda: fake.is_online("bot88"))
        other.execute("BEGIN EXCLUSIVE")
        fake.set_faults(FaultPlan(rules=(FaultRule(endpoint="move", fault="rate_limit", limit="html", times=3),)))
        game_id = fake.challenge("Shorty", "bot88", clock=(60, 0), color="white")
        report = fake.wait_for_end(game_id)
        other.rollback()
        assert (report.status, report.winner) == ("resign", "black")
        assert report.black_ms > 45_000  # three waits of a second, and none of five
        assert wait_until(lambda: service.store.game(game_id))
    finally:
        other.close()
        service.close()
    store = Store(tmp_path / "store.sqlite3")
    assert [game.game_id for game in store.games()] == [game_id]
    store.close()
    (file,) = (tmp_path / "pgn").iterdir()
    assert file.read_text(encoding="utf-8").count(f"/{game_id}") == 1
