"""Rules that cut a whole node before its moves are searched, or make its search shallower. One predicate per rule.

Depths are plies left, scores centipawns for the side to move. Sources, by page of the chessprogramming wiki: "Reverse
Futility Pruning", "Null Move Pruning" (Donninger 1993), "ProbCut" (Buro 1995), "Internal Iterative Reductions".
"""

from engine88.board.defs import BISHOP, KNIGHT, MATE_BOUND, NO_MOVE, PAWN
from engine88.board.moves import is_tactical
from engine88.board.record import Board
from engine88.board.squares import piece_of
from engine88.compiler.jit import inlined, int64
from engine88.search.params import (
    IIR_THRESHOLD,
    NULL_MOVE_BASE,
    NULL_MOVE_DEPTH_FACTOR,
    NULL_MOVE_EVAL_FACTOR,
    NULL_MOVE_EVAL_LIMIT,
    NULL_MOVE_STATIC_BASE,
    NULL_MOVE_STATIC_FACTOR,
    NULL_MOVE_THRESHOLD,
    PROBCUT_REDUCTION,
    PROBCUT_THRESHOLD,
    REVERSE_FUTILITY_IMPROVING_MARGIN,
    REVERSE_FUTILITY_MARGIN,
    REVERSE_FUTILITY_THRESHOLD,
)
from engine88.search.search_state import SearchState, node_at
from engine88.search.tt import BOUND_NONE


@inlined
def is_reverse_futile(depth: int, eval_score: int, beta: int, improving: int, tt_move: int) -> bool:
    """Return whether the evaluation is so far above beta that a shallow search is unlikely to fall below it.

    The opponent can gain about REVERSE_FUTILITY_MARGIN per ply. If our evaluation improves, it gains less. Mate scores
    are left alone: an evaluation says nothing about them. So are nodes whose table move is quiet: the search of it
    costs little, and shows more.
    """
    if tt_move != 0 and not is_tactical(tt_move):
        return False
    if depth >= REVERSE_FUTILITY_THRESHOLD or beta <= -MATE_BOUND or eval_score >= MATE_BOUND:
        return False
    return eval_score - REVERSE_FUTILITY_MARGIN * depth + REVERSE_FUTILITY_IMPROVING_MARGIN * improving >= beta


@inlined
def non_pawn_count(board: Board) -> int:
    """Return the number of pieces of the side to move besides king and pawns."""
    side = int64(board.side)
    return int64(board.list_sizes[side]) - int64(board.counts[piece_of(side, PAWN)]) - 1


@inlined
def zugzwang_is_likely(board: Board) -> bool:
    """Return whether the side to move has at most one bishop or knight besides king and pawns."""
    pieces, side = non_pawn_count(board), int64(board.side)
    minors = int64(board.counts[piece_of(side, KNIGHT)]) + int64(board.counts[piece_of(side, BISHOP)])
    return pieces <= 1 and pieces == minors


@inlined
def null_move_allowed(board: Board, state: SearchState, ply: int, depth: int, eval_score: int, beta: int) -> bool:
    """Return whether a null move is tried: if passing still beats beta, a real move will too.

    That holds unless every move harms (zugzwang). Two passes in a row would only repeat the position, and a pass that
    is unlikely to reach beta wastes its search. While a cut-off is verified, the plies near the node may not pass.
    """
    if depth < NULL_MOVE_THRESHOLD or eval_score < beta or beta <= -MATE_BOUND or ply < state.null_move_ply:
        return False
    if node_at(state, ply).static_eval < beta + NULL_MOVE_STATIC_BASE - NULL_MOVE_STATIC_FACTOR * depth:
        return False
    return node_at(state, ply - 1).current_move != NO_MOVE and not zugzwang_is_likely(board)


@inlined
def null_move_reduction(depth: int, eval_score: int, beta: int) -> int:
    """Return by how many plies the search after a null move is shallower: the more certain the cut-off, the more."""
    above = min((eval_score - beta) // NULL_MOVE_EVAL_FACTOR, NULL_MOVE_EVAL_LIMIT)
    return NULL_MOVE_BASE + depth // NULL_MOVE_DEPTH_FACTOR + above


@inlined
def iir_applies(depth: int, tt_move: int, pv_node: bool, cut_node: int) -> bool:
    """Return whether internal iterative reduction applies: no table move in a PV or expected cut node.

    Without a table move the ordering is poor and the search expensive. A shallower search finds a move, and the next
    iteration searches the node with it in full depth.
    """
    return depth >= IIR_THRESHOLD and tt_move == 0 and (pv_node or cut_node != 0)


@inlined
def probcut_allowed(state: SearchState, ply: int, depth: int, beta: int, probcut_beta: int) -> bool:
    """Return whether a capture may cut this node: one that beats `probcut_beta` in a shallower search beats beta.

    A table entry of that depth with a score below `probcut_beta` already shows that no capture does.
    """
    if depth < PROBCUT_THRESHOLD or abs(beta) >= MATE_BOUND:
        return False
    node = node_at(state, ply)
    known = node.tt_bound != BOUND_NONE and node.tt_depth >= depth - PROBCUT_REDUCTION
    return not known or int64(node.tt_score) >= probcut_beta
