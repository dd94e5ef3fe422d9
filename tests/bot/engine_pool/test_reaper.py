"""The process that ends the engines of a bot that is gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from bot.engine_pool.reaper import Reaper, kill_groups
from tests.helpers.processes import is_running, wait_until

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
