"""The root: search every root move with `search`, and record the score, the nodes and the line of each."""

from engine88.board.attacks import in_check
from engine88.board.defs import INFINITE
from engine88.board.move_list import MoveList
from engine88.board.record import Board
from engine88.compiler.cache_folder import DEBUG
from engine88.compiler.jit import entry, inlined, int64, kernel
from engine88.evaluation.evaluation_state import EvaluationState
from engine88.rules.legality import is_legal
from engine88.rules.make_move import unmake_move
from engine88.rules.movegen import generate_legal
from engine88.search.invariants import assert_root
from engine88.search.node import (
    make_search_move,
    probe_tt,
    set_gives_check,
    set_static_eval,
    store_tt,
    update_pv,
)
from engine88.search.search import search
from engine88.search.search_state import MAX_ROOT_MOVES, NO_EVAL, STACK_OFFSET, SearchState, node_at
from engine88.search.tt import NO_ENTRY, bound_of, entry_move, probe


@entry
def collect_root_moves(board: Board, lists: MoveList, state: SearchState) -> int:
    """Write all legal moves to the root move list with cleared counters; return their number."""
    count = min(generate_legal(board, lists, int64(0)), MAX_ROOT_MOVES)
    for i in range(count):
        state.root_moves[i] = int64(lists.moves[i])
        state.root_scores[i] = -INFINITE
        state.root_nodes[i] = 0
    state.root_count = count
    return count


@entry
def probe_tt_move(board: Board, state: SearchState) -> int:
    """Return the table's move for the position if it is legal, else 0; used to extend a PV of one move."""
    data = probe(state.tt_base, state.tt_buckets, board.key)
    if data == NO_ENTRY:
        return int64(0)
    move = entry_move(data)
    return move if move != 0 and is_legal(board, move) else int64(0)


@inlined
def _init_root(board: Board, state: SearchState, evaluation: EvaluationState, depth: int) -> None:
    state.root_depth = depth
    state.pv_lengths[0] = 0
    root = node_at(state, 0)
    zero = int64(0)
    root.in_check = int64(in_check(board))
    root.picker_end = zero
    root.excluded_move = zero
    before, child = node_at(state, -1), node_at(state, 1)
    before.picker_end = zero
    child.excluded_move = zero
    child.cutoff_count = zero
    for back in range(1, STACK_OFFSET + 1):
        node_at(state, -back).static_eval = NO_EVAL
    state.null_move_ply = zero
    probe_tt(board, state, zero, int64(1000), zero, True, zero)
    set_static_eval(board, state, evaluation, zero)
    root.move_count = zero


@inlined
def _move_to_front(state: SearchState, index: int) -> None:
    """Move the root move at `index` to `pv_index`; the others keep their order."""
    move, score, nodes = state.root_moves[index], state.root_scores[index], state.root_nodes[index]
    for i in range(index, state.pv_index, -1):
        state.root_moves[i] = state.root_moves[i - 1]
        state.root_scores[i] = state.root_scores[i - 1]
        state.root_nodes[i] = state.root_nodes[i - 1]
    state.root_moves[state.pv_index] = move
    state.root_scores[state.pv_index] = score
    state.root_nodes[state.pv_index] = nodes


@kernel
def search_root(
    board: Board, lists: MoveList, state: SearchState, evaluation: EvaluationState, alpha: int, beta: int, depth: int
) -> int:
    """Search the root moves from `pv_index` on until stopped; the best comes first. Return its score, fail-soft."""
    if DEBUG:
        assert_root(board, state, alpha, beta, depth)
    _init_root(board, state, evaluation, depth)
    state.root_delta = beta - alpha
    zero, one, next_ply = int64(0), int64(1), int64(1)
    best_score, best_index, old_alpha = int64(-INFINITE), int64(-1), alpha
    for i in range(state.pv_index, state.root_count):
        move = int64(state.root_moves[i])
        state.root_move = move
        before = state.node_count
        set_gives_check(board, state, zero, move)
        make_search_move(board, state, zero, move)
        node_at(state, 0).move_count += 1
        new_depth = depth - 1
        score, late = alpha + 1, i - state.pv_index
        if late > 0:
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
            update_pv(state, zero, move)
            alpha = max(alpha, score)
            if score >= beta:
                break
    if best_index >= 0:
        _store_root(board, state, best_index, best_score, old_alpha, beta, depth)
        _move_to_front(state, best_index)
    return best_score


@inlined
def _store_root(
    board: Board, state: SearchState, best_index: int, best_score: int, alpha: int, beta: int, depth: int
) -> None:
    if state.stop or state.pv_index > 0:
        return
    bound = bound_of(best_score, alpha, beta)
    store_tt(board, state, int64(0), int64(state.root_moves[best_index]), best_score, depth, bound)
