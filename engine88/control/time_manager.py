"""Time management: pure functions from clocks to limits; nothing here reads a clock.

Two limits, both in milliseconds since the search began:

- **soft**: no new iteration starts after it. It is multiplied by a factor that depends on what the search has seen
  (`TimeManagerState.factor`).
- **hard**: the search is cut off wherever it stands.

Safety comes before strength. The overhead of TIME_MOVES_RESERVED moves is kept in reserve, so that a long game on a
nearly empty clock ends in instant moves instead of a loss on time; the hard limit never takes more than a fixed share
of the clock. All constants are in search/params.py. Source: chessprogramming wiki, "Time Management".
"""

from dataclasses import dataclass, replace

from engine88.contract import Limits
from engine88.search.params import (
    TIME_CLEAR_DEPTH,
    TIME_CLEAR_EFFORT,
    TIME_CLEAR_FACTOR,
    TIME_CLEAR_ITERATIONS,
    TIME_EFFORT_BASE,
    TIME_EFFORT_FACTOR,
    TIME_FACTOR_MAX,
    TIME_FACTOR_MIN,
    TIME_FORCED_DEPTH,
    TIME_HARD_FACTOR,
    TIME_HARD_SHARE,
    TIME_HARD_SHARE_LAST_MOVE,
    TIME_INCREMENT_SHARE,
    TIME_MIN_MS,
    TIME_MOVE_CHANGE_FACTOR,
    TIME_MOVES_HORIZON,
    TIME_MOVES_RESERVED,
    TIME_MOVETIME_KEEP_MS,
    TIME_MOVETIME_KEEP_SHARE,
    TIME_SCORE_DROP_CP,
    TIME_SCORE_DROP_MAX,
    TIME_SCORE_DROP_MIN,
    TIME_SOFT_SHARE,
    TIME_STABILITY_FACTOR,
)


@dataclass(frozen=True, slots=True)
class TimeBudget:
    """Soft and hard limit, ms since the search began.

    ``fixed`` when the GUI asked for just this time (no stretching).
    """

    soft_ms: float
    hard_ms: float
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Iteration:
    """What one finished iteration showed.  ``effort`` is the share (0..1) of root nodes spent under the best move."""

    depth: int
    best_move: int
    score_cp: int
    effort: float = 0.0
    settled: bool = False  # a mate that no deeper search can shorten


@dataclass(frozen=True, slots=True)
class TimeManagerState:
    """What all iterations so far say about the difficulty of the choice.  Fold with `updated`, read with `factor`."""

    last: Iteration | None = None
    stable_iterations: int = 0
    average_cp: float = 0.0
    best_move_changes: float = 0.0

    def updated(self, iteration: Iteration) -> "TimeManagerState":
        """Return the state with one more finished iteration in it."""
        if self.last is None:
            return TimeManagerState(iteration, 0, float(iteration.score_cp))
        changed = iteration.best_move != self.last.best_move
        return replace(
            self,
            last=iteration,
            stable_iterations=0 if changed else self.stable_iterations + 1,
            average_cp=(2.0 * self.average_cp + iteration.score_cp) / 3.0,
            best_move_changes=self.best_move_changes / 2.0 + (1.0 if changed else 0.0),
        )

    def factor(self) -> float:
        """Return the stretch of the soft limit, TIME_FACTOR_MIN..TIME_FACTOR_MAX.

        Above 1 for a hard choice, below for a clear one.
        """
        if self.last is None:
            return 1.0
        stability = (
            TIME_STABILITY_FACTOR[min(self.stable_iterations, len(TIME_STABILITY_FACTOR) - 1)]
            + TIME_MOVE_CHANGE_FACTOR * self.best_move_changes
        )
        drop = 1.0 + (self.average_cp - self.last.score_cp) / TIME_SCORE_DROP_CP
        factor = stability * _clamp(drop, TIME_SCORE_DROP_MIN, TIME_SCORE_DROP_MAX)
        if self.last.effort > 0.0:
            factor *= TIME_EFFORT_BASE - TIME_EFFORT_FACTOR * self.last.effort
        if (
            self.last.depth >= TIME_CLEAR_DEPTH
            and self.stable_iterations >= TIME_CLEAR_ITERATIONS
            and self.last.effort >= TIME_CLEAR_EFFORT
        ):
            factor *= TIME_CLEAR_FACTOR
        return _clamp(factor, TIME_FACTOR_MIN, TIME_FACTOR_MAX)


def allocate(limits: Limits, white_to_move: bool, overhead_ms: int) -> TimeBudget | None:
    """Return the budget for one move, None when no clock limits it (depth, nodes, infinite...)."""
    if limits.infinite:
        return None
    both = _from_movetime(limits, overhead_ms), _from_clock(limits, white_to_move, overhead_ms)
    budgets = [budget for budget in both if budget is not None]
    return min(budgets, key=lambda budget: budget.hard_ms) if budgets else None


def should_stop(budget: TimeBudget, state: TimeManagerState, elapsed_ms: float, legal_moves: int) -> bool:
    """Tell whether, after a finished iteration, no other one should start."""
    if state.last is None:
        return False
    if budget.fixed:
        return elapsed_ms >= budget.hard_ms
    if state.last.settled or (legal_moves == 1 and state.last.depth >= TIME_FORCED_DEPTH):
        return True
    return elapsed_ms >= min(budget.soft_ms * state.factor(), budget.hard_ms)


def _from_movetime(limits: Limits, overhead_ms: int) -> TimeBudget | None:
    """Use the whole of a fixed time per move, less a little for the pipe."""
    if limits.movetime_ms is None:
        return None
    keep = min(float(overhead_ms), TIME_MOVETIME_KEEP_MS, TIME_MOVETIME_KEEP_SHARE * limits.movetime_ms)
    time = max(TIME_MIN_MS, limits.movetime_ms - keep)
    return TimeBudget(time, time, fixed=True)


def _from_clock(limits: Limits, white_to_move: bool, overhead_ms: int) -> TimeBudget | None:
    """Share the clock among the moves to go."""
    clock = limits.wtime_ms if white_to_move else limits.btime_ms
    if clock is None:
        return None
    increment = limits.winc_ms if white_to_move else limits.binc_ms
    usable = max(0.0, float(clock) - overhead_ms)
    moves = min(limits.movestogo, TIME_MOVES_HORIZON) if limits.movestogo > 0 else TIME_MOVES_HORIZON
    reserved = min(limits.movestogo, TIME_MOVES_RESERVED) if limits.movestogo > 0 else TIME_MOVES_RESERVED
    gain = TIME_INCREMENT_SHARE * increment - overhead_ms
    pool = usable + (gain * (moves - 1) if gain > 0.0 else gain * (reserved - 1))
    share = TIME_HARD_SHARE_LAST_MOVE if moves == 1 else TIME_HARD_SHARE
    soft = min(max(pool, 0.0) / moves, usable * (share if moves == 1 else TIME_SOFT_SHARE))
    soft = max(soft, TIME_MIN_MS)
    hard = max(min(TIME_HARD_FACTOR * soft, share * usable), TIME_MIN_MS)
    return TimeBudget(min(soft, hard), hard)


def _clamp(value: float, low: float, high: float) -> float:
    """Return the value, held within low..high."""
    return max(low, min(high, value))
