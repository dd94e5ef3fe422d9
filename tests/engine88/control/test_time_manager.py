"""The clock: whatever the GUI says, the flag does not fall and the limits make sense."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine88.contract import Limits
from engine88.control.time_manager import (
    Iteration,
    TimeBudget,
    TimeManagerState,
    allocate,
    should_stop,
)
from engine88.search.params import (
    TIME_FACTOR_MAX,
    TIME_FACTOR_MIN,
    TIME_FORCED_DEPTH,
    TIME_MIN_MS,
)
from tests.engine88.control.iterations import budget, clock, fold, steady
from tests.helpers.examples import scaled

SEARCH_LATENCY_MS = 2.0  # what a move costs beside the search: pipes, waking threads


@pytest.mark.parametrize(
    "limits", [Limits(), Limits(depth=5), Limits(nodes=100), Limits(infinite=True, wtime_ms=1000), Limits(mate=3)]
)
def test_no_clock_no_budget(limits: Limits) -> None:
    assert allocate(limits, True, 10) is None


def test_each_side_reads_its_own_clock() -> None:
    limits = Limits(wtime_ms=1_000, btime_ms=100_000)
    white, black = allocate(limits, True, 10), allocate(limits, False, 10)
    assert white is not None
    assert black is not None
    assert black.soft_ms > 20 * white.soft_ms
    assert allocate(Limits(wtime_ms=1000), False, 10) is None


def test_movetime_is_used_nearly_whole_and_never_exceeded() -> None:
    fixed = budget(Limits(movetime_ms=1000), overhead_ms=500)
    assert fixed.fixed
    assert 980.0 <= fixed.hard_ms <= 1000.0
    assert budget(Limits(movetime_ms=0)).hard_ms == TIME_MIN_MS


def test_the_tighter_of_movetime_and_clock_holds() -> None:
    both = budget(Limits(movetime_ms=50, wtime_ms=60_000))
    assert both.hard_ms <= 50.0
    assert budget(Limits(movetime_ms=50_000, wtime_ms=1_000)).hard_ms < 1_000.0


@given(
    time_ms=st.integers(-1000, 10_000_000),
    inc_ms=st.integers(0, 200_000),
    movestogo=st.integers(0, 200),
    overhead_ms=st.integers(0, 5000),
)
@settings(deadline=None, max_examples=scaled(300))
def test_hard_limit_stays_on_the_clock(time_ms: int, inc_ms: int, movestogo: int, overhead_ms: int) -> None:
    limit = budget(clock(time_ms, inc_ms, movestogo), overhead_ms)
    assert TIME_MIN_MS <= limit.soft_ms <= limit.hard_ms
    assert limit.hard_ms <= max(TIME_MIN_MS, 0.9 * (time_ms - overhead_ms))


@given(time_ms=st.integers(0, 1_000_000), inc_ms=st.integers(0, 20_000), overhead_ms=st.integers(0, 300))
@settings(deadline=None, max_examples=scaled(200))
def test_more_time_is_never_less_thought(time_ms: int, inc_ms: int, overhead_ms: int) -> None:
    base = budget(clock(time_ms, inc_ms), overhead_ms)
    assert budget(clock(time_ms + 1000, inc_ms), overhead_ms).soft_ms >= base.soft_ms
    assert budget(clock(time_ms, inc_ms + 100), overhead_ms).soft_ms >= base.soft_ms
    assert budget(clock(time_ms, inc_ms), overhead_ms + 50).soft_ms <= base.soft_ms


@pytest.mark.parametrize("overhead_ms", [0, 10, 30])
@pytest.mark.parametrize("time_ms", [20, 35, 50])
def test_a_dying_clock_is_answered_in_a_few_milliseconds(time_ms: int, overhead_ms: int) -> None:
    assert budget(clock(time_ms), overhead_ms).hard_ms <= 10.0


@pytest.mark.parametrize(
    ("base_ms", "inc_ms", "overhead_ms", "latency_ms"),
    [
        (60_000, 0, 10, 5.0),
        (60_000, 0, 100, 100.0),
        (1_000, 1_000, 10, 5.0),
        (1_000, 1_000, 100, 100.0),
        (30_000, 0, 10, 5.0),
        (30_000, 0, 100, 90.0),
        (1_000, 10, 10, 8.0),
        (3_000, 30, 10, 8.0),
        (1_000, 0, 10, 4.0),
    ],
)
def test_a_long_game_of_hard_choices_keeps_its_flag(
    base_ms: int, inc_ms: int, overhead_ms: int, latency_ms: float
) -> None:
    """Every move takes twice its soft limit (or the hard one), and the latency on top."""
    left_ms = float(base_ms)
    for _ in range(100 if inc_ms == 0 else 300):
        limit = budget(clock(int(left_ms), inc_ms), overhead_ms)
        left_ms -= min(limit.hard_ms, 2.0 * limit.soft_ms) + latency_ms
        assert left_ms > 0.0
        left_ms += inc_ms


@pytest.mark.parametrize("movestogo", [1, 2, 5, 40, 100])
def test_moves_to_go_are_reached_in_time(movestogo: int) -> None:
    left_ms = 40_000.0
    for to_go in range(movestogo, 0, -1):
        limit = budget(clock(int(left_ms), 0, to_go))
        left_ms -= limit.hard_ms + SEARCH_LATENCY_MS
        assert left_ms > 0.0


def test_the_clock_is_really_used() -> None:
    """A game of sixty moves at one minute uses most of it."""
    left_ms = 60_000.0
    for _ in range(60):
        left_ms -= budget(clock(int(left_ms))).soft_ms
    assert left_ms < 15_000.0


def test_a_new_best_move_asks_for_more_time() -> None:
    same = fold(*[steady(depth) for depth in range(1, 10)])
    changed = same.updated(steady(10, best_move=8))
    assert changed.factor() > 1.2 * same.updated(steady(10)).factor()


def test_a_falling_score_asks_for_more_time() -> None:
    same = fold(*[steady(depth) for depth in range(1, 10)])
    assert same.updated(steady(10, score_cp=-60)).factor() > 1.2 * same.updated(steady(10)).factor()


def test_a_clear_move_is_played_early() -> None:
    clear = fold(*[steady(depth, effort=0.99) for depth in range(1, 12)])
    assert clear.factor() < 0.45
    limit = TimeBudget(1000.0, 4000.0)
    assert should_stop(limit, clear, 450.0, 30)
    assert not should_stop(limit, fold(*[steady(depth) for depth in range(1, 12)]), 450.0, 30)


def test_a_forced_move_is_played_at_once() -> None:
    state = fold(*[steady(depth) for depth in range(1, TIME_FORCED_DEPTH + 1)])
    assert should_stop(TimeBudget(1000.0, 4000.0), state, 1.0, 1)
    assert not should_stop(TimeBudget(1000.0, 4000.0), state, 1.0, 2)


def test_a_settled_mate_is_played_at_once() -> None:
    mate = fold(Iteration(12, 7, 31995, 0.5, settled=True))
    assert should_stop(TimeBudget(1000.0, 4000.0), mate, 1.0, 30)


def test_a_fixed_time_is_not_stretched() -> None:
    clear = fold(*[steady(depth, effort=0.99) for depth in range(1, 12)])
    assert not should_stop(TimeBudget(1000.0, 1000.0, fixed=True), clear, 900.0, 1)
    assert should_stop(TimeBudget(1000.0, 1000.0, fixed=True), clear, 1000.0, 1)


@given(
    st.lists(
        st.builds(Iteration, st.integers(1, 100), st.integers(1, 5), st.integers(-32000, 32000), st.floats(0.0, 1.0)),
        max_size=30,
    )
)
@settings(deadline=None, max_examples=scaled(100))
def test_the_soft_limit_factor_stays_in_bounds(iterations: list[Iteration]) -> None:
    assert TIME_FACTOR_MIN <= fold(*iterations).factor() <= TIME_FACTOR_MAX


def test_the_search_goes_on_until_one_iteration_is_done() -> None:
    assert not should_stop(TimeBudget(1.0, 1.0), TimeManagerState(), 100.0, 1)
