"""Lazy evaluation: bounds of the evaluation from material and squares, for nodes where a bound decides.

The evaluation is the sum of two parts: material and piece-square values, updated incrementally on the search stack,
and the residual, everything that the other terms contribute. From one move to the next the residual changes little
(standard deviation 60 centipawns), so the residual of the last fully evaluated ancestor, plus or minus a margin that
grows with the plies since then, bounds the evaluation. Source: chessprogramming wiki, "Lazy Evaluation".
"""

from engine88.board.defs import INFINITE
from engine88.board.record import Board
from engine88.compiler.jit import inlined, int64, uint64
from engine88.evaluation.evaluate import game_phase, material_and_psqt
from engine88.search.params import LAZY_EVAL_AGE_FACTOR, LAZY_EVAL_MARGIN, LAZY_EVAL_PHASE_THRESHOLD
from engine88.search.search_state import NO_EVAL, STACK_OFFSET, SearchState
from engine88.search.tt import BOUND_NONE


@inlined
def set_eval_residual(board: Board, state: SearchState, ply: int) -> None:
    """Set the residual of a node that has just been evaluated: raw_eval less material and squares, for White."""
    node = state.stack[uint64(ply + STACK_OFFSET)]
    node.eval_residual = (1 - 2 * int64(board.side)) * (node.raw_eval - material_and_psqt(board, node.psqt_score))
    node.residual_age = 0


@inlined
def inherit_eval_residual(state: SearchState, ply: int) -> None:
    """Copy the parent's residual to a node that is not evaluated itself; it is one ply older."""
    node, parent = state.stack[uint64(ply + STACK_OFFSET)], state.stack[uint64(ply + (STACK_OFFSET - 1))]
    node.eval_residual = parent.eval_residual
    node.residual_age = parent.residual_age + 1


@inlined
def _lazy_eval_allowed(board: Board, state: SearchState, ply: int, pv_node: bool) -> bool:
    """Return whether bounds may be used: not in the PV, in check, or endgames that are scaled; no table entry."""
    node = state.stack[uint64(ply + STACK_OFFSET)]
    if pv_node or node.in_check or node.tt_bound != BOUND_NONE:
        return False
    return game_phase(board) >= LAZY_EVAL_PHASE_THRESHOLD


@inlined
def _lazy_eval_estimate(board: Board, state: SearchState, ply: int) -> int:
    node, parent = state.stack[uint64(ply + STACK_OFFSET)], state.stack[uint64(ply + (STACK_OFFSET - 1))]
    return material_and_psqt(board, node.psqt_score) + (1 - 2 * int64(board.side)) * int64(parent.eval_residual)


@inlined
def _margin(state: SearchState, ply: int) -> int:
    return int64(LAZY_EVAL_MARGIN + LAZY_EVAL_AGE_FACTOR * state.stack[uint64(ply + (STACK_OFFSET - 1))].residual_age)


@inlined
def lazy_eval_lower_bound(board: Board, state: SearchState, ply: int, pv_node: bool) -> int:
    """Return a lower bound of the evaluation, or -INFINITE where lazy evaluation is not allowed."""
    if not _lazy_eval_allowed(board, state, ply, pv_node):
        return int64(-INFINITE)
    return _lazy_eval_estimate(board, state, ply) - _margin(state, ply)


@inlined
def lazy_eval_bound(board: Board, state: SearchState, ply: int, alpha: int, beta: int, pv_node: bool) -> int:
    """Return a lower bound of the evaluation if it reaches beta, an upper one if it stays below alpha, else NO_EVAL.

    A bound becomes the node's static evaluation; nothing of it goes to the table.
    """
    if not _lazy_eval_allowed(board, state, ply, pv_node):
        return int64(NO_EVAL)
    rough, margin = _lazy_eval_estimate(board, state, ply), _margin(state, ply)
    if rough - margin >= beta:
        bound = rough - margin
    elif rough + margin <= alpha:
        bound = rough + margin
    else:
        return int64(NO_EVAL)
    node = state.stack[uint64(ply + STACK_OFFSET)]
    node.raw_eval = NO_EVAL
    node.static_eval = bound
    inherit_eval_residual(state, ply)
    return bound
