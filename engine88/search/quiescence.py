"""Quiescence search: captures and promotions until the position is quiet, all evasions while in check.

Source: chessprogramming wiki, "Quiescence Search", "Delta Pruning".
"""

from engine88.board.defs import MATE_BOUND, mated_in
from engine88.board.move_list import MoveList
from engine88.board.moves import PROMOTIONS, is_tactical
from engine88.board.record import Board
from engine88.compiler.cache_folder import DEBUG
from engine88.compiler.jit import int64, kernel
from engine88.evaluation.evaluate import evaluate
from engine88.evaluation.evaluation_state import EvaluationState
from engine88.rules.draws import is_draw
from engine88.rules.make_move import unmake_move
from engine88.rules.see import see_ge
from engine88.search.invariants import assert_node, assert_score
from engine88.search.move_picker import (
    STAGE_EVASION_TT_MOVE,
    STAGE_QS_TT_MOVE,
    init_picker,
    next_capture,
    next_evasion,
)
from engine88.search.move_scores import victim_value
from engine88.search.node import (
    LAST_PLY,
    draw_score,
    enter_node,
    make_search_move,
    probe_tt,
    set_gives_check,
    set_static_eval,
    store_tt,
    update_pv,
)
from engine88.search.params import QS_FUTILITY_MARGIN, QS_QUIET_EVASION_LIMIT
from engine88.search.search_state import SearchState, node_at
from engine88.search.tt import BOUND_LOWER, BOUND_NONE, BOUND_UPPER


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
    enter_node(state, ply)
    if state.stop:
        return int64(0)
    if is_draw(board, ply):
        return draw_score(state)
    node = node_at(state, ply)
    if ply >= LAST_PLY:
        return int64(0) if node.in_check else evaluate(board, evaluation)
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
        if node.tt_bound == BOUND_NONE:
            store_tt(board, state, ply, int64(0), best_score, int64(-1), int64(BOUND_LOWER))
        return best_score
    alpha = max(alpha, best_score)
    futility_base = best_score + QS_FUTILITY_MARGIN
    best_move, quiet_evasions = int64(0), int64(0)
    # 4. The moves
    init_picker(state, ply, tt_move, int64(STAGE_EVASION_TT_MOVE if node.in_check else STAGE_QS_TT_MOVE))
    while True:
        move = next_evasion(board, lists, state, ply) if node.in_check else next_capture(board, lists, state, ply)
        if move == 0:
            break
        # 5. Pruning, once a line is known that is not mate. After the first quiet evasions the others hardly do better.
        #    Nor does a capture whose victim does not lift the score to alpha, or one that loses material.
        if best_score > -MATE_BOUND:
            if node.in_check:
                if not is_tactical(move):
                    quiet_evasions += 1
                    if quiet_evasions > QS_QUIET_EVASION_LIMIT:
                        break
            else:
                futility_value = futility_base + victim_value(board, move)
                if futility_value <= alpha and not move & PROMOTIONS:
                    best_score = max(best_score, futility_value)
                    continue
            if not see_ge(board, move, int64(0)):
                continue
        # 6. The search of the move
        set_gives_check(board, state, ply, move)
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
    bound = int64(BOUND_LOWER if best_score >= beta else BOUND_UPPER)
    store_tt(board, state, ply, best_move, best_score, int64(0), bound)
    if DEBUG:
        assert_score(best_score, ply)
    return best_score
