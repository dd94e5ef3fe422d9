"""The bot's own machine: engines that think in simulated time, a book that may be slow, a disk that may be locked."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable
from types import TracebackType
from typing import Any

import chess
import chess.engine

from bot.archive.database import LONGEST_PAUSE_S
from bot.archive.store_file import BUSY_TIMEOUT_MS
from bot.engine_pool.values import Answer, Requirement
from bot.errors import EngineError, EngineTimeout
from bot.move_sources import Choice
from bot.move_sources.request import MoveRequest
from tests.simulation.scheduler import Scheduler

FAILED = EngineTimeout("no engine answered")
LOCKED, FULL = "database is locked", "database or disk is full"
UNKNOWN_S = 1.5  # the bot cannot know of so much of our clock: a slow line, and a thread that waits for a processor


class SimulatedPool:
    """Lends engines to games; `fails`: the share of searches that come back without a move.

    `chosen` holds what was answered: the moves that led to the position, and the move. `left_s(moves)` returns what is
    left on our clock in the game with these moves, None if there is none.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        fails: float = 0.0,
        left_s: Callable[[tuple[str, ...]], float | None] = lambda _: None,
    ) -> None:
        self.scheduler = scheduler
        self.fails = fails
        self.left_s = left_s
        self.lent = 0
        self.chosen: set[tuple[tuple[str, ...], str]] = set()
        self.faults: list[str] = []

    def lend(self, _requirement: Requirement) -> SimulatedEngine:
        """Lend one more; the pool of the simulation has one for every game."""
        self.scheduler.switch()
        if self.scheduler.random.random() < self.fails / 4:
            raise EngineError("all engines are starting")
        self.lent += 1
        return SimulatedEngine(self)

    def choose(self, board: chess.Board) -> chess.Move:
        """Choose any legal move, and note it."""
        move = self.scheduler.random.choice(list(board.legal_moves))
        self.chosen.add((_moves(board), move.uci()))
        return move

    def check(self, board: chess.Board, limit: chess.engine.Limit) -> None:
        """Note a limit that allows more than our clock."""
        left_s, clock_s = self.left_s(_moves(board)), _clock_s(board, limit)
        if left_s is not None and clock_s is not None and clock_s > left_s + UNKNOWN_S:
            self.faults.append(f"an engine was given {clock_s:.1f} s of {left_s:.1f} s")


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
        self._pool.check(board, limit)
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
        thought_s = self._think_s()
        scheduler.wait(lambda: self._abandoned, thought_s)
        if self._abandoned and chance.random() < 0.5:  # else the answer was on its way already
            return
        if chance.random() < self._pool.fails:
            self._on_done(Answer(None, error=FAILED, elapsed_ms=thought_s * 1000))
            return
        move = self._pool.choose(self._board)
        self._on_done(Answer(move, info_line="info depth 9 score cp 20", engine=SimulatedEngine.name))

    def _think_s(self) -> float:
        limit, white = self._limit, self._board.turn == chess.WHITE
        clock_s = _clock_s(self._board, limit)
        increment_s = (limit.white_inc if white else limit.black_inc) or 0.0
        planned_s = limit.time if clock_s is None else clock_s / 40 + increment_s / 2
        return (planned_s or 0.1) * self._pool.scheduler.random.uniform(0.3, 1.2)


class SlowBook:
    """A book on a slow disk: it takes at most six seconds, and knows every other position."""

    name, online, limit_s = "book", False, 5.0

    def __init__(self, pool: SimulatedPool) -> None:
        self._pool = pool

    def applies(self, _request: MoveRequest) -> bool:
        """Answer for every position."""
        return True

    def choose(self, request: MoveRequest, _timeout_s: float) -> Choice | None:
        """Return any legal move, or None, after a while."""
        scheduler = self._pool.scheduler
        scheduler.sleep(scheduler.random.choice([0.01, 0.3, 2.0, 6.0]))
        return Choice(self._pool.choose(request.board), self.name) if scheduler.random.random() < 0.5 else None

    def close(self) -> None:
        """Nothing is open."""


class Disk:
    """The file of the store. It survives the bot's process, and is locked or full at times."""

    def __init__(self, scheduler: Scheduler, on_wait: Callable[[str], None] = lambda _what: None) -> None:
        self.memory = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        self.fault = ""
        self._since_s = self._until_s = -math.inf  # the latest fault
        self.scheduler = scheduler
        self.on_wait = on_wait

    def connect(self, _path: object, **_settings: object) -> DiskConnection:
        """Open the file."""
        return DiskConnection(self)

    def spoil(self, fault: str) -> None:
        """Let writes fail from now on."""
        self.fault, self._since_s, self._until_s = fault, self.scheduler.now_s, math.inf

    def repair(self) -> None:
        """Let writes succeed from now on; the bot notices that after a pause."""
        self.fault, self._until_s = "", self.scheduler.now_s + LONGEST_PAUSE_S + 1.0

    def knows_nothing_since(self, at_s: float) -> bool:
        """Return whether nothing could be written since then, but for a moment at the beginning."""
        return self._since_s <= at_s + 1.0 and self.scheduler.now_s < self._until_s

    def power_off(self) -> None:
        """The process is gone, and with it what it had not committed."""
        self.memory.rollback()


class DiskConnection:
    """A connection to the file; it offers what the bot uses of `sqlite3.Connection`."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self.text_factory: object = None

    def execute(self, statement: str, values: tuple[Any, ...] = ()) -> sqlite3.Cursor:
        """Execute a statement, as soon as nobody else writes. Raises sqlite3.OperationalError."""
        disk, scheduler = self._disk, self._disk.scheduler
        disk.on_wait(statement)
        if statement == "BEGIN IMMEDIATE":
            scheduler.sleep(BUSY_TIMEOUT_MS / 1000 if disk.fault else scheduler.random.uniform(0.0, 0.02))
        if disk.fault and statement.startswith("BEGIN" if disk.fault == LOCKED else ("INSERT", "REPLACE", "DELETE")):
            raise sqlite3.OperationalError(disk.fault)
        return disk.memory.execute(statement, values)

    def __enter__(self) -> None:
        self._disk.memory.__enter__()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._disk.memory.__exit__(kind, error, at)

    def close(self) -> None:
        """The file stays."""


def _moves(board: chess.Board) -> tuple[str, ...]:
    return tuple(move.uci() for move in board.move_stack)


def _clock_s(board: chess.Board, limit: chess.engine.Limit) -> float | None:
    return limit.white_clock if board.turn == chess.WHITE else limit.black_clock
