"""The pruning, reduction and extension rules of `search` that read the search record; pruning.py has their numbers."""

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
    LMR_DEEPER_FACTOR,
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
    capture_reduction,
    is_futile,
    is_history_pruned,
    is_singular_candidate,
    lmp_count_reached,
    null_move_is_promising,
    probcut_depth_reached,
    see_capture_threshold,
    see_quiet_threshold,
)
from engine88.search.search_state import STACK_OFFSET, SearchState
from engine88.search.tt import BOUND_NONE

NODE_PV, NODE_CUT, NODE_IMPROVING, NODE_TT_PV, NODE_TT_CAPTURE = 1, 2, 4, 8, 16
MULTI_CUT = 100
"""Returned in place of an extension: several moves beat beta, so the node is cut (multi-cut)."""


@inlined
def node_flags(state: SearchState, ply: int, pv_node: bool, cut_node: int, improving: int) -> int:
    """Return the properties of the node that reductions depend on, as a sum of NODE_ bits."""
    node = state.stack[uint64(ply + STACK_OFFSET)]
    flags = improving * NODE_IMPROVING + cut_node * NODE_CUT + node.tt_pv * NODE_TT_PV
    if pv_node:
        flags += NODE_PV
    if node.excluded_move == 0 and is_tactical(node.tt_move):
        flags += NODE_TT_CAPTURE
    return int64(flags)


@inlined
def non_pawn_count(board: Board) -> int:
    """Return the number of pieces of the side to move besides king and pawns."""
    side = int64(board.side)
    return int64(board.list_sizes[side]) - int64(board.counts[side * 8 + PAWN]) - 1


@inlined
def zugzwang_is_likely(board: Board) -> bool:
    """Return whether the side to move has at most one bishop or knight besides king and pawns."""
    pieces, base = non_pawn_count(board), int64(board.side) * 8
    return pieces <= 1 and pieces == int64(board.counts[base + KNIGHT]) + int64(board.counts[base + BISHOP])


@inlined
def null_move_allowed(board: Board, state: SearchState, ply: int, depth: int, eval_score: int, beta: int) -> bool:
    """Return whether a null move is tried: likely to fail high, no zugzwang danger, not the second in a row."""
    node = state.stack[uint64(ply + STACK_OFFSET)]
    if not null_move_is_promising(depth, eval_score, node.static_eval, beta) or ply < state.null_move_ply:
        return False
    return state.stack[uint64(ply + (STACK_OFFSET - 1))].current_move != NO_MOVE and not zugzwang_is_likely(board)


@inlined
def probcut_allowed(state: SearchState, ply: int, depth: int, beta: int, probcut_beta: int) -> bool:
    """Return whether the table does not already say that the probcut_beta will be missed."""
    node = state.stack[uint64(ply + STACK_OFFSET)]
    if not probcut_depth_reached(depth, beta):
        return False
    known = node.tt_bound != BOUND_NONE and node.tt_depth >= depth - PROBCUT_REDUCTION
    return not known or int64(node.tt_score) >= probcut_beta


@inlined
def singular_search_allowed(state: SearchState, ply: int, depth: int) -> bool:
    """Return whether the table move is tested for singularity; lines extended to twice the root depth are not."""
    node = state.stack[uint64(ply + STACK_OFFSET)]
    if ply >= 2 * state.root_depth or state.stop:
        return False
    return is_singular_candidate(depth, node.tt_depth, node.tt_bound, node.tt_score)


@inlined
def singular_search_beta(state: SearchState, ply: int, depth: int) -> int:
    """Return the score that every other move must stay below for the table move to be singular."""
    return int64(state.stack[uint64(ply + STACK_OFFSET)].tt_score) - SINGULAR_FACTOR * depth


