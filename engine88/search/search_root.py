"""The root: every root move searched by `search`, the line and the effort of each remembered."""

import numba

from engine88.board.attacks import in_check
from engine88.board.defs import INFINITE
from engine88.board.move_list import MOVE_LIST_TYPE, MoveList
from engine88.board.record import BOARD_TYPE, Board
from engine88.compiler.jit import entry, inlined, int64
from engine88.evaluation.classical.evaluation_state import EVALUATION_TYPE, Evaluation
from engine88.evaluation.classical.psqt import placement_of
from engine88.rules.legality import is_legal
from engine88.rules.make_move import unmake_move
from engine88.rules.movegen import generate_legal
from engine88.search.node import look_up, note_check, open_node, play, save_line, set_static_eval, store_result
from engine88.search.params import LMR_THRESHOLD
from engine88.search.pruning import base_reduction
from engine88.search.search import search
from engine88.search.search_state import LEAD, MAX_ROOT_MOVES, SEARCH_STATE_TYPE, SearchState
from engine88.search.tt import BOUND_EXACT, BOUND_LOWER, BOUND_UPPER, NO_ENTRY, entry_move, probe

_INT = numba.int64
ROOT_LATE_MOVE = 3
"""Root moves after this many are reduced."""


@entry(BOARD_TYPE, MOVE_LIST_TYPE, SEARCH_STATE_TYPE)
def collect_root_moves(board: Board, lists: MoveList, state: SearchState) -> int:
    """Write all legal moves to the root list, clear their counters, return their number."""
    count = min(generate_legal(board, lists, int64(0)), MAX_ROOT_MOVES)
    for i in range(count):
        state.root_moves[i] = int64(lists.moves[i])
        state.root_scores[i] = -INFINITE
        state.root_nodes[i] = 0
    state.root_count = count
    return count


@entry(BOARD_TYPE, SEARCH_STATE_TYPE)
def table_move(board: Board, state: SearchState) -> int:
    """Return the move the table holds for the position if it is legal here, else 0 (to lengthen a line)."""
    data = probe(state.tt_base, state.tt_buckets, board.key)
    if data == NO_ENTRY:
        return int64(0)
    move = entry_move(data)
    return move if move != 0 and is_legal(board, move) else int64(0)


@inlined
def _open_root(board: Board, state: SearchState, evaluation: Evaluation, depth: int) -> None:
    state.root_depth = depth
    state.pv_lengths[0] = 0
    root = state.stack[LEAD]
    zero = int64(0)
    root.in_check = int64(in_check(board))
    root.placement = placement_of(board)
    root.end = zero
    root.excluded_move = zero
    state.stack[LEAD - 1].end = zero
    state.stack[LEAD - 1].double_extensions = zero
    state.stack[LEAD + 1].killer_1 = zero
    state.stack[LEAD + 1].killer_2 = zero
    state.stack[LEAD + 1].excluded_move = zero
    state.null_move_ply = zero
    look_up(board, state, zero, int64(1000), zero, True)
    set_static_eval(board, state, evaluation, zero)
    open_node(state, zero)


@inlined
def _bring_forward(state: SearchState, index: int) -> None:
    """Make the root move at `index` the first of those not settled, the others keep their order."""
    move, score, nodes = state.root_moves[index], state.root_scores[index], state.root_nodes[index]
    for i in range(index, state.root_first, -1):
        state.root_moves[i] = state.root_moves[i - 1]
        state.root_scores[i] = state.root_scores[i - 1]
        state.root_nodes[i] = state.root_nodes[i - 1]
    state.root_moves[state.root_first] = move
    state.root_scores[state.root_first] = score
    state.root_nodes[state.root_first] = nodes


@inlined
def _reduced(depth: int, new_depth: int, late: int) -> int:
    """Depth of the first search of the root move that comes `late` moves after the first."""
    if late <= ROOT_LATE_MOVE or depth < LMR_THRESHOLD:
        return int64(new_depth)
    return max(int64(1), new_depth - base_reduction(depth, late) // 1536)


@entry(BOARD_TYPE, MOVE_LIST_TYPE, SEARCH_STATE_TYPE, EVALUATION_TYPE, _INT, _INT, _INT)
def search_root(
    board: Board, lists: MoveList, state: SearchState, evaluation: Evaluation, alpha: int, beta: int, depth: int
) -> int:
    """Search the root moves from `root_first` on, as far as the search is not stopped; the best comes first."""
    _open_root(board, state, evaluation, depth)
    zero, one, next_ply = int64(0), int64(1), int64(1)
    best_score, best_index, old_alpha = int64(-INFINITE), int64(-1), alpha
    for i in range(state.root_first, state.root_count):
        move = int64(state.root_moves[i])
        state.root_move = move
        before = state.node_count
        note_check(board, state, zero, move)
        play(board, state, zero, move)
        new_depth = depth - 1 + state.stack[LEAD + 1].in_check
        score, late = alpha + 1, i - state.root_first
        if late > 0:
            reduced = _reduced(depth, new_depth, late)
            score = -search(board, lists, state, evaluation, -alpha - 1, -alpha, reduced, next_ply, one)
            if score > alpha and reduced < new_depth:
                score = -search(board, lists, state, evaluation, -alpha - 1, -alpha, new_depth, next_ply, one)
        if score > alpha:
            score = -search(board, lists, state, evaluation, -beta, -alpha, new_depth, next_ply, zero)
        unmake_move(board)
        state.root_nodes[i] += state.node_count - before
        if state.stop:
            break
        state.root_scores[i] = score if score > alpha or late == 0 else -INFINITE
        best_score = max(best_score, score)
        if score > alpha or late == 0:
            best_index = i
            save_line(state, zero, move)
            alpha = max(alpha, score)
            if score >= beta:
                break
    if best_index >= 0:
        _store_root(board, state, best_index, best_score, old_alpha, beta, depth)
        _bring_forward(state, best_index)
    return best_score


@inlined
def _store_root(
    board: Board, state: SearchState, best_index: int, best_score: int, alpha: int, beta: int, depth: int
) -> None:
    if state.stop or state.root_first > 0:
        return
    bound = int64(BOUND_EXACT)
    if best_score >= beta:
        bound = int64(BOUND_LOWER)
    elif best_score <= alpha:
        bound = int64(BOUND_UPPER)
    store_result(board, state, int64(0), int64(state.root_moves[best_index]), best_score, depth, bound)
