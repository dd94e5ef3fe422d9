"""How long to think: pure functions from clocks to limits; nothing here reads a clock.

Two limits, both in milliseconds since the search began:

- **soft**: no new iteration starts after it.  It is stretched or shrunk by what the search has seen (`Pace.factor`).
- **hard**: the search is cut off wherever it stands.

Safety comes before strength. A *reserve* of MOVES_RESERVED moves' overhead is never planned with, so that a long
game on a dying clock ends in instant moves instead of a fallen flag; the hard limit never takes more than a fixed
share of the clock.
"""

from dataclasses import dataclass, replace

from engine88.contract import Limits

# Planning: the clock is shared among this many moves when the GUI does not say how many are left.
MOVES_HORIZON = 25
MOVES_RESERVED = 60
# Hard limit: this many soft limits, but never more than this share of what is left.
HARD_FACTOR = 4.5
HARD_SHARE = 0.5
HARD_SHARE_LAST_MOVE = 0.9
SOFT_SHARE = 0.45
# Share of the increment that a move may count on; the rest builds the clock up.
INCREMENT_SHARE = 0.9
# Floor: the depth-1 move is found in less.
LEAST_MS = 1.0
# A fixed time per move is the GUI's own choice: only a little is kept back for the pipe.
MOVETIME_KEEP_MS = 10.0
MOVETIME_KEEP_SHARE = 0.1

# Stretching.  FACTOR by the number of iterations for which the best move has stood, the drop of the score, and
# effort.
STABILITY_FACTOR = (1.6, 1.3, 1.1, 1.0, 0.92, 0.86, 0.8)
DROP_WEIGHT_CP = 120.0
DROP_FACTOR_MIN, DROP_FACTOR_MAX = 0.85, 1.7
EFFORT_BASE, EFFORT_WEIGHT = 1.55, 0.85
FACTOR_MIN, FACTOR_MAX = 0.2, 2.8
# A clear move: nearly all the work went into it, iteration after iteration.
CLEAR_EFFORT, CLEAR_ITERATIONS, CLEAR_DEPTH, CLEAR_FACTOR = 0.97, 6, 8, 0.5
FORCED_DEPTH = 6


@dataclass(frozen=True, slots=True)
class Budget:
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
class Pace:
    """What all iterations so far say about the difficulty of the choice.  Fold with `after`, read with `factor`."""

    last: Iteration | None = None
    stable: int = 0
    average_cp: float = 0.0
    best_changes: float = 0.0

    def after(self, iteration: Iteration) -> "Pace":
        """Return the pace with one more finished iteration in it."""
        if self.last is None:
            return Pace(iteration, 0, float(iteration.score_cp))
        changed = iteration.best_move != self.last.best_move
        return replace(
            self,
            last=iteration,
            stable=0 if changed else self.stable + 1,
            average_cp=(2.0 * self.average_cp + iteration.score_cp) / 3.0,
            best_changes=self.best_changes / 2.0 + (1.0 if changed else 0.0),
        )

    def factor(self) -> float:
        """Return the stretch of the soft limit, FACTOR_MIN..FACTOR_MAX.

        Above 1 for a hard choice, below for a clear one.
        """
        if self.last is None:
            return 1.0
        stability = STABILITY_FACTOR[min(self.stable, len(STABILITY_FACTOR) - 1)] + 0.25 * self.best_changes
        drop = 1.0 + (self.average_cp - self.last.score_cp) / DROP_WEIGHT_CP
        factor = stability * _clamp(drop, DROP_FACTOR_MIN, DROP_FACTOR_MAX)
        if self.last.effort > 0.0:
            factor *= EFFORT_BASE - EFFORT_WEIGHT * self.last.effort
        if self.last.depth >= CLEAR_DEPTH and self.stable >= CLEAR_ITERATIONS and self.last.effort >= CLEAR_EFFORT:
            factor *= CLEAR_FACTOR
        return _clamp(factor, FACTOR_MIN, FACTOR_MAX)


def allot(limits: Limits, white_to_move: bool, overhead_ms: int) -> Budget | None:
    """Return the budget for one move, None when no clock limits it (depth, nodes, infinite...)."""
    if limits.infinite:
        return None
    both = _from_movetime(limits, overhead_ms), _from_clock(limits, white_to_move, overhead_ms)
    budgets = [budget for budget in both if budget is not None]
    return min(budgets, key=lambda budget: budget.hard_ms) if budgets else None


def is_enough(budget: Budget, pace: Pace, elapsed_ms: float, legal_moves: int) -> bool:
    """Tell whether, after a finished iteration, no other one should start."""
    if pace.last is None:
        return False
    if budget.fixed:
        return elapsed_ms >= budget.hard_ms
    if pace.last.settled or (legal_moves == 1 and pace.last.depth >= FORCED_DEPTH):
        return True
    return elapsed_ms >= min(budget.soft_ms * pace.factor(), budget.hard_ms)


def _from_movetime(limits: Limits, overhead_ms: int) -> Budget | None:
    """Use the whole of a fixed time per move, less a little for the pipe."""
    if limits.movetime_ms is None:
        return None
    keep = min(float(overhead_ms), MOVETIME_KEEP_MS, MOVETIME_KEEP_SHARE * limits.movetime_ms)
    time = max(LEAST_MS, limits.movetime_ms - keep)
    return Budget(time, time, fixed=True)


def _from_clock(limits: Limits, white_to_move: bool, overhead_ms: int) -> Budget | None:
    """Share the clock among the moves to go."""
    clock = limits.wtime_ms if white_to_move else limits.btime_ms
    if clock is None:
        return None
    increment = limits.winc_ms if white_to_move else limits.binc_ms
    usable = max(0.0, float(clock) - overhead_ms)
    moves = min(limits.movestogo, MOVES_HORIZON) if limits.movestogo > 0 else MOVES_HORIZON
    reserved = min(limits.movestogo, MOVES_RESERVED) if limits.movestogo > 0 else MOVES_RESERVED
    gain = INCREMENT_SHARE * increment - overhead_ms
    pool = usable + (gain * (moves - 1) if gain > 0.0 else gain * (reserved - 1))
    share = HARD_SHARE_LAST_MOVE if moves == 1 else HARD_SHARE
    soft = min(max(pool, 0.0) / moves, usable * (share if moves == 1 else SOFT_SHARE))
    soft = max(soft, LEAST_MS)
    hard = max(min(HARD_FACTOR * soft, share * usable), LEAST_MS)
    return Budget(min(soft, hard), hard)


def _clamp(value: float, low: float, high: float) -> float:
    """Return the value, held within low..high."""
    return max(low, min(high, value))
