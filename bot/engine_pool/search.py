"""One search, from the request to the answer: how long it may take, and its way into the pool's thread."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import chess
import chess.engine
import structlog

from bot.engine_pool.protocol import MonitoredUci
from bot.engine_pool.values import CLOCK_SHARE, MAX_CLOCK_SHARE, Answer
from bot.errors import EngineTimeout

log = structlog.get_logger(__name__)

UNTIMED_GRACE_S = 4.0  # after `stop` where no clock runs: the server allows some 15 s for a first move
ACQUIRE_SHARE = 1 / 12  # of the clock: the wait for an engine process while another engine may serve
LAST_ACQUIRE_SHARE = 1 / 8  # the same when no other engine is left: then a legal move is played without one
OVERDUE_SHARE = 0.25  # of these waits for an engine that did not get ready in time before
UNTIMED_ACQUIRE_S = 10.0
_SHORTEST_S = 0.02


@dataclass(frozen=True, slots=True)
class SearchDeadline:
    """`stop` is sent after `stop_after_s`; a process that has not answered `grace_s` later is replaced."""

    stop_after_s: float
    grace_s: float


def own_clock_s(limit: chess.engine.Limit, turn: chess.Color) -> float | None:
    """Seconds on the clock of the side to move; None when the limit names no clock."""
    return limit.white_clock if turn == chess.WHITE else limit.black_clock


def search_deadline(limit: chess.engine.Limit, turn: chess.Color) -> SearchDeadline | None:
    """Return the deadline of a search with this limit; None when the limit names no time.

    With T seconds on the clock and an increment of i seconds the search is stopped after

        min(0.7 T, T/4 + i)   and its process replaced   max(0.15, min(1, 0.15 T))   seconds later.

    So an engine that ignores `stop` costs about a quarter of the clock. Three such faults in a row leave
    (3/4)^3 = 42 % of it less three graces (of 60 s: 44, 32 and 23 s): two more faults after the first are
    playable. No engine plans with as much for one move, and `stop` costs a healthy one only the rest of its
    search. On the last move before a time control everything may be used.

    A fixed time t is stopped after 1.1 t + 0.3 s. The engine may be loading a network and hear no `stop` meanwhile, so
    it is given T/12, at most 5 s, and 4 s where no clock runs.
    """
    clock_s = own_clock_s(limit, turn)
    by_clock = None if clock_s is None else _deadline_by_clock(limit, turn, clock_s)
    if limit.time is None:
        return by_clock
    stop_after_s = 1.1 * limit.time + 0.3
    if by_clock is None or clock_s is None:
        return SearchDeadline(stop_after_s, UNTIMED_GRACE_S)
    if by_clock.stop_after_s <= stop_after_s:
        return by_clock
    return SearchDeadline(stop_after_s, max(by_clock.grace_s, min(5.0, clock_s / 12)))


def _deadline_by_clock(limit: chess.engine.Limit, turn: chess.Color, clock_s: float) -> SearchDeadline:
    increment_s = (limit.white_inc if turn == chess.WHITE else limit.black_inc) or 0.0
    share_s = clock_s if limit.remaining_moves == 1 else CLOCK_SHARE * clock_s + increment_s
    return SearchDeadline(min(MAX_CLOCK_SHARE * clock_s, share_s), max(0.15, min(1.0, 0.15 * clock_s)))


def acquire_timeout_s(
    limit: chess.engine.Limit, turn: chess.Color, has_alternative: bool, *, overdue: bool = False
) -> float:
    """Return how long a search waits for its engine process before another one is tried, or none is left.

    That is T/12 of the clock, T/8 for the last engine, between 0.5 and 10 s. So the second engine, the last one and
    the move without any leave three quarters of the clock. An engine that was
    not ready in time before gets a quarter of it.
    """
    clock_s = own_clock_s(limit, turn)
    share = ACQUIRE_SHARE if has_alternative else LAST_ACQUIRE_SHARE
    wait_s = UNTIMED_ACQUIRE_S if clock_s is None else max(0.5, min(UNTIMED_ACQUIRE_S, share * clock_s))
    return wait_s * OVERDUE_SHARE if overdue else wait_s


def remaining_limit(limit: chess.engine.Limit, turn: chess.Color, elapsed_s: float) -> chess.engine.Limit:
    """Return the limit for another engine after `elapsed_s` seconds were used up; never below 20 ms."""
    left = replace(limit)
    clock_s = own_clock_s(limit, turn)
    if clock_s is not None:
        setattr(left, "white_clock" if turn == chess.WHITE else "black_clock", max(_SHORTEST_S, clock_s - elapsed_s))
    if limit.time is not None:
        left.time = max(_SHORTEST_S, 0.1 * limit.time, limit.time - elapsed_s)
    return left


class SearchTimeout:
    """Started when it is made. Each search has its own: cancelling one never cancels the next search's timer."""

    def __init__(self, protocol: MonitoredUci, name: str, deadline: SearchDeadline | None) -> None:
        self._protocol, self._name = protocol, name
        self._timer: asyncio.TimerHandle | None = None
        if deadline is not None:
            self._timer = asyncio.get_running_loop().call_later(deadline.stop_after_s, self._stop, deadline.grace_s)

    def cancel(self) -> None:
        """Cancel the timer: the search is over or no longer wanted. Idempotent."""
        if self._timer is not None:
            self._timer.cancel()

    def _stop(self, grace_s: float) -> None:
        log.warning("engine_search_timed_out", engine=self._name)
        self._protocol.stop_search()
        failure = EngineTimeout(f"{self._name}: the search timed out, and `stop` brought no move in {grace_s:.2f} s")
        self._timer = asyncio.get_running_loop().call_later(grace_s, self._protocol.fail, failure)


