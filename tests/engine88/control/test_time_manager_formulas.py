"""The formulas of the time manager: shares of the clock, and how hard choices stretch them."""

from dataclasses import replace

import pytest

from engine88.control.time_manager import (
    Iteration,
    TimeBudget,
    TimeManagerState,
    should_stop,
)
from engine88.search.params import (
    TIME_CLEAR_DEPTH,
    TIME_CLEAR_EFFORT,
    TIME_CLEAR_ITERATIONS,
    TIME_EFFORT_BASE,
    TIME_EFFORT_FACTOR,
    TIME_FACTOR_MAX,
    TIME_FACTOR_MIN,
    TIME_HARD_FACTOR,
    TIME_HARD_SHARE,
    TIME_HARD_SHARE_LAST_MOVE,
    TIME_INCREMENT_SHARE,
    TIME_MOVE_CHANGE_FACTOR,
    TIME_MOVES_HORIZON,
    TIME_MOVES_RESERVED,
    TIME_SCORE_DROP_CP,
    TIME_SCORE_DROP_MIN,
    TIME_SOFT_SHARE,
    TIME_STABILITY_FACTOR,
)
from tests.engine88.control.iterations import budget, clock, fold, steady


def test_scores_and_changes_of_mind_fade_with_the_iterations() -> None:
    state = fold(steady(1, 30), steady(2, 60), steady(3, 60, best_move=8), steady(4, 60, best_move=8))
    assert (state.last, state.stable_iterations) == (steady(4, 60, best_move=8), 1)
    assert state.average_cp == pytest.approx(60 - 30 * (2 / 3) ** 3)
    assert state.best_move_changes == 0.5  # one, and an iteration since
    again = state.updated(steady(5, 60, best_move=7))
    assert (again.stable_iterations, again.best_move_changes) == (0, 1.25)


def test_nothing_seen_yet_asks_for_neither_more_nor_less_time() -> None:
    assert TimeManagerState().factor() == 1.0


@pytest.mark.parametrize(
    ("score_cp", "factor"), [(20, 1.0), (10, 1.0 + 10 / TIME_SCORE_DROP_CP), (10_000, TIME_SCORE_DROP_MIN)]
)
def test_the_stretch_is_stability_times_drop_times_effort(score_cp: int, factor: float) -> None:
    """The last score has a third of its own share in the average."""
    state = TimeManagerState(steady(9, score_cp, effort=0.25), 2, 20.0, 0.5)
    stability = TIME_STABILITY_FACTOR[2] + TIME_MOVE_CHANGE_FACTOR * 0.5
    effort = TIME_EFFORT_BASE - TIME_EFFORT_FACTOR * 0.25
    assert state.factor() == pytest.approx(max(TIME_FACTOR_MIN, min(TIME_FACTOR_MAX, stability * factor * effort)))


def test_a_clear_move_needs_depth_and_stability_and_effort() -> None:
    clear = TimeManagerState(steady(TIME_CLEAR_DEPTH, effort=TIME_CLEAR_EFFORT), TIME_CLEAR_ITERATIONS, 20.0, 0.0)
    assert clear.last is not None
    unclear = [
        replace(clear, last=replace(clear.last, depth=TIME_CLEAR_DEPTH - 1)),
        replace(clear, stable_iterations=TIME_CLEAR_ITERATIONS - 1),
        replace(clear, last=replace(clear.last, effort=TIME_CLEAR_EFFORT - 0.01)),
    ]
    assert all(clear.factor() < 0.8 * state.factor() for state in unclear)


def test_a_clock_is_shared_among_the_moves_to_go() -> None:
    """Ten seconds, ten moves: a tenth each, the increments of nine to come, and the overhead of all ten."""
    limit = budget(clock(10_000, 200, 10), overhead_ms=50)
    pool = 10_000 - 50 + 9 * (TIME_INCREMENT_SHARE * 200 - 50)
    assert limit.soft_ms == pytest.approx(pool / 10)
    assert limit.hard_ms == pytest.approx(min(TIME_HARD_FACTOR * limit.soft_ms, TIME_HARD_SHARE * 9_950))
    assert not limit.fixed


def test_the_overhead_of_some_moves_is_kept_where_no_increment_pays_for_it() -> None:
    usable = 60_000 - 100
    reserved = budget(clock(60_000), overhead_ms=100)
    assert reserved.soft_ms == pytest.approx((usable - 100 * (TIME_MOVES_RESERVED - 1)) / TIME_MOVES_HORIZON)
    few = budget(clock(60_000, 0, 4), overhead_ms=100)
    assert few.soft_ms == pytest.approx(min((usable - 100 * 3) / 4, usable * TIME_SOFT_SHARE))


def test_the_last_but_one_move_leaves_enough_for_the_last() -> None:
    """Half of the clock would be due."""
    limit = budget(clock(10_000, 0, 2), overhead_ms=0)
    assert limit.soft_ms == pytest.approx(10_000 * TIME_SOFT_SHARE)
    assert limit.hard_ms == pytest.approx(10_000 * TIME_HARD_SHARE)


def test_the_last_move_before_the_control_may_take_nearly_all() -> None:
    last = budget(clock(10_000, 0, 1), overhead_ms=0)
    assert last.hard_ms == last.soft_ms == pytest.approx(10_000 * TIME_HARD_SHARE_LAST_MOVE)


def test_a_settled_or_forced_move_does_not_cut_a_fixed_time_short() -> None:
    limit = TimeBudget(1000.0, 1000.0, fixed=True)
    assert not should_stop(limit, fold(Iteration(12, 7, 31995, 0.5, settled=True)), 999.0, 1)


def test_the_hard_limit_ends_a_stretched_search() -> None:
    hard_choice = TimeManagerState(steady(9, -500), 0, 500.0, 3.0)
    assert hard_choice.factor() > 1.5
    limit = TimeBudget(1000.0, 1200.0)
    assert not should_stop(limit, hard_choice, 1199.0, 30)
    assert should_stop(limit, hard_choice, 1200.0, 30)
