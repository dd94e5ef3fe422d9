"""The rules: each leaves out only what its name says, and never a mate."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine88.board.defs import MATE, MATE_BOUND, NO_MOVE
from engine88.board.moves import CAPTURE, DOUBLE_PUSH, encode
from engine88.board.squares import from_64
from engine88.compiler.jit import int64
from engine88.search import extensions, move_rules, node_rules, reductions
from engine88.search.node import probe_tt, store_tt
from engine88.search.params import (
    FUTILITY_THRESHOLD,
    HISTORY_THRESHOLD,
    NULL_MOVE_STATIC_BASE,
    NULL_MOVE_STATIC_FACTOR,
    REVERSE_FUTILITY_IMPROVING_MARGIN,
    REVERSE_FUTILITY_MARGIN,
    REVERSE_FUTILITY_THRESHOLD,
    TT_UNEXPECTED_THRESHOLD,
)
from engine88.search.tt import BOUND_LOWER, BOUND_NONE, BOUND_UPPER
from tests.engine88.searching import MIDDLEGAME, Records, node_of


def number(value: int) -> int:
    return int64(value)


PLY = number(3)


def test_reductions_grow_with_depth_and_with_move_number() -> None:
    table = np.array([[reductions.base_reduction(number(d), number(c)) for c in range(64)] for d in range(64)])
    assert (np.diff(table[1:, 1:], axis=0) >= 0).all()
    assert (np.diff(table[1:, 1:], axis=1) >= 0).all()
    assert reductions.base_reduction(number(127), number(200)) == table[63, 63]
    assert reductions.base_reduction(number(3), number(2)) < 2048


def test_reverse_futility_needs_a_margin_that_grows_with_depth() -> None:
    for depth in (1, 4):
        enough = REVERSE_FUTILITY_MARGIN * depth
        assert is_reverse_futile(depth, enough)
        assert not is_reverse_futile(depth, enough - 1)
        assert is_reverse_futile(depth, enough - REVERSE_FUTILITY_IMPROVING_MARGIN, improving=1)
    assert not is_reverse_futile(REVERSE_FUTILITY_THRESHOLD, 5000)


def test_reverse_futility_leaves_mates_alone() -> None:
    assert not is_reverse_futile(1, MATE - 3)
    assert not is_reverse_futile(1, 0, beta=-MATE_BOUND - 1)


def test_reverse_futility_leaves_nodes_with_a_quiet_table_move_alone() -> None:
    quiet = encode(from_64(12), from_64(28), DOUBLE_PUSH)
    assert not is_reverse_futile(1, 5000, tt_move=quiet)
    assert is_reverse_futile(1, 5000, tt_move=encode(from_64(12), from_64(21), CAPTURE))


def is_reverse_futile(depth: int, eval_score: int, beta: int = 0, improving: int = 0, tt_move: int = 0) -> bool:
    return bool(node_rules.is_reverse_futile(*(number(one) for one in (depth, eval_score, beta, improving, tt_move))))


@pytest.mark.parametrize(
    ("change", "allowed"),
    [
        ({}, True),
        ({"eval_score": -1}, False),
        ({"static_eval": NULL_MOVE_STATIC_BASE - 8 * NULL_MOVE_STATIC_FACTOR - 1}, False),
        ({"static_eval": NULL_MOVE_STATIC_BASE - 8 * NULL_MOVE_STATIC_FACTOR}, True),
        ({"depth": 2}, False),
        ({"beta": -MATE_BOUND}, False),
        ({"move_before": NO_MOVE}, False),
        ({"null_move_ply": 4}, False),
        ({"fen": "4k3/8/8/3p4/3P4/8/8/4K1N1 w - - 0 1"}, False),  # zugzwang is likely
        ({"fen": "4k3/8/8/3p4/3P4/8/8/4K2R w - - 0 1"}, True),
    ],
)
def test_a_null_move_needs_a_high_evaluation_a_piece_and_a_move_before(change: dict[str, Any], allowed: bool) -> None:
    case: dict[str, Any] = {
        "fen": MIDDLEGAME, "depth": 8, "eval_score": 50, "static_eval": 50, "beta": 0,
        "move_before": 1, "null_move_ply": 0,
    }  # fmt: skip
    case.update(change)
    records = Records(case["fen"])
    records.state.null_move_ply = case["null_move_ply"]
    node_of(records.state, PLY).static_eval = case["static_eval"]
    node_of(records.state, 2).current_move = case["move_before"]
    numbers = [number(case[name]) for name in ("depth", "eval_score", "beta")]
    assert node_rules.null_move_allowed(records.board, records.state, PLY, *numbers) == allowed


def test_null_move_reduces_more_when_deep_and_when_far_above_beta() -> None:
    shallow = node_rules.null_move_reduction(number(4), number(0), number(0))
    assert shallow < node_rules.null_move_reduction(number(16), number(0), number(0))
    assert shallow < node_rules.null_move_reduction(number(4), number(400), number(0))
    assert node_rules.null_move_reduction(number(4), number(4000), number(0)) <= shallow + 3


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, True),
        ({"tt_bound": BOUND_UPPER}, False),  # does not show how good the move is
        ({"tt_depth": 3}, False),
        ({"tt_score": MATE - 5}, False),
        ({"root_depth": 1}, False),  # the line is extended to twice the root depth
    ],
)
def test_only_a_deep_lower_bound_may_be_singular(change: dict[str, int], expected: bool) -> None:
    state, case = Records(MIDDLEGAME).state, {"tt_depth": 8, "tt_bound": BOUND_LOWER, "tt_score": 30, **change}
    state.root_depth = case.pop("root_depth", 10)
    for name, value in case.items():
        node_of(state, PLY)[name] = value
    assert extensions.is_singular_candidate(state, PLY, number(9)) == expected


@pytest.mark.parametrize(
    ("score", "pv_node", "doubled", "cut_node", "beta", "extension"),
    [
        (-100, False, 0, 0, 20, 2),
        (-100, True, 0, 0, 20, 1),
        (-100, False, 6, 0, 20, 1),
        (-1, False, 0, 0, 20, 1),
        (5, False, 0, 0, 20, -2),
        (5, False, 0, 0, 40, 0),
        (5, False, 0, 1, 40, -2),
    ],
)
def test_a_singular_move_is_extended_and_one_of_several_reduced(
    score: int, pv_node: bool, doubled: int, cut_node: int, beta: int, extension: int
) -> None:
    state = Records(MIDDLEGAME).state
    node = node_of(state, PLY)
    node.tt_score, node.double_extensions = 30, doubled
    arguments = number(score), number(0), number(beta), pv_node, number(cut_node)
    assert extensions.singular_extension(state, PLY, *arguments) == extension
    assert node.double_extensions == doubled + (extension == 2)


def test_several_moves_above_beta_cut_the_node() -> None:
    arguments = number(25), number(22), number(20), False, number(1)
    assert extensions.singular_extension(Records(MIDDLEGAME).state, PLY, *arguments) == extensions.MULTI_CUT


def test_late_move_pruning_starts_later_when_improving_and_never_in_the_pv() -> None:
    for depth in range(1, 10):
        late = [
            [
                move_rules.lmp_count_reached(number(count), number(depth), number(improving), False)
                for count in range(1, 100)
            ]
            for improving in (0, 1)
        ]
        assert 0 < late[0].index(True) < late[1].index(True)
        assert all(sorted(moves) == moves for moves in late)
        assert not move_rules.lmp_count_reached(number(200), number(depth), number(0), True)


def test_see_thresholds_fall_with_depth() -> None:
    quiet = [move_rules.see_quiet_threshold(number(depth)) for depth in range(8)]
    captures = [move_rules.see_capture_threshold(number(depth)) for depth in range(8)]
    assert quiet == sorted(quiet, reverse=True)
    assert captures == sorted(captures, reverse=True)
    assert quiet[0] == captures[0] == 0


def test_futility_and_history_prune_only_near_the_horizon() -> None:
    assert move_rules.is_futile(number(1), number(-300), number(0))
    assert not move_rules.is_futile(number(1), number(0), number(0))
    assert not move_rules.is_futile(number(FUTILITY_THRESHOLD), number(-3000), number(0))
    assert move_rules.is_history_pruned(number(1), number(-9000))
    assert not move_rules.is_history_pruned(number(1), number(0))
    assert not move_rules.is_history_pruned(number(HISTORY_THRESHOLD), number(-60000))


def test_iir_and_probcut() -> None:
    assert node_rules.iir_applies(number(6), number(0), True, number(0))
    assert node_rules.iir_applies(number(6), number(0), False, number(1))
    assert not node_rules.iir_applies(number(6), number(0), False, number(0))
    assert not node_rules.iir_applies(number(6), number(77), True, number(0))
    state = Records(MIDDLEGAME).state
    node_of(state, PLY).tt_bound = BOUND_NONE
    assert node_rules.probcut_allowed(state, PLY, number(7), number(0), number(139))
    assert not node_rules.probcut_allowed(state, PLY, number(4), number(0), number(139))
    assert not node_rules.probcut_allowed(state, PLY, number(7), number(MATE - 9), number(MATE))
    node_of(state, PLY).tt_bound, node_of(state, PLY).tt_depth, node_of(state, PLY).tt_score = BOUND_UPPER, 5, 100
    assert not node_rules.probcut_allowed(state, PLY, number(7), number(0), number(139))
    assert reductions.capture_reduction(number(2048)) < 2048


@pytest.mark.parametrize("score", [-30, 30])
def test_near_the_horizon_the_table_cuts_only_as_expected(score: int) -> None:
    records, deep = Records(MIDDLEGAME), TT_UNEXPECTED_THRESHOLD
    bound = number(BOUND_LOWER if score >= 0 else BOUND_UPPER)
    store_tt(records.board, records.state, PLY, number(NO_MOVE), number(score), number(deep), bound)

    def cuts(depth: int, cut_node: bool) -> bool:
        arguments = number(depth), number(0), False, number(cut_node)
        return bool(probe_tt(records.board, records.state, PLY, *arguments))

    expected = score >= 0
    assert cuts(deep - 1, expected)
    assert not cuts(deep - 1, not expected)
    assert cuts(deep, not expected)
    assert cuts(0, not expected)  # quiescence
