"""The rules: each leaves out only what its name says, and never a mate."""

from __future__ import annotations

import functools
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
    HINDSIGHT_EXTENSION_THRESHOLD,
    HINDSIGHT_REDUCTION_MARGIN,
    IIR_THRESHOLD,
    LMR_COUNT_FACTOR,
    NULL_MOVE_EVAL_LIMIT,
    NULL_MOVE_STATIC_BASE,
    NULL_MOVE_STATIC_FACTOR,
    PROBCUT_THRESHOLD,
    REVERSE_FUTILITY_BASE,
    REVERSE_FUTILITY_FACTOR,
    REVERSE_FUTILITY_THRESHOLD,
    TT_UNEXPECTED_THRESHOLD,
)
from engine88.search.search_state import NO_EVAL
from engine88.search.tt import BOUND_LOWER, BOUND_NONE, BOUND_UPPER
from tests.engine88.searching import MIDDLEGAME, Records, node_of


def number(value: int) -> int:
    return int64(value)


PLY = number(3)
QUIET = encode(from_64(12), from_64(28), DOUBLE_PUSH)


def test_reductions_grow_with_depth_and_with_move_number() -> None:
    table = np.array([[base_reduction(depth, count) for count in range(64)] for depth in range(64)])
    assert (np.diff(table[1:, 1:], axis=0) >= 0).all()
    assert (np.diff(table[1:, 1:] + LMR_COUNT_FACTOR * np.arange(1, 64), axis=1) >= 0).all()
    assert base_reduction(127, 63) == table[63, 63]
    assert base_reduction(3, 2) < 3072


def test_moves_are_reduced_more_where_the_evaluation_falls_and_less_where_the_window_is_wide() -> None:
    assert base_reduction(10, 10, flags=0) > base_reduction(10, 10, flags=reductions.NODE_IMPROVING)
    narrow, wide = (base_reduction(10, 10, window=window, flags=reductions.NODE_PV) for window in (2, 20))
    assert wide < narrow


def base_reduction(depth: int, count: int, window: int = 1, flags: int = reductions.NODE_IMPROVING) -> int:
    numbers = (number(one) for one in (depth, count, window, flags))
    return int(reductions.base_reduction(state_of_a_wide_root(), PLY, *numbers))


@functools.cache
def state_of_a_wide_root() -> Any:
    state = Records(MIDDLEGAME).state
    state.root_delta = 20
    return state


@pytest.mark.parametrize(
    ("change", "more"),
    [
        ({"flags": reductions.NODE_CUT}, True),
        ({"flags": reductions.NODE_TT_CAPTURE}, True),
        ({"cutoff_count": 9}, True),
        ({"stat_score": 20_000}, False),
        ({"tt_pv": 1}, False),
        ({"static_eval": 80}, False),  # the raw evaluation is 0
        ({"tt_move": 5}, False),  # the move itself
    ],
)
def test_signs_for_and_against_a_move_change_its_reduction(change: dict[str, int], more: bool) -> None:
    plain, changed = full_reduction({}), full_reduction(change)
    assert changed > plain if more else changed < plain


def full_reduction(change: dict[str, int]) -> int:
    state, case = Records(MIDDLEGAME).state, {"tt_move": 9, "flags": 0, "cutoff_count": 0, **change}
    flags = case.pop("flags")
    node_of(state, PLY + 1).cutoff_count = case.pop("cutoff_count")
    for name, value in case.items():
        node_of(state, PLY)[name] = value
    arguments = (number(one) for one in (5, 10, 8, 0, flags, 2000))
    return int(reductions.full_reduction(state, PLY, *arguments))


@pytest.mark.parametrize(
    ("reduction", "flags", "best_move", "depth"),
    [
        (0, 0, 0, 8),
        (2048, 0, 0, 6),
        (2047, 0, 0, 7),  # whole plies only
        (-1023, reductions.NODE_CUT, 0, 8),
        (-4096, 0, 0, 8),  # no extension in an expected all node
        (-4096, reductions.NODE_CUT, 0, 9),
        (-4096, reductions.NODE_PV, 0, 10),
        (-4096, reductions.NODE_PV, 7, 9),
        (99_999, 0, 0, 1),
    ],
)
def test_a_reduced_search_keeps_a_ply_and_goes_two_deeper_at_most(
    reduction: int, flags: int, best_move: int, depth: int
) -> None:
    arguments = (number(one) for one in (8, reduction, best_move, flags))
    assert reductions.reduced_depth(*arguments) == depth


def test_a_second_search_is_deeper_after_a_score_well_above_the_best_one() -> None:
    def second(score: int, reduced: int = 5) -> int:
        return int(reductions.research_depth(number(8), number(reduced), number(score), number(0)))

    assert second(200) == 9
    assert second(15) == 8
    assert second(1) == 7
    assert second(200, reduced=8) == 8  # the first search was not reduced


