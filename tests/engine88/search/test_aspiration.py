"""A window opens around the score before, and widens on the side where it failed."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from engine88.board.defs import INFINITE
from engine88.compiler.jit import int64
from engine88.search.aspiration import judge_score, open_window, search_window
from engine88.search.params import (
    ASPIRATION_FACTOR,
    ASPIRATION_LIMIT,
    ASPIRATION_MARGIN,
    ASPIRATION_REDUCTION_LIMIT,
    ASPIRATION_THRESHOLD,
)
from engine88.search.search_root import collect_root_moves
from engine88.search.search_state import new_search_state
from engine88.search.tt import BOUND_EXACT, BOUND_LOWER, BOUND_UPPER
from tests.engine88.searching import MIDDLEGAME, Records

DEPTH = ASPIRATION_THRESHOLD + 4


def opened(depth: int = DEPTH, previous: int = 0) -> Any:
    state = new_search_state()
    open_window(state, int64(depth), int64(previous))
    return state


def windows_until_found(state: Any, value: int) -> list[tuple[int, int, int]]:
    """Alpha, beta and reduction of each search until the window holds `value`."""
    asked = []
    while True:
        asked.append((int(state.window_alpha), int(state.window_beta), int(state.window_reduction)))
        judge_score(state, int64(max(asked[-1][0], min(asked[-1][1], value))))
        if state.window_bound == BOUND_EXACT:
            return asked
        assert state.window_bound == (BOUND_LOWER if value >= asked[-1][1] else BOUND_UPPER)


@pytest.mark.parametrize(("depth", "previous"), [(ASPIRATION_THRESHOLD - 1, 0), (DEPTH, -INFINITE)])
def test_the_window_is_full_at_first_and_without_a_score(depth: int, previous: int) -> None:
    state = opened(depth, previous)
    assert (state.window_alpha, state.window_beta) == (-INFINITE, INFINITE)


def test_each_failure_high_widens_above_one_ply_less_deep_each_time() -> None:
    asked = windows_until_found(opened(), 300)
    assert asked[0] == (-ASPIRATION_MARGIN, ASPIRATION_MARGIN, 0)
    assert {alpha for alpha, _, _ in asked} == {-ASPIRATION_MARGIN}
    betas = [beta for _, beta, _ in asked]
    assert betas == sorted(set(betas))
    assert [reduced for _, _, reduced in asked] == [min(i, ASPIRATION_REDUCTION_LIMIT) for i in range(len(asked))]


def test_a_failure_low_drops_the_upper_half() -> None:
    asked = windows_until_found(opened(), 5 - INFINITE)
    assert asked[1][1] == 0  # halfway down from the failed window's top
    assert {reduced for _, _, reduced in asked} == {0}


@pytest.mark.parametrize(("value", "side"), [(INFINITE - 5, 1), (5 - INFINITE, 0)])
def test_a_window_that_failed_often_is_opened_fully(value: int, side: int) -> None:
    bounds = [abs(window[side]) for window in windows_until_found(opened(), value)]
    assert bounds[-1] == INFINITE
    steps = [later - earlier for earlier, later in itertools.pairwise(bounds[:-1])]
    assert steps == sorted(steps)
    assert steps[-1] <= ASPIRATION_LIMIT < steps[-1] * (1 + ASPIRATION_FACTOR / 100) + 1


def test_a_search_of_the_window_searches_the_root() -> None:
    records = Records(MIDDLEGAME)
    collect_root_moves(records.board, records.lists, records.state)
    open_window(records.state, int64(1), int64(0))
    score = search_window(records.board, records.lists, records.state, records.evaluation, int64(1))
    assert records.state.window_bound == BOUND_EXACT
    assert score == records.state.root_scores[0]
