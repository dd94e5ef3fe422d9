"""A game's engine: answers, replacement in mid-game, abandon, ponder."""

from __future__ import annotations

import os
import queue
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import chess
import pytest
from chess.engine import Cp, Limit

from bot.engine_pool.engine_lease import EngineLease
from bot.engine_pool.pool import EnginePool
from bot.engine_pool.values import Answer
from tests.helpers.engines import ANSWER_TIMEOUT_S, best_move, tiny_entry
from tests.helpers.processes import is_running, wait_until

LONG = Limit(white_clock=600.0, black_clock=600.0)


@contextmanager
def leased(behaviour: str, *arguments: str, slots: int = 1, spares: int = 1) -> Iterator[EngineLease]:
    """A pool with one entry and no fallback, and an engine of it."""
    with EnginePool([tiny_entry(behaviour, *arguments, slots=slots, spares=spares)], fallback=None) as pool:
        engine = pool.lend()
        yield engine
        engine.give_back()


def serving(engine: EngineLease) -> int:
    """Process id of the engine once one serves."""
    assert wait_until(lambda: engine.pid is not None)
    assert engine.pid is not None
    return engine.pid


def test_a_game_is_played() -> None:
    board = chess.Board()
    with leased("good") as engine:
        for _ in range(10):
            begun = time.monotonic()
            answer = best_move(engine, board)
            assert 0.0 < answer.elapsed_ms <= (time.monotonic() - begun) * 1000
            assert answer.error is None
            assert answer.move is not None
            assert answer.move in board.legal_moves
            board.push(answer.move)
        assert answer.replaced == 0
        assert (answer.engine, engine.name) == ("tiny", "Tiny")  # as the entry is named, and as the engine says
        assert (answer.info.depth, answer.info.score) == (7, Cp(33))


@pytest.mark.slow
@pytest.mark.parametrize("behaviour", ["crash", "hang", "garbage", "flood", "long-line", "illegal", "none", "empty"])
def test_a_failing_engine_is_replaced_and_the_move_made(behaviour: str, tmp_path: Path) -> None:
    board = chess.Board()
    with leased(behaviour, "--once", str(tmp_path / "failed"), "--good-moves", "1") as engine:
        first = best_move(engine, board, LONG)
        assert first.move is not None
        board.push(first.move)
        pid = serving(engine)
        answer = best_move(engine, board, LONG)
        assert answer.error is None
        assert answer.move is not None
        assert answer.move in board.legal_moves
        assert answer.replaced == 1
        assert serving(engine) != pid
        assert wait_until(lambda: not is_running(pid))


@pytest.mark.slow
def test_an_engine_that_ignores_stop_is_replaced_at_its_deadline(tmp_path: Path) -> None:
    with leased("ignore-stop", "--once", str(tmp_path / "failed")) as engine:
        answer = best_move(engine, chess.Board(), Limit(white_clock=8.0, black_clock=8.0))
    assert answer.error is None
    assert answer.replaced == 1


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no SIGSTOP on this system")
def test_a_stopped_engine_is_replaced_in_mid_search() -> None:
    answers: queue.Queue[Answer] = queue.Queue()
    with leased("think", "--think-ms", "300000") as engine:
        pid = serving(engine)
        engine.play(chess.Board(), Limit(time=2.0), on_done=answers.put)
        os.kill(pid, signal.SIGSTOP)
        assert wait_until(lambda: engine.pid not in (None, pid))
        assert wait_until(lambda: not is_running(pid))
        answer = answers.get(timeout=ANSWER_TIMEOUT_S)
    assert answer.error is None
    assert answer.replaced == 1


@pytest.mark.skipif(not hasattr(os, "getpgid"), reason="no process groups on this system")
def test_an_engine_is_a_process_group_of_its_own() -> None:
    with leased("good") as engine:
        pid = serving(engine)
        assert os.getpgid(pid) == os.getsid(pid) == pid


def test_an_abandoned_search_never_answers_and_the_next_one_does() -> None:
    unwanted: list[Answer] = []
    with leased("think", "--think-ms", "300000") as engine:
        pid = serving(engine)
        search = engine.play(chess.Board(), LONG, on_done=unwanted.append)
        search.abandon()
        assert best_move(engine, chess.Board(), Limit(time=0.5)).move is not None
        assert engine.pid == pid
    assert unwanted == []


def test_an_abandoned_search_does_not_cancel_the_timer_of_the_next() -> None:
    with leased("think", "--think-ms", "300000") as engine:
        pid = serving(engine)
        search = engine.play(chess.Board(), LONG, on_done=lambda _: None)
        process = engine._process
        assert process is not None
        assert wait_until(lambda: process.protocol.searching)
        # What follows arrives in one turn of the loop.
        process.protocol.loop.call_soon_threadsafe(time.sleep, 0.3)
        search.abandon()
        later: queue.Queue[Answer] = queue.Queue()
        engine.play(chess.Board(), Limit(time=1.0), on_done=later.put)
        assert later.get(timeout=ANSWER_TIMEOUT_S).move is not None  # at `stop`, as its time is over
        assert engine.pid == pid


def commands(log: Path) -> list[str]:
    """What the engine received, without times and process ids."""
    return [line.split(" ", 2)[2].strip() for line in log.read_text().splitlines()]


@pytest.mark.parametrize(("hit", "word"), [(True, "ponderhit"), (False, "stop")])
def test_pondering(hit: bool, word: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    board = chess.Board()
    with leased("think", "--log", str(log), "--think-ms", "10", spares=0) as engine:  # a spare one writes the log, too
        answer = best_move(engine, board, LONG, ponder=True)
        assert answer.move is not None
        board.push(answer.move)
        assert wait_until(lambda: any(line.startswith("go ponder") for line in commands(log)))
        expected = next(line for line in reversed(commands(log)) if line.startswith("position")).split()[-1]
        board.push(next(move for move in board.legal_moves if (move.uci() == expected) is hit))
        again = best_move(engine, board, LONG, ponder=True)
        assert again.move is not None
        assert again.move in board.legal_moves
    after_ponder = commands(log)[[line.startswith("go ponder") for line in commands(log)].index(True) + 1 :]
    assert next(line for line in after_ponder if line != "isready") == word


def test_closing_the_pool_answers_every_running_and_later_search() -> None:
    answers: queue.Queue[Answer] = queue.Queue()
    pool = EnginePool([tiny_entry("think", "--think-ms", "300000")])
    pool.start()
    engine = pool.lend()
    serving(engine)
    engine.play(chess.Board(), LONG, on_done=answers.put)
    pool.close()
    assert answers.get(timeout=ANSWER_TIMEOUT_S).error is not None
    late = engine.play(chess.Board(), LONG, on_done=answers.put)
    assert "closed" in str(answers.get(timeout=ANSWER_TIMEOUT_S).error)
    late.abandon()
    engine.give_back()
    assert pool.snapshot()[0].leased == 0
