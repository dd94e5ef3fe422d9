"""Processes of this machine: results in order, and no process outlives the one that started it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from concurrent.futures.process import BrokenProcessPool
from itertools import count, islice
from pathlib import Path

import psutil
import pytest

from engine88.training.cluster.pool import LocalPool, in_order


def square(first: int, second: int, item: int) -> int:
    return first * item * item + second


def end(first: int, second: int, item: int) -> int:
    os._exit(9)


def test_results_come_in_the_order_of_the_items() -> None:
    with LocalPool(2) as pool:
        assert list(in_order(pool, square, (2, pool.share(1)), range(60))) == [2 * n * n + 1 for n in range(60)]
        assert list(islice(in_order(pool, square, (1, 0), count()), 3)) == [0, 1, 4], "items need not end"


def test_a_process_that_is_ended_is_told_of() -> None:
    with LocalPool(1) as pool, pytest.raises(BrokenProcessPool):
        list(in_order(pool, end, (0, 0), range(3)))


PARENT = """
import os, sys
from engine88.training.cluster.pool import LocalPool
if __name__ == "__main__":
    with LocalPool(1) as pool:
        print(pool.submit(os.getpid).result(), flush=True)
        sys.stdin.read()
"""


def test_no_process_outlives_a_parent_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT, encoding="utf-8")
    command = [sys.executable, str(script)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
        parent.wait()
    with contextlib.suppress(psutil.NoSuchProcess):
        child.wait(60)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def test_leaving_ends_the_processes() -> None:
    with LocalPool(1) as pool:
        child = pool.submit(os.getpid).result()
    deadline = time.monotonic() + 60
    while psutil.pid_exists(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not psutil.pid_exists(child)
