"""Games under review, by an engine that counts material: one, many by threads, many by a Dask cluster."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import chess
import pytest
from chess.engine import Cp, Mate, PovScore

from bot.archive.pgn import UnreadableGameError
from bot.archive.review import review_game as module
from bot.archive.review import workers
from bot.archive.review.review_game import (
    ReviewStopped,
    ReviewTask,
    judge,
    review_alone,
    review_game,
    run_reviews,
)
from bot.engine_pool.pool import EnginePool
from bot.errors import ConfigurationError, EngineDied, EngineError, EngineProtocolError, EngineStartError
from bot.settings import EngineEntry
from tests.bot.archive.test_pgn import fools_mate
from tests.helpers.finished_games import blitz

HELPERS = Path(__file__).parents[3] / "helpers"


def engine(*arguments: str, program: str = "scoring_engine.py") -> EngineEntry:
    """An entry that runs one of the engines for tests."""
    return EngineEntry(name="judge", command=(sys.executable, str(HELPERS / program), *arguments), start_timeout_s=60.0)


def task(entry: EngineEntry | None = None, pgn: str | None = None) -> ReviewTask:
    """The review of the fool's mate, or of another game."""
    kept = fools_mate().record
    return ReviewTask(kept if pgn is None else replace(kept, pgn=pgn), entry or engine(), 1000)


def test_every_move_is_looked_at() -> None:
    positions: list[None] = []
    with EnginePool([judge(engine())], fallback=None) as pool:
        review = review_game(task(), pool, lambda: positions.append(None))
    assert (review.game_id, review.entry, review.engine, review.nodes) == ("abcdefgh", "judge", "Scoring", 1000)
    assert [move.san for move in review.moves] == ["f3", "e5", "g4", "Qh4#"]
    assert [move.is_ours for move in review.moves] == [True, False, True, False]
    assert [move.spent_ms for move in review.moves] == [None, None, 10_500, 0]
    third, last = review.moves[2:]
    assert (third.before, third.after) == (PovScore(Cp(0), chess.WHITE), PovScore(Mate(-1), chess.WHITE))
    assert third.judgement == "blunder"
    assert third.better  # the first legal move, for it is the quiet ones that keep the material
    assert last.better == ("Qh4#",)
    assert last.after.white() == Mate(-1)
    assert len(positions) == 4


def test_a_drawn_end_needs_no_engine() -> None:
    stalemate = '[FEN "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"]\n[SetUp "1"]\n\n1. Qf7 1/2-1/2\n'
    (move,) = review_alone(task(pgn=stalemate)).moves
    assert (move.after, move.judgement, move.phase) == (PovScore(Cp(0), chess.WHITE), "blunder", "endgame")


def test_a_review_can_be_stopped() -> None:
    looked: list[None] = []
    with EnginePool([judge(engine())], fallback=None) as pool:
        for _ in range(2):  # the second one before it begins
            with pytest.raises(ReviewStopped):
                review_game(task(), pool, lambda: looked.append(None), lambda: not looked)
    assert len(looked) == 1


def test_chess960_is_reviewed_in_its_own_notation() -> None:
    pgn = (
        '[Variant "Chess960"]\n[FEN "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1"]\n[SetUp "1"]\n\n'
        "1. e4 e5 1/2-1/2\n"
    )
    assert [move.san for move in review_alone(task(pgn=pgn)).moves] == ["e4", "e5"]


@pytest.mark.parametrize(
    ("entry", "error", "message"),
    [
        (EngineEntry(name="none", command=("/does/not/exist",)), EngineStartError, "none: .*try the command by hand"),
        (engine("no-start", program="uci_engine.py"), EngineStartError, "judge: "),
        (engine("crash", program="uci_engine.py"), EngineDied, "the engine process ended"),
        (engine("silent"), EngineProtocolError, "the engine gives no score"),
    ],
)
def test_an_engine_that_fails_is_named(entry: EngineEntry, error: type[EngineError], message: str) -> None:
    with pytest.raises(error, match=message):
        review_alone(task(entry))


