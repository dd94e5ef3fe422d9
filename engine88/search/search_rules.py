"""The rules of `search` that read the search record; those of plain numbers are in `pruning.py`."""

from engine88.board.defs import BISHOP, KNIGHT, NO_MOVE, PAWN
from engine88.board.moves import is_tactical
from engine88.board.record import Board
from engine88.compiler.jit import inlined, int64, kernel, uint64
from engine88.rules.see import see_ge
from engine88.search.params import (
    DOUBLE_EXTENSION_LIMIT,
    DOUBLE_EXTENSION_MARGIN,
    LMR_CAPTURE_HISTORY_FACTOR,
    LMR_CHECK_FACTOR,
    LMR_CUT_NODE_FACTOR,
    LMR_CUTOFFS_FACTOR,
    LMR_CUTOFFS_THRESHOLD,
    LMR_DEEPER_MARGIN,
    LMR_HISTORY_FACTOR,
    LMR_KILLER_FACTOR,
    LMR_NOT_IMPROVING_FACTOR,
    LMR_PV_FACTOR,
    LMR_SHALLOWER_MARGIN,
    LMR_TT_CAPTURE_FACTOR,
    LMR_TT_PV_FACTOR,
    PROBCUT_REDUCTION,
    SEE_CAPTURE_THRESHOLD,
    SINGULAR_FACTOR,
)
from engine88.search.pruning import (
    base_reduction,
    capture_exchange_floor,
    capture_reduction,
    has_bad_history,
    is_futile,
    is_late,
    may_be_singular,
    may_probcut,
    may_try_null_move,
    quiet_exchange_floor,
)
from engine88.search.search_state import LEAD, SearchState
from engine88.search.tt import BOUND_NONE

KIND_PV, KIND_CUT_NODE, KIND_IMPROVING, KIND_WAS_PV, KIND_TT_CAPTURE = 1, 2, 4, 8, 16
MULTI_CUT = 100
"""Not an extension: several moves beat beta, so the node is cut."""


@inlined
def node_kind(state: SearchState, ply: int, pv_node: bool, cut_node: int, improving: int) -> int:
    """Return what a reduction depends on, as a sum of KIND_ bits."""
    node = state.stack[uint64(ply + LEAD)]
    kind = improving * KIND_IMPROVING + cut_node * KIND_CUT_NODE + node.was_pv * KIND_WAS_PV
    if pv_node:
        kind += KIND_PV
    if node.excluded_move == 0 and is_tactical(node.hit_move):
        kind += KIND_TT_CAPTURE
    return int64(kind)


@inlined
def piece_count(board: Board) -> int:
    """Return how many pieces the side to move has besides king and pawns."""
    side = int64(board.side)
    return int64(board.list_sizes[side]) - int64(board.counts[side * 8 + PAWN]) - 1


@inlined
def may_be_zugzwang(board: Board) -> bool:
    """Return whether the side to move has only king, pawns and at most one bishop or knight: moving may hurt."""
    pieces, base = piece_count(board), int64(board.side) * 8
    return pieces <= 1 and pieces == int64(board.counts[base + KNIGHT]) + int64(board.counts[base + BISHOP])


@inlined
def may_pass(board: Board, state: SearchState, ply: int, depth: int, eval_score: int, beta: int) -> bool:
    """Return whether a null move is worth a try: likely to fail high, no zugzwang, not the second in a row."""
    node = state.stack[uint64(ply + LEAD)]
    if not may_try_null_move(depth, eval_score, node.static_eval, beta) or ply < state.null_move_ply:
        return False
    return state.stack[uint64(ply + (LEAD - 1))].current_move != NO_MOVE and not may_be_zugzwang(board)


@inlined
def may_try_probcut(state: SearchState, ply: int, depth: int, beta: int, goal: int) -> bool:
    """Return whether the table does not already say that the goal will be missed."""
    node = state.stack[uint64(ply + LEAD)]
    if not may_probcut(depth, beta):
        return False
    known = node.hit_bound != BOUND_NONE and node.hit_depth >= depth - PROBCUT_REDUCTION
    return not known or int64(node.hit_score) >= goal


@inlined
def may_ask_singular(state: SearchState, ply: int, depth: int) -> bool:
    """Return whether the table move may be far better than all others, and the line is not extended enough."""
    node = state.stack[uint64(ply + LEAD)]
    if ply >= 2 * state.root_depth or state.stop:
        return False
    return may_be_singular(depth, node.hit_depth, node.hit_bound, node.hit_score)


