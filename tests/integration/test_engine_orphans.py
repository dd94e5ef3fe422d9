"""However the bot ends, its engines end with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.processes import is_running, wait_until

ROOT = Path(__file__).resolve().parents[2]
HOST = """
import sys, time
import chess, chess.engine
from bot.engine_pool import EnginePool
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


@pytest.mark.parametrize("stopped", [False, True])
def test_engines_end_when_the_bot_is_killed(stopped: bool) -> None:
    host, engines = start_host("think")
    assert len(engines) == 3
    try:
        if stopped:
            # Faster than the watch: the host itself is halted first, so it cannot replace the stopped engines.
            os.kill(host.pid, signal.SIGSTOP)
            for pid in engines:
                os.kill(pid, signal.SIGSTOP)
        host.kill()
        assert wait_until(lambda: not any(is_running(pid) for pid in engines))
    finally:
        host.kill()
        host.communicate()


def test_an_interrupt_from_the_terminal_does_not_reach_the_engines() -> None:
    host, engines = start_host("think")
    try:
        assert all(os.getpgid(pid) == pid for pid in engines)
        assert os.getpgid(host.pid) not in engines
    finally:
        host.kill()
        host.communicate()
        assert wait_until(lambda: not any(is_running(pid) for pid in engines))