@inlined
def singular_extension(
    state: SearchState, ply: int, score: int, singular_beta: int, beta: int, pv_node: bool, cut_node: int
) -> int:
    """Return the extension of the table move in plies (negative: reduction), or MULTI_CUT to cut the node.

    `score` is the result of the search without the table move.
    """
    node = state.stack[uint64(ply + STACK_OFFSET)]
    if score < singular_beta:
        if (
            not pv_node
            and score < singular_beta - DOUBLE_EXTENSION_MARGIN
            and node.double_extensions < DOUBLE_EXTENSION_LIMIT
        ):
            node.double_extensions += 1
            return int64(2)
        return int64(1)
    if singular_beta >= beta and not state.stop:
        return int64(MULTI_CUT)
    if node.tt_score >= beta:
        return int64(-2)
    return int64(-cut_node)


@inlined
def check_extension(state: SearchState, ply: int) -> int:
    """Return 1 if the move just made gives check, unless the line is extended to twice the root depth."""
    if state.stack[uint64(ply + (STACK_OFFSET + 1))].in_check and ply < 2 * state.root_depth:
        return int64(1)
    return int64(0)


@kernel
def is_pruned(
    board: Board, state: SearchState, ply: int, move: int, depth: int, move_count: int, alpha: int, flags: int
) -> bool:
    """Return whether a move is pruned: by futility, history or exchange; late move pruning sets `skip_quiets`."""
    node = state.stack[uint64(ply + STACK_OFFSET)]
    if non_pawn_count(board) == 0:
        return False
    if is_tactical(move) or state.stack[uint64(ply + (STACK_OFFSET + 1))].in_check:
        return depth <= SEE_CAPTURE_THRESHOLD and not see_ge(board, move, see_capture_threshold(depth))
    if lmp_count_reached(move_count, depth, int64(flags & NODE_IMPROVING != 0), flags & NODE_PV != 0):
        node.skip_quiets = 1
    lmr_depth = max(int64(0), depth - base_reduction(depth, move_count) // 1024)
    if not node.in_check and is_futile(lmr_depth, node.static_eval, alpha):
        return True
    if is_history_pruned(lmr_depth, node.stat_score):
        return True
    return not see_ge(board, move, see_quiet_threshold(lmr_depth))


@kernel
def reduced_depth(
    state: SearchState, ply: int, depth: int, new_depth: int, move_count: int, tactical: bool, flags: int
) -> int:
    """Return the depth of the reduced search of a late move that has just been made (late move reductions)."""
    node = state.stack[uint64(ply + STACK_OFFSET)]
    child = state.stack[uint64(ply + (STACK_OFFSET + 1))]
    reduction = base_reduction(depth, move_count)
    if tactical:
        reduction = capture_reduction(reduction) - node.stat_score // LMR_CAPTURE_HISTORY_FACTOR
    else:
        reduction -= node.stat_score // LMR_HISTORY_FACTOR
        if flags & NODE_TT_CAPTURE:
            reduction += LMR_TT_CAPTURE_FACTOR
        if node.current_move == node.killer_1 or node.current_move == node.killer_2:
            reduction -= LMR_KILLER_FACTOR
    if flags & NODE_PV:
        reduction -= LMR_PV_FACTOR
    if flags & NODE_CUT:
        reduction += LMR_CUT_NODE_FACTOR
    if flags & NODE_IMPROVING == 0:
        reduction += LMR_NOT_IMPROVING_FACTOR
    if flags & NODE_TT_PV:
        reduction -= LMR_TT_PV_FACTOR
    if child.in_check:
        reduction -= LMR_CHECK_FACTOR
    return max(int64(1), min(new_depth, new_depth - int64(reduction) // 1024))


@inlined
def research_depth(new_depth: int, score: int, best_score: int) -> int:
    """Return the depth of the re-search of a late move: deeper well above the best score, else perhaps shallower."""
    if score > best_score + LMR_DEEPER_MARGIN + LMR_DEEPER_FACTOR * new_depth:
        return new_depth + 1
    if score < best_score + LMR_SHALLOWER_MARGIN:
        return new_depth - 1
    return new_depth
