"""Lazy evaluation: incremental piece-square scores, bounds where they decide a node, none where they may not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from engine88.board.defs import INFINITE
from engine88.board.record import Board
from engine88.compiler.jit import int64, kernel
from engine88.evaluation.classical.psqt import psqt_score_change, psqt_score_of
from engine88.evaluation.evaluate import evaluate, material_and_psqt
from engine88.evaluation.evaluation_state import EvaluationState
from engine88.rules.make_move import make_move, unmake_move
from engine88.search.lazy_eval import lazy_eval_bound, lazy_eval_lower_bound, set_eval_residual
from engine88.search.params import LAZY_EVAL_AGE_FACTOR, LAZY_EVAL_MARGIN
from engine88.search.search_state import NO_EVAL, STACK_OFFSET, SearchState
from engine88.search.tt import BOUND_LOWER, BOUND_NONE
from tests.engine88.games import choices, starts, tried, walk
from tests.engine88.searching import MIDDLEGAME, Records

PLY = 3


@kernel
def judge(board: Board, state: SearchState, evaluation: EvaluationState, ply: int) -> int:
    """Evaluate the position of `ply` in full and keep its residual."""
    node = state.stack[ply + STACK_OFFSET]
    node.psqt_score = psqt_score_of(board)
    node.raw_eval = evaluate(board, evaluation)
    set_eval_residual(board, state, ply)
    return int64(node.raw_eval)


@kernel
def bound_below(board: Board, state: SearchState, ply: int, pv_node: bool) -> int:
    """`lazy_eval_lower_bound` for Python."""
    return lazy_eval_lower_bound(board, state, ply, pv_node)


@kernel
def look(board: Board, state: SearchState, ply: int, alpha: int, beta: int, pv_node: bool) -> int:
    """`lazy_eval_bound` for Python."""
    return lazy_eval_bound(board, state, ply, alpha, beta, pv_node)


def child_of_judged(fen: str = MIDDLEGAME) -> tuple[Records, Any, int]:
    """Records, the node at PLY below one whose residual is known, and the evaluation; the board is the same at both."""
    records = Records(fen)
    judge(records.board, records.state, records.evaluation, PLY - 1)
    score = int(judge(records.board, records.state, records.evaluation, PLY))
    node = records.state.stack[PLY + STACK_OFFSET]
    node.tt_bound, node.in_check, node.eval_residual = BOUND_NONE, 0, 0
    return records, node, score


@tried(60)
@given(starts(), choices)
def test_the_incremental_psqt_score_equals_the_one_from_scratch(start: Any, numbers: list[int]) -> None:
    for position, _ in walk(start, numbers, every=7):
        board = position.board
        before = int(psqt_score_of(board))
        for move in position.legal_codes():
            change = int(psqt_score_change(board, move))
            make_move(board, move)
            assert before + change == int(psqt_score_of(board)), position.move_name(move)
            unmake_move(board)


@pytest.mark.parametrize(("side", "sign"), [("w", 1), ("b", -1)])
def test_material_is_seen_by_either_side(side: str, sign: int) -> None:
    board = Records(f"4k3/pppppppp/8/8/8/8/PPPPPPPP/QQQQKQQQ {side} - - 0 1").board
    assert sign * int(material_and_psqt(board, psqt_score_of(board))) > 4000


def test_a_lazy_bound_is_a_margin_away_from_the_last_evaluation() -> None:
    records, node, score = child_of_judged()
    low = int(bound_below(records.board, records.state, PLY, False))
    assert low == pytest.approx(score - LAZY_EVAL_MARGIN, abs=1)
    records.state.stack[PLY + STACK_OFFSET - 1].residual_age = 2
    assert int(bound_below(records.board, records.state, PLY, False)) == low - 2 * LAZY_EVAL_AGE_FACTOR
    assert node.residual_age == 0


@pytest.mark.parametrize("off", [2, 100])
def test_lazy_eval_decides_scores_far_outside_the_window(off: int) -> None:
    records, node, score = child_of_judged()
    above, below = score + LAZY_EVAL_MARGIN + off, score - LAZY_EVAL_MARGIN - off
    low = int(look(records.board, records.state, PLY, below - 1, below, False))
    assert below <= low <= score
    assert (node.raw_eval, node.static_eval, node.residual_age) == (NO_EVAL, low, 1)
    high = int(look(records.board, records.state, PLY, above, above + 1, False))
    assert score <= high <= above
    assert node.eval_residual == records.state.stack[PLY + STACK_OFFSET - 1].eval_residual


def test_lazy_eval_leaves_the_window_to_the_full_evaluation() -> None:
    records, node, score = child_of_judged()
    assert int(look(records.board, records.state, PLY, score - 1, score, False)) == NO_EVAL
    assert node.raw_eval == score


@pytest.mark.parametrize("why", ["pv", "check", "table", "endgame"])
def test_no_lazy_eval_in_pv_check_endgame_or_after_a_table_hit(why: str) -> None:
    records, node, _ = child_of_judged(MIDDLEGAME if why != "endgame" else "8/5kpp/8/8/8/8/1R3KPP/8 w - - 0 1")
    node.in_check = int(why == "check")
    node.tt_bound = BOUND_LOWER if why == "table" else BOUND_NONE
    assert int(bound_below(records.board, records.state, PLY, why == "pv")) == -INFINITE
    assert int(look(records.board, records.state, PLY, -9000, -8999, why == "pv")) == NO_EVAL
