"""Engines that think in simulated time, as the pool would lend them."""

from __future__ import annotations

from collections.abc import Callable

import chess
import chess.engine

from bot.engine_pool import Answer, Requirement
from bot.errors import EngineError, EngineTimeout
from tests.simulation.scheduler import Scheduler

FAILED = EngineTimeout("no engine answered")


class SimulatedPool:
    """Lends engines to games; `fails`: the share of searches that come back without a move.

    `chosen` holds what was answered: the moves that led to the position, and the move.
    """

    def __init__(self, scheduler: Scheduler, fails: float = 0.0) -> None:
        self.scheduler = scheduler
        self.fails = fails
        self.lent = 0
        self.chosen: set[tuple[tuple[str, ...], str]] = set()

    def lend(self, _requirement: Requirement) -> SimulatedEngine:
        """Lend one more; the pool of the simulation has one for every game."""
        self.scheduler.switch()
        if self.scheduler.random.random() < self.fails / 4:
            raise EngineError("all engines are starting")
        self.lent += 1
        return SimulatedEngine(self)


class SimulatedEngine:
    """Thinks for a fortieth of its clock or so, and answers with any legal move."""

    name = "Simulated 1.0"
    elo: int | None = None

    def __init__(self, pool: SimulatedPool) -> None:
        self._pool = pool
        self._given_back = False

    def play(
        self, board: chess.Board, limit: chess.engine.Limit, *, ponder: bool, on_done: Callable[[Answer], None]
    ) -> SimulatedSearch:
        """Search in a thread of the pool."""
        search = SimulatedSearch(self._pool, board.copy(), limit, on_done)
        self._pool.scheduler.spawn(search.run, "pool")
        return search

    def give_back(self) -> None:
        """Free the slot; once is enough."""
        if not self._given_back:
            self._given_back = True
            self._pool.lent -= 1


class SimulatedSearch:
    """One search under way."""

    def __init__(
        self, pool: SimulatedPool, board: chess.Board, limit: chess.engine.Limit, on_done: Callable[[Answer], None]
    ) -> None:
        self._pool, self._board, self._limit, self._on_done = pool, board, limit, on_done
        self._abandoned = False

    def abandon(self) -> None:
        """Drop the answer."""
        self._abandoned = True

    def run(self) -> None:
        """Think, then answer, unless nobody waits any more."""
        scheduler, chance = self._pool.scheduler, self._pool.scheduler.random
        scheduler.wait(lambda: self._abandoned, self._think_s())
        if self._abandoned and chance.random() < 0.5:  # else the answer was on its way already
            return
        if chance.random() < self._pool.fails:
            self._on_done(Answer(None, error=FAILED))
            return
        move = chance.choice(list(self._board.legal_moves))
        self._pool.chosen.add((tuple(one.uci() for one in self._board.move_stack), move.uci()))
        self._on_done(Answer(move, info_line="info depth 9 score cp 20", engine=SimulatedEngine.name))

    def _think_s(self) -> float:
        limit, white = self._limit, self._board.turn == chess.WHITE
        clock_s = limit.white_clock if white else limit.black_clock
        increment_s = (limit.white_inc if white else limit.black_inc) or 0.0
        planned_s = limit.time if clock_s is None else clock_s / 40 + increment_s / 2
        return (planned_s or 0.1) * self._pool.scheduler.random.uniform(0.3, 1.2)