OnDone = Callable[[Answer], None]


def post(loop: asyncio.AbstractEventLoop, work: Callable[..., object], *arguments: object) -> bool:
    """Run something in the pool's thread; False when the pool is closed."""
    try:
        loop.call_soon_threadsafe(work, *arguments)
    except RuntimeError:  # asyncio: the loop is closed
        return False
    return True


def quick_copy(board: chess.Board) -> chess.Board:
    """Copy the board with its moves, as `board.copy()` does, but share the move objects, which nobody changes.

    python-chess copies each move, which takes 0.1-0.3 ms after 80 plies in front of every search; this takes 2 us.
    """
    copy = board.copy(stack=False)
    copy.move_stack = board.move_stack[:]
    copy._stack = board._stack[:]
    return copy


class SearchHandle:
    """One requested search. Made by `EngineLease.play`; `abandon` may be called from any thread, repeatedly."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        board: chess.Board,
        limit: chess.engine.Limit,
        ponder: bool,
        on_done: OnDone,
    ) -> None:
        self.board = quick_copy(board)
        self.limit = limit
        self.ponder = ponder
        self.requested_at = time.monotonic()
        self.task: asyncio.Task[None] | None = None
        self._loop = loop
        self._on_done: OnDone | None = on_done

    @property
    def elapsed_s(self) -> float:
        """Seconds since the request."""
        return time.monotonic() - self.requested_at

    def abandon(self) -> None:
        """The answer is no longer wanted (game over, takeback): end the search and never call `on_done`."""
        self._on_done = None
        post(self._loop, self.cancel)

    def cancel(self) -> None:
        """The pool's side of `abandon`; in the pool's thread only."""
        self._on_done = None
        if self.task is not None:
            self.task.cancel()

    def remaining(self) -> chess.engine.Limit:
        """What is left of the limit at this moment, for the engine that begins now."""
        elapsed_s = self.elapsed_s
        return self.limit if elapsed_s < 0.005 else remaining_limit(self.limit, self.board.turn, elapsed_s)

    def deliver(self, answer: Answer) -> None:
        """Call `on_done` once; later answers are dropped."""
        on_done, self._on_done = self._on_done, None
        if on_done is None:
            return
        try:
            on_done(answer)
        except Exception:  # one game's broken callback must not end the thread that serves all games
            log.exception("answer_callback_failed")