@inlined
def singular_goal(state: SearchState, ply: int, depth: int) -> int:
    """Return the score that all other moves must miss."""
    return int64(state.stack[uint64(ply + LEAD)].hit_score) - SINGULAR_FACTOR * depth


@inlined
def singular_extension(
    state: SearchState, ply: int, score: int, goal: int, beta: int, pv_node: bool, cut_node: int
) -> int:
    """Return the extension of the table move once all others were searched to `score`; MULTI_CUT: the node is cut."""
    node = state.stack[uint64(ply + LEAD)]
    if score < goal:
        if not pv_node and score < goal - DOUBLE_EXTENSION_MARGIN and node.double_extensions < DOUBLE_EXTENSION_LIMIT:
            node.double_extensions += 1
            return int64(2)
        return int64(1)
    if goal >= beta and not state.stop:
        return int64(MULTI_CUT)
    if node.hit_score >= beta:
        return int64(-2)
    return int64(-cut_node)


@inlined
def check_extension(state: SearchState, ply: int) -> int:
    """Return 1 if the move just made gives check and the line is not extended enough."""
    if state.stack[uint64(ply + (LEAD + 1))].in_check and ply < 2 * state.root_depth:
        return int64(1)
    return int64(0)


@kernel
def is_left_out(
    board: Board, state: SearchState, ply: int, move: int, depth: int, move_count: int, alpha: int, kind: int
) -> bool:
    """Return whether a move is skipped: too late, futile, of bad history, or losing in exchange."""
    node = state.stack[uint64(ply + LEAD)]
    if piece_count(board) == 0:
        return False
    if is_tactical(move) or state.stack[uint64(ply + (LEAD + 1))].in_check:
        return depth <= SEE_CAPTURE_THRESHOLD and not see_ge(board, move, capture_exchange_floor(depth))
    if is_late(move_count, depth, int64(kind & KIND_IMPROVING != 0), kind & KIND_PV != 0):
        node.skip_quiets = 1
    lmr_depth = max(int64(0), depth - base_reduction(depth, move_count) // 1024)
    if not node.in_check and is_futile(lmr_depth, node.static_eval, alpha):
        return True
    if has_bad_history(lmr_depth, node.stat_score):
        return True
    return not see_ge(board, move, quiet_exchange_floor(lmr_depth))


@kernel
def reduced_depth(
    state: SearchState, ply: int, depth: int, new_depth: int, move_count: int, tactical: bool, kind: int
) -> int:
    """Return the depth of the first search of a late move that has just been made."""
    node = state.stack[uint64(ply + LEAD)]
    child = state.stack[uint64(ply + (LEAD + 1))]
    reduction = base_reduction(depth, move_count)
    if tactical:
        reduction = capture_reduction(reduction) - node.stat_score // LMR_CAPTURE_HISTORY_FACTOR
    else:
        reduction -= node.stat_score // LMR_HISTORY_FACTOR
        if kind & KIND_TT_CAPTURE:
            reduction += LMR_TT_CAPTURE_FACTOR
        if node.current_move == node.killer_1 or node.current_move == node.killer_2:
            reduction -= LMR_KILLER_FACTOR
    if kind & KIND_PV:
        reduction -= LMR_PV_FACTOR
    if kind & KIND_CUT_NODE:
        reduction += LMR_CUT_NODE_FACTOR
    if kind & KIND_IMPROVING == 0:
        reduction += LMR_NOT_IMPROVING_FACTOR
    if kind & KIND_WAS_PV:
        reduction -= LMR_TT_PV_FACTOR
    if child.in_check:
        reduction -= LMR_CHECK_FACTOR
    if child.cutoffs > LMR_CUTOFFS_THRESHOLD:
        reduction += LMR_CUTOFFS_FACTOR
    return max(int64(1), min(new_depth, new_depth - int64(reduction) // 1024))


@inlined
def researched_depth(new_depth: int, score: int, best_score: int) -> int:
    """Return the depth of the second search of a late move: deeper after a great surprise, shallower after none."""
    if score > best_score + LMR_DEEPER_MARGIN + 2 * new_depth:
        return new_depth + 1
    if score < best_score + LMR_SHALLOWER_MARGIN:
        return new_depth - 1
    return new_depth
