"""However the bot ends, its engines end with it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.helpers.processes import is_running, wait_until

ROOT = Path(__file__).resolve().parents[2]
HOST = """
import sys, time
import chess, chess.engine
from bot.engine_pool.pool import EnginePool
from tests.helpers.engines import tiny_entry
pool = EnginePool([tiny_entry(sys.argv[1], "--think-ms", "600000", slots=2)])
pool.start()
engine = pool.lend()
engine.play(chess.Board(), chess.engine.Limit(time=600.0), on_done=print)
while len(pool.snapshot()[0].pids) < 3 or engine.pid is None:
    time.sleep(0.01)
print(*pool.snapshot()[0].pids, flush=True)
time.sleep(600)
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="signals and /proc of Linux")


def start_host(behaviour: str) -> tuple[subprocess.Popen[str], list[int]]:
    """A program with a pool: the process and its engines' ids."""
    host = subprocess.Popen(
        [sys.executable, "-c", HOST, behaviour], stdout=subprocess.PIPE, text=True, cwd=ROOT, start_new_session=True
    )
    assert host.stdout is not None
    return host, [int(pid) for pid in host.stdout.readline().split()]


@pytest.mark.slow
@pytest.mark.parametrize("stopped", [False, True])
def test_engines_end_when_the_bot_is_killed(stopped: bool) -> None:
    host, engines = start_host("think")
    assert len(engines) == 3
    try:
        if stopped:
            # Faster than the health check: the host itself is halted first, so it cannot replace the stopped engines.
            os.kill(host.pid, signal.SIGSTOP)
            for pid in engines:
                os.kill(pid, signal.SIGSTOP)
        host.kill()
        assert wait_until(lambda: not any(is_running(pid) for pid in engines))
    finally:
        host.kill()
        host.communicate()


WRAPPED_HOST = """
import sys, time
import chess, chess.engine
from bot.engine_pool.pool import EnginePool
from bot.settings import EngineEntry
from tests.helpers.engines import tiny_engine
shell = " ".join(tiny_engine("hang")) + "; true"
pool = EnginePool([EngineEntry(name="wrapped", command=("sh", "-c", shell))])
pool.start()
engine = pool.lend()
while engine.pid is None:
    time.sleep(0.01)
engine.play(chess.Board(), chess.engine.Limit(time=600.0), on_done=print)
print(engine.pid, flush=True)
time.sleep(600)
"""


def processes_of_group(group: int) -> list[int]:
    """Every process of the group that can still do something."""
    found = []
    for pid in psutil.pids():
        with contextlib.suppress(ProcessLookupError):
            if os.getpgid(pid) == group and is_running(pid):
                found.append(pid)
    return found


@pytest.mark.slow
def test_engines_behind_a_shell_end_when_the_bot_is_killed_twelve_times() -> None:
    hosts = []
    for _ in range(12):
        command = [sys.executable, "-c", WRAPPED_HOST]
        hosts.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, start_new_session=True))
    groups = []
    for number, host in enumerate(hosts):
        assert host.stdout is not None
        groups.append(int(host.stdout.readline()))
        assert len(processes_of_group(groups[-1])) == 2  # the shell and the engine
        time.sleep(0.02 * number)
        host.kill()
        host.communicate()
    assert wait_until(lambda: not [pid for group in groups for pid in processes_of_group(group)], timeout_s=20.0)


def test_an_interrupt_from_the_terminal_does_not_reach_the_engines() -> None:
    host, engines = start_host("think")
    try:
        assert all(os.getpgid(pid) == pid for pid in engines)
        assert os.getpgid(host.pid) not in engines
    finally:
        host.kill()
        host.communicate()
        assert wait_until(lambda: not any(is_running(pid) for pid in engines))
