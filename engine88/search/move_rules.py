"""Rules that leave out single moves of a node. One predicate per rule, and `is_pruned`, which asks them in turn.

They look at the depth that a late move would be reduced to, since that is how deep it would be searched. Source:
chessprogramming wiki, "Futility Pruning" (Schaeffer 1986, Heinz 1998: move count, history and exchange pruning too).
"""

from engine88.board.moves import is_tactical
from engine88.board.record import Board
from engine88.compiler.jit import inlined, int64, kernel
from engine88.rules.see import see_ge
from engine88.search.node_rules import non_pawn_count
from engine88.search.params import (
    FUTILITY_BASE,
    FUTILITY_FACTOR,
    FUTILITY_THRESHOLD,
    HISTORY_FACTOR,
    HISTORY_THRESHOLD,
    LMP_BASE,
    SEE_CAPTURE_FACTOR,
    SEE_CAPTURE_THRESHOLD,
    SEE_QUIET_FACTOR,
    SEE_QUIET_THRESHOLD,
)
from engine88.search.reductions import NODE_IMPROVING, NODE_PV, base_reduction
from engine88.search.search_state import SearchState, node_at


@inlined
def lmp_count_reached(move_count: int, depth: int, improving: int, pv_node: bool) -> bool:
    """Return whether late move pruning skips the quiet moves after this one.

    Moves are ordered well: near the horizon the late ones seldom raise alpha, still less if our evaluation falls. The
    principal variation is never cut short.
    """
    return not pv_node and move_count >= (LMP_BASE + depth * depth) // (2 - improving)


@inlined
def is_futile(lmr_depth: int, static_eval: int, alpha: int) -> bool:
    """Return whether a quiet move is unlikely to raise the evaluation to alpha in the plies that are left."""
    return lmr_depth < FUTILITY_THRESHOLD and static_eval + FUTILITY_BASE + FUTILITY_FACTOR * lmr_depth <= alpha


@inlined
def is_history_pruned(lmr_depth: int, history: int) -> bool:
    """Return whether a quiet move failed so often elsewhere that it is left out near the horizon."""
    return lmr_depth < HISTORY_THRESHOLD and history < -HISTORY_FACTOR * lmr_depth


@inlined
def see_quiet_threshold(lmr_depth: int) -> int:
    """Return the centipawns (<= 0) that a quiet move may lose in the exchange on its square.

    A deeper search may find what the piece is given for, hence the square of the depth.
    """
    reduced = min(lmr_depth, SEE_QUIET_THRESHOLD)
    return -SEE_QUIET_FACTOR * reduced * reduced


@inlined
def see_capture_threshold(depth: int) -> int:
    """Return the centipawns (< 0) that a capture or a checking move may lose in the exchange on its square."""
    return -SEE_CAPTURE_FACTOR * depth


@kernel
def is_pruned(
    board: Board, state: SearchState, ply: int, move: int, depth: int, move_count: int, alpha: int, flags: int
) -> bool:
    """Return whether a move is left out. Late move pruning sets `skip_quiets`: the picker then ends the quiet moves.

    Captures and checks change too much for a static judgement: only their exchange counts. In pawn endings nothing is
    pruned, because there a quiet move decides and few moves are to be searched.
    """
    node = node_at(state, ply)
    if non_pawn_count(board) == 0:
        return False
    if is_tactical(move) or node_at(state, ply + 1).in_check:
        return depth <= SEE_CAPTURE_THRESHOLD and not see_ge(board, move, see_capture_threshold(depth))
    if lmp_count_reached(move_count, depth, int64(flags & NODE_IMPROVING != 0), flags & NODE_PV != 0):
        node.skip_quiets = 1
    lmr_depth = max(int64(0), depth - base_reduction(depth, move_count) // 1024)
    if not node.in_check and is_futile(lmr_depth, node.static_eval, alpha):
        return True
    if is_history_pruned(lmr_depth, node.stat_score):
        return True
    return not see_ge(board, move, see_quiet_threshold(lmr_depth))
