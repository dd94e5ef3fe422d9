"""The rules: each leaves out only what its name says, and never a mate."""

from __future__ import annotations

import numpy as np
import pytest

from engine88.board.defs import MATE, MATE_BOUND
from engine88.compiler.jit import int64
from engine88.search import pruning
from engine88.search.tt import BOUND_LOWER, BOUND_UPPER


def number(value: int) -> int:
    return int64(value)


def test_reductions_grow_with_depth_and_with_move_number() -> None:
    table = np.array([[pruning.base_reduction(number(d), number(c)) for c in range(64)] for d in range(64)])
    assert (np.diff(table[1:, 1:], axis=0) >= 0).all()
    assert (np.diff(table[1:, 1:], axis=1) >= 0).all()
    assert pruning.base_reduction(number(127), number(200)) == table[63, 63]
    assert pruning.base_reduction(number(3), number(2)) < 2048


def test_reverse_futility_needs_a_margin_that_grows_with_depth() -> None:
    assert pruning.is_reverse_futile(number(1), number(200), number(0), number(0))
    assert not pruning.is_reverse_futile(number(6), number(200), number(0), number(0))
    assert pruning.is_reverse_futile(number(2), number(100), number(0), number(1))
    assert not pruning.is_reverse_futile(number(2), number(100), number(0), number(0))
    assert not pruning.is_reverse_futile(number(20), number(5000), number(0), number(0))


def test_reverse_futility_leaves_mates_alone() -> None:
    assert not pruning.is_reverse_futile(number(1), number(MATE - 3), number(0), number(0))
    assert not pruning.is_reverse_futile(number(1), number(0), number(-MATE_BOUND - 1), number(0))


def test_razoring_only_near_the_horizon_and_far_below_alpha() -> None:
    assert pruning.is_razoring_candidate(number(1), number(-600), number(0))
    assert not pruning.is_razoring_candidate(number(1), number(-200), number(0))
    assert not pruning.is_razoring_candidate(number(8), number(-6000), number(0))


def test_null_move_needs_an_evaluation_above_beta() -> None:
    assert pruning.null_move_is_promising(number(8), number(50), number(50), number(0))
    assert not pruning.null_move_is_promising(number(8), number(-1), number(500), number(0))
    assert not pruning.null_move_is_promising(number(2), number(500), number(500), number(0))
    assert not pruning.null_move_is_promising(number(8), number(0), number(0), number(-MATE_BOUND))


def test_null_move_reduces_more_when_deep_and_when_far_above_beta() -> None:
    shallow = pruning.null_move_reduction(number(4), number(0), number(0))
    assert shallow < pruning.null_move_reduction(number(16), number(0), number(0))
    assert shallow < pruning.null_move_reduction(number(4), number(400), number(0))
    assert pruning.null_move_reduction(number(4), number(4000), number(0)) <= shallow + 3


@pytest.mark.parametrize(
    ("tt_depth", "bound", "score", "expected"),
    [
        (8, BOUND_LOWER, 30, True),
        (8, BOUND_UPPER, 30, False),  # says nothing of how good the move is
        (3, BOUND_LOWER, 30, False),  # too shallow
        (8, BOUND_LOWER, MATE - 5, False),
    ],
)
def test_only_a_deep_lower_bound_may_be_singular(tt_depth: int, bound: int, score: int, expected: bool) -> None:
    assert pruning.is_singular_candidate(number(9), number(tt_depth), number(bound), number(score)) == expected


def test_late_move_pruning_starts_later_when_improving_and_never_in_the_pv() -> None:
    for depth in range(1, 10):
        late = [
            [
                pruning.lmp_count_reached(number(count), number(depth), number(improving), False)
                for count in range(1, 100)
            ]
            for improving in (0, 1)
        ]
        assert 0 < late[0].index(True) < late[1].index(True)
        assert all(sorted(moves) == moves for moves in late)
        assert not pruning.lmp_count_reached(number(200), number(depth), number(0), True)


def test_see_thresholds_fall_with_depth() -> None:
    quiet = [pruning.see_quiet_threshold(number(depth)) for depth in range(8)]
    captures = [pruning.see_capture_threshold(number(depth)) for depth in range(8)]
    assert quiet == sorted(quiet, reverse=True)
    assert captures == sorted(captures, reverse=True)
    assert quiet[0] == captures[0] == 0


def test_futility_and_history_prune_only_near_the_horizon() -> None:
    assert pruning.is_futile(number(1), number(-300), number(0))
    assert not pruning.is_futile(number(1), number(0), number(0))
    assert not pruning.is_futile(number(12), number(-3000), number(0))
    assert pruning.is_history_pruned(number(1), number(-9000))
    assert not pruning.is_history_pruned(number(1), number(0))
    assert not pruning.is_history_pruned(number(9), number(-60000))


def test_iir_and_probcut() -> None:
    assert pruning.iir_applies(number(6), number(0), True, number(0))
    assert pruning.iir_applies(number(6), number(0), False, number(1))
    assert not pruning.iir_applies(number(6), number(0), False, number(0))
    assert not pruning.iir_applies(number(6), number(77), True, number(0))
    assert pruning.probcut_depth_reached(number(7), number(0))
    assert not pruning.probcut_depth_reached(number(7), number(MATE - 9))
    assert pruning.capture_reduction(number(2048)) < 2048
