"""Judging at a glance: placement kept up move by move, bounds where they settle a node, nothing where they may not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from engine88.board.defs import INFINITE
from engine88.board.record import Board
from engine88.compiler.jit import int64, kernel
from engine88.evaluation.classical.evaluation_state import Evaluation
from engine88.evaluation.classical.psqt import placement_change, placement_of
from engine88.evaluation.evaluate import evaluate, rough_evaluation
from engine88.rules.make_move import make_move, unmake_move
from engine88.search.lazy_eval import glance, least_eval, note_surplus
from engine88.search.params import GLANCE_DRIFT_FACTOR, GLANCE_MARGIN
from engine88.search.search_state import LEAD, NO_EVAL, SearchState
from engine88.search.tt import BOUND_LOWER, BOUND_NONE
from tests.engine88.games import choices, starts, tried, walk
from tests.engine88.searching import MIDDLEGAME, Records

PLY = 3


@kernel
def judge(board: Board, state: SearchState, evaluation: Evaluation, ply: int) -> int:
    """Evaluate the position of `ply` in full and keep its surplus."""
    node = state.stack[ply + LEAD]
    node.placement = placement_of(board)
    node.raw_eval = evaluate(board, evaluation)
    note_surplus(board, state, ply)
    return int64(node.raw_eval)


@kernel
def bound_below(board: Board, state: SearchState, ply: int, pv_node: bool) -> int:
    """`least_eval` for Python."""
    return least_eval(board, state, ply, pv_node)


@kernel
def look(board: Board, state: SearchState, ply: int, alpha: int, beta: int, pv_node: bool) -> int:
    """`glance` for Python."""
    return glance(board, state, ply, alpha, beta, pv_node)


def child_of_judged(fen: str = MIDDLEGAME) -> tuple[Records, Any, int]:
    """Records, the node at PLY below one whose surplus is known, and the evaluation; the board is the same at both."""
    records = Records(fen)
    judge(records.board, records.state, records.evaluation, PLY - 1)
    score = int(judge(records.board, records.state, records.evaluation, PLY))
    node = records.state.stack[PLY + LEAD]
    node.hit_bound, node.in_check, node.surplus = BOUND_NONE, 0, 0
    return records, node, score


@tried(60)
@given(starts(), choices)
def test_the_changes_of_moves_add_up_to_the_placement(start: Any, numbers: list[int]) -> None:
    for position, _ in walk(start, numbers, every=7):
        board = position.board
        before = int(placement_of(board))
        for move in position.legal_codes():
            change = int(placement_change(board, move))
            make_move(board, move)
            assert before + change == int(placement_of(board)), position.move_name(move)
            unmake_move(board)


@pytest.mark.parametrize(("side", "sign"), [("w", 1), ("b", -1)])
def test_material_is_seen_by_either_side(side: str, sign: int) -> None:
    board = Records(f"4k3/pppppppp/8/8/8/8/PPPPPPPP/QQQQKQQQ {side} - - 0 1").board
    assert sign * int(rough_evaluation(board, placement_of(board))) > 4000


def test_a_bound_is_a_margin_away_from_what_was_last_seen() -> None:
    records, node, score = child_of_judged()
    low = int(bound_below(records.board, records.state, PLY, False))
    assert low == pytest.approx(score - GLANCE_MARGIN, abs=1)
    records.state.stack[PLY + LEAD - 1].drift = 2
    assert int(bound_below(records.board, records.state, PLY, False)) == low - 2 * GLANCE_DRIFT_FACTOR
    assert node.drift == 0


@pytest.mark.parametrize("off", [2, 100])
def test_a_glance_settles_what_is_far_outside_the_window(off: int) -> None:
    records, node, score = child_of_judged()
    above, below = score + GLANCE_MARGIN + off, score - GLANCE_MARGIN - off
    low = int(look(records.board, records.state, PLY, below - 1, below, False))
    assert below <= low <= score
    assert (node.raw_eval, node.static_eval, node.drift) == (NO_EVAL, low, 1)
    high = int(look(records.board, records.state, PLY, above, above + 1, False))
    assert score <= high <= above
    assert node.surplus == records.state.stack[PLY + LEAD - 1].surplus


def test_a_glance_leaves_the_window_to_the_evaluation() -> None:
    records, node, score = child_of_judged()
    assert int(look(records.board, records.state, PLY, score - 1, score, False)) == NO_EVAL
    assert node.raw_eval == score


@pytest.mark.parametrize("why", ["pv", "check", "table", "endgame"])
def test_no_glance_where_a_bound_is_not_enough(why: str) -> None:
    records, node, _ = child_of_judged(MIDDLEGAME if why != "endgame" else "8/5kpp/8/8/8/8/1R3KPP/8 w - - 0 1")
    node.in_check = int(why == "check")
    node.hit_bound = BOUND_LOWER if why == "table" else BOUND_NONE
    assert int(bound_below(records.board, records.state, PLY, why == "pv")) == -INFINITE
    assert int(look(records.board, records.state, PLY, -9000, -8999, why == "pv")) == NO_EVAL
