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
class TimeParams:
    """The constants of this module by their names in search/params.py, which explains them; a tuner tries others."""

    moves_horizon: int = TIME_MOVES_HORIZON
    moves_reserved: int = TIME_MOVES_RESERVED
    hard_factor: float = TIME_HARD_FACTOR
    hard_share: float = TIME_HARD_SHARE
    hard_share_last_move: float = TIME_HARD_SHARE_LAST_MOVE
    soft_share: float = TIME_SOFT_SHARE
    increment_share: float = TIME_INCREMENT_SHARE
    min_ms: float = TIME_MIN_MS
    movetime_keep_ms: float = TIME_MOVETIME_KEEP_MS
    movetime_keep_share: float = TIME_MOVETIME_KEEP_SHARE
    stability_factor: tuple[float, ...] = TIME_STABILITY_FACTOR
    move_change_factor: float = TIME_MOVE_CHANGE_FACTOR
    score_drop_cp: float = TIME_SCORE_DROP_CP
    score_drop_min: float = TIME_SCORE_DROP_MIN
    score_drop_max: float = TIME_SCORE_DROP_MAX
    effort_base: float = TIME_EFFORT_BASE
    effort_factor: float = TIME_EFFORT_FACTOR
    factor_min: float = TIME_FACTOR_MIN
    factor_max: float = TIME_FACTOR_MAX
    clear_effort: float = TIME_CLEAR_EFFORT
    clear_iterations: int = TIME_CLEAR_ITERATIONS
    clear_depth: int = TIME_CLEAR_DEPTH
    clear_factor: float = TIME_CLEAR_FACTOR
    forced_depth: int = TIME_FORCED_DEPTH


SHIPPED = TimeParams()


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

    def factor(self, params: TimeParams = SHIPPED) -> float:
        """Return the stretch of the soft limit, TIME_FACTOR_MIN..TIME_FACTOR_MAX.

        Above 1 for a hard choice, below for a clear one.
        """
        if self.last is None:
            return 1.0
        stability = (
            params.stability_factor[min(self.stable_iterations, len(params.stability_factor) - 1)]
            + params.move_change_factor * self.best_move_changes
        )
        drop = 1.0 + (self.average_cp - self.last.score_cp) / params.score_drop_cp
        factor = stability * _clamp(drop, params.score_drop_min, params.score_drop_max)
        if self.last.effort > 0.0:
            factor *= params.effort_base - params.effort_factor * self.last.effort
        if (
            self.last.depth >= params.clear_depth
            and self.stable_iterations >= params.clear_iterations
            and self.last.effort >= params.clear_effort
        ):
            factor *= params.clear_factor
        return _clamp(factor, params.factor_min, params.factor_max)


def allocate(limits: Limits, white_to_move: bool, overhead_ms: int, params: TimeParams = SHIPPED) -> TimeBudget | None:
    """Return the budget for one move, None when no clock limits it (depth, nodes, infinite...)."""
    if limits.infinite:
        return None
    both = (
        _from_movetime(limits, overhead_ms, params),
        _from_clock(limits, white_to_move, overhead_ms, params),
    )
    budgets = [budget for budget in both if budget is not None]
    return min(budgets, key=lambda budget: budget.hard_ms) if budgets else None


def should_stop(
    budget: TimeBudget,
    state: TimeManagerState,
    elapsed_ms: float,
    legal_moves: int,
    params: TimeParams = SHIPPED,
) -> bool:
    """Return whether, after a finished iteration, no other one should start."""
    if state.last is None:
        return False
    if budget.fixed:
        return elapsed_ms >= budget.hard_ms
    if state.last.settled or (legal_moves == 1 and state.last.depth >= params.forced_depth):
        return True
    return elapsed_ms >= min(budget.soft_ms * state.factor(params), budget.hard_ms)


def _from_movetime(limits: Limits, overhead_ms: int, params: TimeParams) -> TimeBudget | None:
    """Use the whole of a fixed time per move, less a little for the pipe."""
    if limits.movetime_ms is None:
        return None
    keep = min(float(overhead_ms), params.movetime_keep_ms, params.movetime_keep_share * limits.movetime_ms)
    time = max(params.min_ms, limits.movetime_ms - keep)
    return TimeBudget(time, time, fixed=True)


def _from_clock(limits: Limits, white_to_move: bool, overhead_ms: int, params: TimeParams) -> TimeBudget | None:
    """Share the clock among the moves to go."""
    clock = limits.wtime_ms if white_to_move else limits.btime_ms
    if clock is None:
        return None
    increment = limits.winc_ms if white_to_move else limits.binc_ms
    usable = max(0.0, float(clock) - overhead_ms)
    moves = min(limits.movestogo, params.moves_horizon) if limits.movestogo > 0 else params.moves_horizon
    reserved = min(limits.movestogo, params.moves_reserved) if limits.movestogo > 0 else params.moves_reserved
    gain = params.increment_share * increment - overhead_ms
    pool = usable + (gain * (moves - 1) if gain > 0.0 else gain * (reserved - 1))
    share = params.hard_share_last_move if moves == 1 else params.hard_share
    soft = min(max(pool, 0.0) / moves, usable * (share if moves == 1 else params.soft_share))
    soft = max(soft, params.min_ms)
    hard = max(min(params.hard_factor * soft, share * usable), params.min_ms)
    return TimeBudget(min(soft, hard), hard)


def _clamp(value: float, low: float, high: float) -> float:
    """Return the value, held within low..high."""
    return max(low, min(high, value))