def test_a_game_that_cannot_be_read_starts_no_engine() -> None:
    with pytest.raises(UnreadableGameError):
        review_alone(ReviewTask(blitz("a"), EngineEntry(command=("/does/not/exist",)), 1))


def test_the_judge_plays_at_full_strength_on_one_thread_whatever_is_configured() -> None:
    options: dict[str, bool | int | float | str] = {"Hash": "auto", "Threads": 4, "UCI_LimitStrength": True, "Own": 1}
    found = judge(EngineEntry(name="judge", command=("x",), options=options, slots=9), 3)
    assert found.options == {"Threads": 1, "Own": 1}
    assert (found.slots, found.spares) == (3, 0)


def tasks(count: int) -> list[ReviewTask]:
    """Reviews of so many games, all the fool's mate."""
    one = task()
    return [replace(one, game=replace(one.game, game_id=f"game{n}")) for n in range(count)]


def outcomes(
    tasks: list[ReviewTask], *, jobs: int = 1, scheduler: str = "", stop_early: bool = False
) -> tuple[list[str], dict[str, str], int]:
    """The games that were reviewed, those that were not with the reason, and the number of positions analysed here.

    With `stop_early` a signal comes while the first game is analysed.
    """
    done, failed, positions = list[str](), dict[str, str](), list[None]()

    def stopped() -> bool:
        return stop_early and bool(positions)

    found = run_reviews(tasks, jobs, scheduler, stopped, lambda: positions.append(None))
    with contextlib.closing(found) as results:
        for one, result in results:
            if isinstance(result, str):
                failed[one.game.game_id] = result
            else:
                done.append(result.game_id)
    return sorted(done), failed, len(positions)


def test_all_games_are_reviewed_and_a_failure_concerns_one() -> None:
    wanted = tasks(3)
    wanted[1] = replace(wanted[1], game=replace(wanted[1].game, pgn="1. e4 Ke5"))
    done, failed, positions = outcomes(wanted, jobs=2)
    assert (done, list(failed), positions) == (["game0", "game2"], ["game1"], 8)


def test_a_signal_ends_it_and_what_is_done_is_kept() -> None:
    done, failed, _positions = outcomes(tasks(50), stop_early=True)
    assert len(done) < 50
    assert failed == {}


def test_a_defect_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: object) -> None:
        raise ZeroDivisionError("a defect")

    @contextlib.contextmanager
    def cluster(_scheduler: str) -> Iterator[Executor]:
        with ThreadPoolExecutor(1) as executor:
            yield executor

    monkeypatch.setattr(workers, "cluster_executor", cluster)
    for name in ("review_game", "review_alone"):
        monkeypatch.setattr(module, name, broken)
    with pytest.raises(ZeroDivisionError):
        outcomes(tasks(1))
    _done, failed, _positions = outcomes(tasks(1), scheduler="tcp://127.0.0.1:9")
    assert failed == {"game0": "game game0: the cluster says ZeroDivisionError('a defect')"}


def test_a_dask_cluster_does_the_same() -> None:
    distributed = pytest.importorskip("distributed")
    wanted = tasks(3)
    wanted[2] = replace(wanted[2], entry=engine("no-start", program="uci_engine.py"))
    cluster = distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=True, dashboard_address=":0", host="127.0.0.1"
    )
    with cluster:
        done, failed, _positions = outcomes(wanted, scheduler=cluster.scheduler_address)
    assert done == ["game0", "game1"]
    assert "try the command by hand" in failed["game2"]


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense://x"])
def test_a_cluster_that_is_not_there_is_named(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(workers, "_CONNECT_S", 0.2)
    with pytest.raises(ConfigurationError, match=f"--scheduler {address}: cannot be reached"):
        workers.cluster_executor(address).__enter__()


def test_without_dask_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ConfigurationError, match=r"--scheduler needs Dask: pip install 'bot88\[cluster\]'"):
        workers.cluster_executor("tcp://127.0.0.1:9").__enter__()


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
    with workers.cluster_executor("tcp://127.0.0.1:9") as executor:
        assert executor == "executor"  # type: ignore[comparison-overlap]  # of the made-up client
        assert not made[0].is_closed
    assert made[0].is_closed
