"""Quiescence search: captures and promotions until the position is quiet, all evasions while in check.

Source: chessprogramming wiki, "Quiescence Search", "Delta Pruning".
"""

from engine88.board.defs import MATE_BOUND, mated_in
from engine88.board.move_list import MoveList
from engine88.board.moves import PROMOTIONS, is_tactical, to_square
from engine88.board.record import Board
from engine88.compiler.cache_folder import DEBUG
from engine88.compiler.jit import inlined, int64, kernel
from engine88.evaluation.evaluation_state import EvaluationState
from engine88.rules.make_move import unmake_move
from engine88.rules.see import see_ge
from engine88.search.invariants import assert_node, assert_score
from engine88.search.move_picker import (
    STAGE_QS_TT_MOVE,
    init_picker,
    next_capture,
)
from engine88.search.move_scores import victim_value
from engine88.search.node import (
    SEARCHED,
    enter_node,
    make_search_move,
    probe_tt,
    set_gives_check,
    set_static_eval,
    store_tt,
    update_pv,
)
from engine88.search.params import QS_FUTILITY_MARGIN, QS_MOVE_LIMIT, QS_QUIET_EVASION_LIMIT, QS_SEE_MARGIN
from engine88.search.search_state import SearchState, node_at
from engine88.search.tt import BOUND_LOWER, BOUND_UPPER


@inlined
def _blended(score: int, beta: int) -> int:
    """Return a score above beta halfway towards it: quiescence knows little of how far above it is."""
    return (score + beta) // 2 if score > beta and abs(score) < MATE_BOUND else score


@kernel
def qsearch(
    board: Board, lists: MoveList, state: SearchState, evaluation: EvaluationState, alpha: int, beta: int, ply: int
) -> int:
    """Return the quiescence score of the position, fail-soft between alpha and beta.

    Longer than other functions, in numbered steps: recursion through a second kernel breaks Numba's disk cache.
    """
    if DEBUG:
        assert_node(board, state, ply, alpha, beta, int64(0))
    # 1. Limits, draws, the last ply
    node, known = node_at(state, ply), enter_node(board, state, evaluation, ply)
    if known != SEARCHED:
        return known
    pv_node = beta - alpha > 1
    # 2. The table
    if probe_tt(board, state, ply, int64(0), beta, pv_node, int64(0)):
        return int64(node.tt_score)
    tt_move = node.tt_move if node.in_check or is_tactical(node.tt_move) else int64(0)
    # 3. Stand pat. Nobody must capture, so the evaluation is a lower bound, except in check, where standing still is
    #    no choice and all evasions are searched.
    best_score = set_static_eval(board, state, evaluation, ply)
    if node.in_check:
        best_score = mated_in(ply)
    elif best_score >= beta:
        return _blended(best_score, beta)
    alpha = max(alpha, best_score)
    futility_base = int64(node.static_eval) + QS_FUTILITY_MARGIN
    recaptured = to_square(int64(node_at(state, ply - 1).current_move))
    best_move, move_count, quiet_evasions = int64(0), int64(0), int64(0)
    # 4. The moves
    init_picker(state, ply, tt_move, int64(STAGE_QS_TT_MOVE))
    while True:
        move = next_capture(board, lists, state, ply)
        if move == 0:
            break
        move_count += 1
        set_gives_check(board, state, ply, move)
        # 5. Pruning, once a line is known that is not mate. After the first quiet evasions the others hardly do better.
        #    Nor do late captures, or one whose victim or exchange does not lift the score to alpha; checks, promotions
        #    and recaptures may.
        if best_score > -MATE_BOUND:
            if node.in_check:
                if not is_tactical(move):
                    quiet_evasions += 1
                    if quiet_evasions > QS_QUIET_EVASION_LIMIT:
                        break
            elif not (node_at(state, ply + 1).in_check or move & PROMOTIONS or to_square(move) == recaptured):
                if move_count > QS_MOVE_LIMIT:
                    continue
                futility_value = futility_base + victim_value(board, move)
                if futility_value <= alpha:
                    best_score = max(best_score, futility_value)
                    continue
                if not see_ge(board, move, alpha - futility_base):
                    best_score = max(best_score, min(alpha, futility_base))
                    continue
            if not see_ge(board, move, int64(-QS_SEE_MARGIN)):
                continue
        # 6. The search of the move
        make_search_move(board, state, ply, move)
        score = -qsearch(board, lists, state, evaluation, -beta, -alpha, ply + 1)
        unmake_move(board)
        if state.stop:
            return int64(0)
        if score > best_score:
            best_score = score
            if score > alpha:
                best_move = move
                alpha = score
                if pv_node:
                    update_pv(state, ply, move)
                if score >= beta:
                    break
    # 7. Store. A bound is all that is known, because moves were left out.
    best_score = _blended(best_score, beta)
    bound = int64(BOUND_LOWER if best_score >= beta else BOUND_UPPER)
    store_tt(board, state, ply, best_move, best_score, int64(0), bound)
    if DEBUG:
        assert_score(best_score, ply)
    return best_score