def test_a_move_without_late_move_reduction_is_shallower_where_much_speaks_against_it() -> None:
    depths = [reductions.first_depth(number(6), number(reduction), number(7)) for reduction in (0, 4000, 6000)]
    assert depths == [6, 5, 4]
    assert reductions.first_depth(number(6), number(3000), number(0)) == 5  # no table move


def test_moves_after_one_that_raised_alpha_are_shallower_in_the_middle_depths() -> None:
    depths = [reductions.depth_after_raise(number(depth), number(10)) for depth in (1, 2, 3, 8, 15, 16)]
    assert depths == [1, 2, 1, 6, 13, 16]
    assert reductions.depth_after_raise(number(8), number(MATE - 3)) == 8


def test_reverse_futility_needs_a_margin_that_grows_with_depth() -> None:
    for depth in (2, 4):
        enough = REVERSE_FUTILITY_FACTOR * depth - REVERSE_FUTILITY_BASE
        assert is_reverse_futile(depth, enough)
        assert not is_reverse_futile(depth, enough - 1)
        assert is_reverse_futile(depth, max(0, enough - REVERSE_FUTILITY_FACTOR), improving=1)
        assert is_reverse_futile(depth, max(0, enough - 2 * depth), cut_node=1)
    assert not is_reverse_futile(REVERSE_FUTILITY_THRESHOLD, 5000)
    assert not is_reverse_futile(1, -1)


def test_reverse_futility_leaves_mates_alone() -> None:
    assert not is_reverse_futile(1, MATE - 3)
    assert not is_reverse_futile(1, 0, beta=-MATE_BOUND - 1)


def test_reverse_futility_leaves_quiet_table_moves_and_principal_variations_alone() -> None:
    quiet, capture = encode(from_64(12), from_64(28), DOUBLE_PUSH), encode(from_64(12), from_64(21), CAPTURE)
    assert not is_reverse_futile(1, 5000, tt_move=quiet)
    assert is_reverse_futile(1, 5000, tt_move=capture)
    assert not is_reverse_futile(1, 5000, tt_pv=1)


def is_reverse_futile(
    depth: int, eval_score: int, beta: int = 0, improving: int = 0, cut_node: int = 0, **fields: int
) -> bool:
    state = Records(MIDDLEGAME).state
    node_of(state, PLY).tt_eval = NO_EVAL
    for name, value in fields.items():
        node_of(state, PLY)[name] = value
    arguments = (number(one) for one in (depth, eval_score, beta, cut_node, improving))
    return bool(node_rules.is_reverse_futile(state, PLY, *arguments))


def test_hindsight_corrects_a_reduction_by_the_evaluation() -> None:
    def depth(reduction: int, now: int, before: int) -> int:
        state = Records(MIDDLEGAME).state
        node_of(state, PLY).static_eval = now
        node_of(state, PLY - 1).static_eval, node_of(state, PLY - 1).reduction = before, reduction
        found = int(extensions.hindsight_depth(state, PLY, number(6)))
        assert node_of(state, PLY - 1).reduction == 0
        return found

    assert depth(HINDSIGHT_EXTENSION_THRESHOLD, -40, 30) == 7  # the move before was better than thought
    assert depth(HINDSIGHT_EXTENSION_THRESHOLD - 1, -40, 30) == 6
    assert depth(1, HINDSIGHT_REDUCTION_MARGIN + 1, 0) == 5  # it was bad
    assert depth(0, HINDSIGHT_REDUCTION_MARGIN + 1, 0) == 6


@pytest.mark.parametrize(
    ("change", "allowed"),
    [
        ({}, True),
        ({"eval_score": -1}, False),
        ({"static_eval": NULL_MOVE_STATIC_BASE - 8 * NULL_MOVE_STATIC_FACTOR - 1}, False),
        ({"static_eval": NULL_MOVE_STATIC_BASE - 8 * NULL_MOVE_STATIC_FACTOR}, True),
        ({"beta": -MATE_BOUND}, False),
        ({"move_before": NO_MOVE}, False),
        ({"null_move_ply": 4}, False),
        ({"fen": "4k3/8/8/3p4/3P4/8/8/4K1N1 w - - 0 1"}, False),  # zugzwang is likely
        ({"fen": "4k3/8/8/3p4/3P4/8/8/4K2R w - - 0 1"}, True),
    ],
)
def test_a_null_move_needs_a_high_evaluation_a_piece_and_a_move_before(change: dict[str, Any], allowed: bool) -> None:
    case: dict[str, Any] = {
        "fen": MIDDLEGAME, "depth": 8, "eval_score": 50, "static_eval": 500, "beta": 0,
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
    assert node_rules.null_move_reduction(number(4), number(4000), number(0)) <= shallow + NULL_MOVE_EVAL_LIMIT


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
    ("score", "pv_node", "tt_move", "cut_node", "beta", "extension"),
    [
        (-1, False, CAPTURE, 0, 20, 2),
        (-1, False, QUIET, 0, 20, 2),
        (-1, True, CAPTURE, 0, 20, 1),
        (-80, True, CAPTURE, 0, 20, 2),
        (5, False, CAPTURE, 0, 20, -3),
        (5, False, CAPTURE, 0, 40, 0),
        (5, False, CAPTURE, 1, 40, -2),
    ],
)
def test_a_singular_move_is_extended_and_one_of_several_reduced(
    score: int, pv_node: bool, tt_move: int, cut_node: int, beta: int, extension: int
) -> None:
    state = Records(MIDDLEGAME).state
    node = node_of(state, PLY)
    node.tt_score, node.tt_move = 30, tt_move
    arguments = number(score), number(0), number(beta), pv_node, number(cut_node)
    assert extensions.singular_extension(state, PLY, *arguments) == extension


