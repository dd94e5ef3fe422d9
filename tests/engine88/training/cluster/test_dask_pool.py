"""A Dask cluster of this machine: results in order, also where a process is killed; a scheduler that is not there."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from engine88.training.cluster.dask_pool import DaskPool, connect, local_cluster
from engine88.training.cluster.pool import PoolError, in_order


@pytest.fixture(name="pool", scope="module")
def _pool() -> Iterator[DaskPool]:
    with local_cluster(2) as pool:
        assert pool.workers == 2
        yield pool


def untold(line: str) -> None:
    raise AssertionError(line)


def add(first: int, second: int, item: int) -> int:
    return first * item + second


def fail(first: int, second: int, item: int) -> int:
    raise ValueError(f"no {item}")


def killed_once(marker: str, second: int, item: int) -> int:
    """The first process that gets to item 5 is killed."""
    if item == 5:
        try:
            Path(marker).touch(exist_ok=False)
        except FileExistsError:
            return item + second
        os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(60)
    return item + second


def test_results_come_in_the_order_of_the_items(pool: DaskPool) -> None:
    assert list(in_order(pool, add, (2, pool.share(1)), range(60))) == list(range(1, 121, 2))


def test_an_error_of_a_task_comes_back(pool: DaskPool) -> None:
    with pytest.raises(ValueError, match="no 0"):
        list(in_order(pool, fail, (0, 0), range(3)))


def test_a_killed_process_loses_nothing(pool: DaskPool, tmp_path: Path) -> None:
    marker = tmp_path / "killed"
    assert list(in_order(pool, killed_once, (str(marker), pool.share(100)), range(40))) == list(range(100, 140))
    assert marker.exists()


def test_a_second_client_works_on_the_same_cluster(pool: DaskPool) -> None:
    with connect(pool.client.scheduler.address, untold) as other:
        assert other.submit(add, 2, 3, 4).result() == 11
    assert pool.submit(add, 2, 3, 5).result() == 13, "it leaves the cluster as it was"


def test_no_scheduler_is_one_line_that_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine88.training.cluster.dask_pool._CONNECT_S", 0.5)
    with pytest.raises(PoolError, match=r"tcp://127\.0\.0\.1:1: no scheduler can be reached"):
        connect("tcp://127.0.0.1:1", untold)
    with pytest.raises(PoolError, match="nonsense: no scheduler can be reached"):
        connect("nonsense", untold)
