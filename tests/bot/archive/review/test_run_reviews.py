"""Many reviews: by threads, and by a Dask cluster."""

from __future__ import annotations

import contextlib
import sys
import threading
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bot.archive.review import run_reviews as module
from bot.archive.review.review_game import ReviewTask
from bot.archive.review.run_reviews import Listener, cluster_executor, local_executor, run_reviews
from bot.errors import ConfigurationError
from tests.bot.archive.review.test_review_game import engine, task


def tasks(count: int) -> list[ReviewTask]:
    """Reviews of so many games, all the fool's mate."""
    one = task()
    return [replace(one, game=replace(one.game, game_id=f"game{n}")) for n in range(count)]


class Told:
    """A listener's notes."""

    def __init__(self, stop: threading.Event | None = None) -> None:
        self.done: list[str] = []
        self.failed: dict[str, str] = {}
        self.positions = 0
        self._stop = stop

    def listener(self) -> Listener:
        """The listener that writes them."""
        return Listener(
            lambda review: self.done.append(review.game_id),
            lambda failed, reason: self.failed.update({failed.game.game_id: reason}),
            self._position,
        )

    def _position(self) -> None:
        self.positions += 1
        if self._stop is not None:
            self._stop.set()


def test_all_games_are_reviewed_and_a_failure_concerns_one() -> None:
    told, wanted = Told(), tasks(3)
    wanted[1] = replace(wanted[1], entry=engine("crash"))
    with local_executor(2) as executor:
        run_reviews(wanted, executor, told.listener(), lambda: False, is_local=True)
    assert sorted(told.done) == ["game0", "game2"]
    assert list(told.failed) == ["game1"]
    assert told.positions == 8


def test_a_signal_ends_it_and_what_is_done_is_kept() -> None:
    stop = threading.Event()
    told = Told(stop)  # the signal comes while the first game is looked at
    with local_executor(1) as executor:
        run_reviews(tasks(50), executor, told.listener(), stop.is_set, is_local=True)
    assert len(told.done) < 50
    assert told.failed == {}


def test_a_defect_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_task: ReviewTask, *_listeners: object) -> None:
        raise ZeroDivisionError("a defect")

    monkeypatch.setattr(module, "review_game", broken)
    with local_executor(1) as executor, pytest.raises(ZeroDivisionError):
        run_reviews(tasks(1), executor, Told().listener(), lambda: False, is_local=True)
    told = Told()
    with local_executor(1) as executor:
        run_reviews(tasks(1), executor, told.listener(), lambda: False, is_local=False)
    assert told.failed == {"game0": "game game0: the cluster says ZeroDivisionError('a defect')"}


def test_a_dask_cluster_does_the_same() -> None:
    distributed = pytest.importorskip("distributed")
    told, wanted = Told(), tasks(3)
    wanted[2] = replace(wanted[2], entry=engine("crash"))
    cluster = distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=True, dashboard_address=":0", host="127.0.0.1"
    )
    with cluster, cluster_executor(cluster.scheduler_address) as executor:
        run_reviews(wanted, executor, told.listener(), lambda: False, is_local=False)
    assert sorted(told.done) == ["game0", "game1"]
    assert "engine judge ended" in told.failed["game2"]


def test_a_cluster_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(module, "_CONNECT_S", 0.2)
    for address in ("tcp://127.0.0.1:9", "nonsense://x"):
        with (
            pytest.raises(ConfigurationError, match=f"--scheduler {address}: cannot be reached"),
            cluster_executor(address),
        ):
            raise AssertionError("reached")


def test_without_dask_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(ConfigurationError, match=r"--scheduler needs Dask: pip install 'bot88\[cluster\]'"),
        cluster_executor("tcp://127.0.0.1:9"),
    ):
        raise AssertionError("reached")


def test_the_client_of_a_cluster_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Client(contextlib.AbstractContextManager[Any]):
        is_closed = False

        def __init__(self, _scheduler: str, **_kept: object) -> None:
            made.append(self)

        def get_executor(self, **_kept: object) -> str:
            return "executor"

        def __exit__(self, *_exc: object) -> None:
            self.is_closed = True

    made: list[Client] = []
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Client))
    with cluster_executor("tcp://127.0.0.1:9") as executor:
        assert executor == "executor"  # type: ignore[comparison-overlap]  # of the made-up client
        assert not made[0].is_closed
    assert made[0].is_closed
