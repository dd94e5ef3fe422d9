"""No engine outlives the bot, however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.engine_pool import launch
from bot.engine_pool.reaper import Reaper, kill_groups
from tests.helpers.processes import is_running, wait_until

LAUNCHER = [sys.executable, "-I", "-S", str(Path(launch.__file__))]


def start(parent: int, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command through the launcher."""
    return subprocess.run([*LAUNCHER, str(parent), *command], capture_output=True, text=True, check=False, timeout=60)


def test_it_becomes_the_command() -> None:
    done = start(os.getpid(), sys.executable, "-c", "import sys; print(sys.argv[1:])", "a b", "$HOME")
    assert (done.returncode, done.stdout) == (0, "['a b', '$HOME']\n")


def test_a_command_that_does_not_exist_is_named() -> None:
    done = start(os.getpid(), "/no/such/engine")
    assert (done.returncode, done.stderr) == (127, "cannot start '/no/such/engine': No such file or directory\n")


@pytest.mark.skipif(sys.platform != "linux", reason="the parent-death signal of Linux")
def test_nothing_is_started_when_the_bot_has_ended_meanwhile() -> None:
    done = start(os.getpid() + 1, sys.executable, "-c", "print('started')")
    assert (done.returncode, done.stdout) == (1, "")
    assert "the bot ended before its engine could start" in done.stderr


pytestmark = pytest.mark.skipif(os.name != "posix", reason="process groups")


@pytest.fixture
def sleepers() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Three processes, each a group of its own."""
    command = [sys.executable, "-I", "-S", "-c", "import time; time.sleep(600)"]
    started = [subprocess.Popen(command, start_new_session=True) for _ in range(3)]
    yield started
    for process in started:
        process.kill()
        process.wait()


def killed(process: subprocess.Popen[bytes]) -> bool:
    """Whether it has ended by SIGKILL."""
    return process.poll() == -signal.SIGKILL


def test_what_is_listed_at_the_end_is_killed(sleepers: list[subprocess.Popen[bytes]]) -> None:
    one, two, three = sleepers
    kill_groups([f"+{one.pid}\n", f"+{two.pid}\n", f"-{one.pid}\n", "+99999999\n", f"+{three.pid}"])
    assert wait_until(lambda: killed(two))
    assert not killed(one)
    assert not killed(three)  # that line was cut off: it may be another number


def test_closing_kills_what_is_left_and_spares_what_was_removed(sleepers: list[subprocess.Popen[bytes]]) -> None:
    one, two, three = sleepers
    reaper = Reaper()
    assert reaper.pid is None
    for process in sleepers:
        reaper.add(process.pid)
    pid = reaper.pid
    reaper.remove(two.pid)
    reaper.remove(two.pid)
    assert pid is not None
    assert os.getpgid(pid) == pid  # a signal to the bot's group does not reach it
    assert not killed(one)
    reaper.close()
    reaper.close()
    reaper.remove(three.pid)  # too late, and no reason to start it again
    assert wait_until(lambda: killed(one) and killed(three))
    assert not killed(two)
    assert reaper.pid is None
    assert not is_running(pid)


def test_a_reaper_that_was_killed_is_started_again_with_its_list(sleepers: list[subprocess.Popen[bytes]]) -> None:
    one, two, _ = sleepers
    reaper = Reaper()
    reaper.add(one.pid)
    first = reaper.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    assert wait_until(lambda: not is_running(first))
    reaper.add(two.pid)
    assert reaper.pid not in (None, first)
    reaper.close()
    assert wait_until(lambda: killed(one) and killed(two))


ROOT = Path(__file__).resolve().parents[3]
PROGRAM = """
import gc, sys, time
import chess, chess.engine
from bot.engine_pool.pool import EnginePool
from tests.helpers.engines import tiny_entry
for round in range(6):
    pool = EnginePool([tiny_entry(sys.argv[1], "--think-ms", "600000", slots=1, spares=1)])
    pool.start()
    engine = pool.lend()
    engine.play(chess.Board(), chess.engine.Limit(time=600.0), on_done=print)
    time.sleep(round * 0.03)
    if round % 2:
        engine.give_back()
    pool.close()
    del pool, engine
    gc.collect()
"""


@pytest.mark.parametrize("behaviour", ["think", "crash"])
def test_closing_at_any_moment_is_silent(behaviour: str) -> None:
    program = subprocess.run(
        [sys.executable, "-X", "dev", "-c", PROGRAM, behaviour], capture_output=True, text=True, cwd=ROOT, timeout=200
    )
    assert program.returncode == 0, program.stderr
    for sign in ("Traceback", "ResourceWarning", "Exception ignored", "was destroyed", "never retrieved"):
        assert sign not in program.stderr
