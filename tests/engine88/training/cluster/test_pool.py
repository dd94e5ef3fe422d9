"""The pool of this machine, and the choice of a pool."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from itertools import count, islice
from pathlib import Path

import psutil
import pytest

from engine88.training.cluster.pool import LocalPool, NoPool, PoolError, batch_of, in_order


def add(first: int, second: int, item: int) -> int:
    return first * item + second


def test_results_come_in_the_order_of_the_items() -> None:
    with NoPool() as pool:
        assert list(in_order(pool, add, (2, pool.share(1)), range(60))) == list(range(1, 121, 2))


def test_items_need_not_end() -> None:
    assert list(islice(in_order(NoPool(), add, (1, 0), count()), 3)) == [0, 1, 2]


@pytest.mark.parametrize("batch", [4, 7, 100])
def test_several_items_at_a_time_change_nothing(batch: int) -> None:
    with NoPool() as pool:
        assert list(in_order(pool, add, (2, pool.share(1)), range(60), batch)) == list(range(1, 121, 2))


@pytest.mark.parametrize(("nodes", "batch"), [(1, 2400), (150, 16), (400, 6), (2000, 1), (5000, 1)])
def test_long_games_are_handed_out_one_by_one(nodes: int, batch: int) -> None:
    with LocalPool(2) as pool:
        assert batch_of(1_000_000, pool, nodes) == batch


@pytest.mark.parametrize(("tasks", "batch"), [(0, 1), (15, 1), (16, 1), (31, 1), (32, 2), (1_000_000, 16)])
def test_tasks_are_handed_out_together_only_where_there_are_many(tasks: int, batch: int) -> None:
    """For each of two processes eight batches are under way."""
    with LocalPool(2) as pool:
        assert batch_of(tasks, pool, 150) == batch


def test_no_items_no_results() -> None:
    assert list(in_order(NoPool(), add, (1, 0), [])) == []


PARENT = """
import os, sys
from engine88.training.cluster.pool import LocalPool
if __name__ == "__main__":
    with LocalPool(1) as pool:
        print(pool.submit(os.getpid).result(), flush=True)
        sys.stdin.read()
"""


def end(first: int, second: int, item: int) -> int:
    os._exit(9)


def wait_until_gone(process: psutil.Process) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):
        process.wait(60)
    assert not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


def test_results_of_processes_come_in_the_order_of_the_items() -> None:
    with LocalPool(2) as pool:
        assert list(in_order(pool, add, (2, pool.share(1)), range(60))) == list(range(1, 121, 2))
        child = psutil.Process(pool.submit(os.getpid).result())
    wait_until_gone(child)


def test_a_process_that_is_killed_is_told_of() -> None:
    with LocalPool(1) as pool, pytest.raises(PoolError, match=r"was killed; start again where the results end"):
        list(in_order(pool, end, (0, 0), range(3)))


def test_no_process_outlives_a_parent_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT, encoding="utf-8")
    command = [sys.executable, str(script)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
        parent.wait()
    wait_until_gone(child)
