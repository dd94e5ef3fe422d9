"""Quiescence: captures and promotions until the position is quiet, all evasions while in check."""

from engine88.board.defs import MATE_BOUND, mated_in
from engine88.board.move_list import MoveList
from engine88.board.moves import PROMOTIONS, is_tactical
from engine88.board.record import Board
from engine88.compiler.jit import inlined, int64, kernel, uint64
from engine88.evaluation.classical.evaluation_state import Evaluation
from engine88.evaluation.evaluate import evaluate
from engine88.rules.draws import is_draw
from engine88.rules.make_move import unmake_move
from engine88.rules.see import see_ge
from engine88.search.lazy_eval import glance
from engine88.search.move_picker import (
    STAGE_END,
    STAGE_EVASION_TT_MOVE,
    STAGE_QS_TT_MOVE,
    next_capture,
    next_evasion,
    start_picking,
)
from engine88.search.move_scores import victim_value
from engine88.search.node import (
    LAST_PLY,
    draw_score,
    enter_node,
    look_up,
    note_check,
    play,
    save_line,
    set_static_eval,
    skip_table,
    store_result,
)
from engine88.search.params import QS_FUTILITY_MARGIN, QS_QUIET_EVASION_LIMIT
from engine88.search.search_state import LEAD, NO_EVAL, SearchState
from engine88.search.tt import BOUND_LOWER, BOUND_NONE, BOUND_UPPER


@inlined
def is_deep(state: SearchState, ply: int) -> bool:
    """Return whether a capture of another quiescence node led here: such nodes seldom pay for their table entry."""
    above = state.stack[uint64(ply + (LEAD - 1))].stage
    return bool(STAGE_QS_TT_MOVE <= above < STAGE_END and not state.stack[uint64(ply + LEAD)].in_check)


@kernel
def qsearch(
    board: Board, lists: MoveList, state: SearchState, evaluation: Evaluation, alpha: int, beta: int, ply: int
) -> int:
    """Return the score of the position once the captures are played out, fail-soft between alpha and beta.

    Longer than other functions, in numbered steps: recursion through a second kernel breaks Numba's disk cache.
    """
    # 1. Limits, draws, the last ply
    enter_node(state, ply)
    if state.stop:
        return int64(0)
    if is_draw(board, ply):
        return draw_score(state)
    node = state.stack[uint64(ply + LEAD)]
    if ply >= LAST_PLY:
        return int64(0) if node.in_check else evaluate(board, evaluation)
    pv_node = beta - alpha > 1
    # 2. The table
    deep = is_deep(state, ply)
    if deep:
        skip_table(state, ply)
    elif look_up(board, state, ply, int64(0), beta, pv_node):
        return int64(node.hit_score)
    tt_move = node.hit_move if node.in_check or is_tactical(node.hit_move) else int64(0)
    # 3. Stand pat
    best_score = glance(board, state, ply, alpha, beta, pv_node)
    if best_score == NO_EVAL:
        best_score = set_static_eval(board, state, evaluation, ply)
    if node.in_check:
        best_score = mated_in(ply)
    elif best_score >= beta:
        if node.hit_bound == BOUND_NONE and node.raw_eval != NO_EVAL and not deep:
            store_result(board, state, ply, int64(0), best_score, int64(-1), int64(BOUND_LOWER))
        return best_score
    alpha = max(alpha, best_score)
    futile_below = best_score + QS_FUTILITY_MARGIN
    best_move, quiet_evasions = int64(0), int64(0)
    # 4. The moves
    start_picking(state, ply, tt_move, int64(STAGE_EVASION_TT_MOVE if node.in_check else STAGE_QS_TT_MOVE))
    while True:
        move = next_evasion(board, lists, state, ply) if node.in_check else next_capture(board, lists, state, ply)
        if move == 0:
            break
        # 5. What cannot help is left out
        if best_score > -MATE_BOUND:
            if node.in_check:
                if not is_tactical(move):
                    quiet_evasions += 1
                    if quiet_evasions > QS_QUIET_EVASION_LIMIT:
                        break
            else:
                hope = futile_below + victim_value(board, move)
                if hope <= alpha and not move & PROMOTIONS:
                    best_score = max(best_score, hope)
                    continue
            if not see_ge(board, move, int64(0)):
                continue
        note_check(board, state, ply, move)
        play(board, state, ply, move)
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
                    save_line(state, ply, move)
                if score >= beta:
                    break
    # 6. Remember
    if not deep:
        bound = int64(BOUND_LOWER if best_score >= beta else BOUND_UPPER)
        store_result(board, state, ply, best_move, best_score, int64(0), bound)
    return best_score