def test_several_moves_above_beta_cut_the_node() -> None:
    arguments = number(25), number(22), number(20), False, number(1)
    assert extensions.singular_extension(Records(MIDDLEGAME).state, PLY, *arguments) == extensions.MULTI_CUT


def test_late_move_pruning_starts_later_when_improving() -> None:
    for depth in range(1, 10):
        late = [
            [move_rules.lmp_count_reached(number(count), number(depth), number(improving)) for count in range(1, 110)]
            for improving in (0, 1)
        ]
        assert 0 < late[0].index(True) < late[1].index(True)
        assert all(sorted(moves) == moves for moves in late)


def test_see_thresholds_fall_with_depth_and_with_a_good_history() -> None:
    quiet = [move_rules.see_quiet_threshold(number(depth)) for depth in range(8)]
    captures = [move_rules.see_capture_threshold(number(depth), number(0)) for depth in range(8)]
    assert quiet == sorted(quiet, reverse=True)
    assert captures == sorted(captures, reverse=True)
    assert quiet[0] == captures[0] == 0
    good, bad = (move_rules.see_capture_threshold(number(2), number(history)) for history in (9000, -9000))
    assert good < captures[2] < bad
    assert bad <= 0


def test_a_quiet_move_needs_less_once_alpha_was_raised_and_more_where_all_are_bad() -> None:
    def margin(lmr_depth: int, best_score: int = 0, best_move: int = 0) -> int:
        return int(move_rules.futility_margin(*(number(one) for one in (lmr_depth, 0, best_score, best_move))))

    margins = [margin(depth) for depth in range(10)]
    assert margins == sorted(margins)
    assert margin(3, best_move=7) < margin(3) < margin(3, best_score=-500)


def test_a_capture_needs_less_with_a_great_victim_and_a_good_history() -> None:
    def margin(victim: int, history: int) -> int:
        return int(move_rules.capture_futility_margin(number(2), number(victim), number(history)))

    assert margin(100, 0) < margin(300, 0) < margin(300, 5000)


def test_iir_and_probcut() -> None:
    assert node_rules.iir_applies(number(6), number(0), True, number(0))
    assert node_rules.iir_applies(number(IIR_THRESHOLD), number(0), False, number(1))
    assert not node_rules.iir_applies(number(IIR_THRESHOLD - 1), number(0), False, number(1))
    assert not node_rules.iir_applies(number(9), number(0), False, number(0))
    assert not node_rules.iir_applies(number(6), number(77), True, number(0))
    state = Records(MIDDLEGAME).state
    node_of(state, PLY).tt_bound = BOUND_NONE
    assert node_rules.probcut_allowed(state, PLY, number(7), number(0), number(139))
    assert not node_rules.probcut_allowed(state, PLY, number(PROBCUT_THRESHOLD - 1), number(0), number(139))
    assert not node_rules.probcut_allowed(state, PLY, number(7), number(MATE - 9), number(MATE))
    node_of(state, PLY).tt_bound, node_of(state, PLY).tt_depth, node_of(state, PLY).tt_score = BOUND_UPPER, 5, 100
    assert not node_rules.probcut_allowed(state, PLY, number(7), number(0), number(139))


@pytest.mark.parametrize("score", [-30, 30])
def test_near_the_horizon_the_table_cuts_only_as_expected(score: int) -> None:
    records, deep = Records(MIDDLEGAME), TT_UNEXPECTED_THRESHOLD
    bound = number(BOUND_LOWER if score >= 0 else BOUND_UPPER)
    store_tt(records.board, records.state, PLY, number(NO_MOVE), number(score), number(deep + 1), bound)

    def cuts(depth: int, cut_node: bool) -> bool:
        arguments = number(depth), number(0), False, number(cut_node)
        return bool(probe_tt(records.board, records.state, PLY, *arguments))

    expected = score >= 0
    assert cuts(deep - 1, expected)
    assert not cuts(deep - 1, not expected)
    assert cuts(deep, not expected)
    assert cuts(0, not expected)  # quiescence
