"""Judging at a glance: bounds of the evaluation from material and squares, for nodes that need no more.

The evaluation is split in two: material and piece-square values, kept up move by move on the search record, and the
surplus, all that the terms see besides. From one move to the next the surplus changes little (standard deviation 60
centipawns), so what it was at the last position judged in full gives bounds that settle many nodes far outside the
window. Often called lazy evaluation; here the margin grows with the plies since that position.
"""

from engine88.board.defs import INFINITE
from engine88.board.record import Board
from engine88.compiler.jit import inlined, int64, uint64
from engine88.evaluation.evaluate import game_phase, rough_evaluation
from engine88.search.params import GLANCE_DRIFT_FACTOR, GLANCE_MARGIN, GLANCE_PHASE_THRESHOLD
from engine88.search.search_state import LEAD, NO_EVAL, SearchState
from engine88.search.tt import BOUND_NONE


@inlined
def note_surplus(board: Board, state: SearchState, ply: int) -> None:
    """Keep what the evaluation of the node, just set, saw besides material and squares."""
    node = state.stack[uint64(ply + LEAD)]
    node.surplus = (1 - 2 * int64(board.side)) * (node.raw_eval - rough_evaluation(board, node.placement))
    node.drift = 0


@inlined
def keep_surplus(state: SearchState, ply: int) -> None:
    """Take over what was seen above a node that is not evaluated itself."""
    node, parent = state.stack[uint64(ply + LEAD)], state.stack[uint64(ply + (LEAD - 1))]
    node.surplus = parent.surplus
    node.drift = parent.drift + 1


@inlined
def _may_glance(board: Board, state: SearchState, ply: int, pv_node: bool) -> bool:
    """Return whether bounds are enough here: no principal variation, nothing in the table, no endgame scaling."""
    node = state.stack[uint64(ply + LEAD)]
    if pv_node or node.in_check or node.hit_bound != BOUND_NONE:
        return False
    return game_phase(board) >= GLANCE_PHASE_THRESHOLD


@inlined
def _rough_eval(board: Board, state: SearchState, ply: int) -> int:
    node, parent = state.stack[uint64(ply + LEAD)], state.stack[uint64(ply + (LEAD - 1))]
    return rough_evaluation(board, node.placement) + (1 - 2 * int64(board.side)) * int64(parent.surplus)


@inlined
def _margin(state: SearchState, ply: int) -> int:
    return int64(GLANCE_MARGIN + GLANCE_DRIFT_FACTOR * state.stack[uint64(ply + (LEAD - 1))].drift)


@inlined
def least_eval(board: Board, state: SearchState, ply: int, pv_node: bool) -> int:
    """Return a lower bound of the evaluation, -INFINITE where a glance is not enough."""
    if not _may_glance(board, state, ply, pv_node):
        return int64(-INFINITE)
    return _rough_eval(board, state, ply) - _margin(state, ply)


@inlined
def glance(board: Board, state: SearchState, ply: int, alpha: int, beta: int, pv_node: bool) -> int:
    """Return a lower bound of the evaluation if it reaches beta, an upper one if it stays below alpha, else NO_EVAL.

    A bound becomes the node's static evaluation; nothing of it goes to the table.
    """
    if not _may_glance(board, state, ply, pv_node):
        return int64(NO_EVAL)
    rough, margin = _rough_eval(board, state, ply), _margin(state, ply)
    if rough - margin >= beta:
        bound = rough - margin
    elif rough + margin <= alpha:
        bound = rough + margin
    else:
        return int64(NO_EVAL)
    node = state.stack[uint64(ply + LEAD)]
    node.raw_eval = NO_EVAL
    node.static_eval = bound
    keep_surplus(state, ply)
    return bound
