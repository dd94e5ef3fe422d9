"""Clocks and iterations for the tests of the time manager."""

from engine88.contract import Limits
from engine88.control.time_manager import Iteration, TimeBudget, TimeManagerState, allocate


def clock(time_ms: int, inc_ms: int = 0, movestogo: int = 0) -> Limits:
    """Limits of a game for White; Black's clock is made absurd, so that reading the wrong one shows."""
    return Limits(wtime_ms=time_ms, winc_ms=inc_ms, btime_ms=10**9, binc_ms=10**6, movestogo=movestogo)


def budget(limits: Limits, overhead_ms: int = 10) -> TimeBudget:
    """The budget for White, which must exist."""
    result = allocate(limits, True, overhead_ms)
    assert result is not None
    return result


def fold(*iterations: Iteration) -> TimeManagerState:
    """The state after these iterations."""
    state = TimeManagerState()
    for iteration in iterations:
        state = state.updated(iteration)
    return state


def steady(depth: int, score_cp: int = 20, best_move: int = 7, effort: float = 0.5) -> Iteration:
    """An iteration like the others."""
    return Iteration(depth, best_move, score_cp, effort)
