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
    IIR_PV_THRESHOLD,
    IIR_THRESHOLD,
    NULL_MOVE_BASE,
    NULL_MOVE_DEPTH_FACTOR,
    NULL_MOVE_EVAL_FACTOR,
    NULL_MOVE_EVAL_LIMIT,
    NULL_MOVE_STATIC_BASE,
    NULL_MOVE_STATIC_FACTOR,
    PROBCUT_IMPROVING_MARGIN,
    PROBCUT_MARGIN,
    PROBCUT_THRESHOLD,
    REVERSE_FUTILITY_BASE,
    REVERSE_FUTILITY_CUT_NODE_FACTOR,
    REVERSE_FUTILITY_FACTOR,
    REVERSE_FUTILITY_HISTORY_FACTOR,
    REVERSE_FUTILITY_THRESHOLD,
    REVERSE_FUTILITY_WORSENING_DIVISOR,
)
from engine88.search.search_state import NO_EVAL, SearchState, node_at
from engine88.search.tt import BOUND_NONE


@inlined
def reverse_futility_margin(state: SearchState, ply: int, depth: int, cut_node: int, improving: int) -> int:
    """Return the centipawns that the evaluation must be above beta for reverse futility.

    That is what the opponent can gain in so many plies. It gains less if our evaluation improves or its own falls, if
    its last move has a good history, or if the evaluation had to be corrected upwards or downwards.
    """
    node, before = node_at(state, ply), node_at(state, ply - 1)
    factor = int64(REVERSE_FUTILITY_FACTOR)
    if cut_node != 0 and node.tt_eval == NO_EVAL:
        factor -= REVERSE_FUTILITY_CUT_NODE_FACTOR
    margin = factor * (depth - 2 * improving)
    if node.static_eval + before.static_eval > 0:
        margin -= factor // REVERSE_FUTILITY_WORSENING_DIVISOR
    correction = abs(int64(node.static_eval - node.raw_eval))
    return margin - REVERSE_FUTILITY_BASE + correction + int64(before.stat_score) // REVERSE_FUTILITY_HISTORY_FACTOR


@inlined
def is_reverse_futile(
    state: SearchState, ply: int, depth: int, eval_score: int, beta: int, cut_node: int, improving: int
) -> bool:
    """Return whether the evaluation is so far above beta that a shallow search is unlikely to fall below it.

    Mate scores are left alone: an evaluation says nothing about them. So are nodes whose table move is quiet, for the
    search of it costs little and shows more, and those on a former principal variation.
    """
    node = node_at(state, ply)
    if node.tt_pv or depth >= REVERSE_FUTILITY_THRESHOLD or (node.tt_move != 0 and not is_tactical(node.tt_move)):
        return False
    if eval_score < beta or beta <= -MATE_BOUND or eval_score >= MATE_BOUND:
        return False
    return eval_score - reverse_futility_margin(state, ply, depth, cut_node, improving) >= beta


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
    """Return whether a null move is tried in an expected cut node: if passing still beats beta, a real move will too.

    That holds unless every move harms (zugzwang). Two passes in a row would only repeat the position, and a pass that
    is unlikely to reach beta wastes its search. While a cut-off is verified, the plies near the node may not pass.
    """
    if eval_score < beta or beta <= -MATE_BOUND or ply < state.null_move_ply:
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
    if tt_move != 0:
        return False
    return depth >= IIR_PV_THRESHOLD if pv_node else cut_node != 0 and depth >= IIR_THRESHOLD


@inlined
def probcut_margin(improving: int) -> int:
    """Return the centipawns above beta that a capture must reach in a shallower search to cut."""
    return PROBCUT_MARGIN - PROBCUT_IMPROVING_MARGIN * improving


@inlined
def probcut_allowed(state: SearchState, ply: int, depth: int, beta: int, probcut_beta: int) -> bool:
    """Return whether a capture may cut this node: one that beats `probcut_beta` in a shallower search beats beta.

    A table score below `probcut_beta` shows that none is likely to.
    """
    if depth < PROBCUT_THRESHOLD or abs(beta) >= MATE_BOUND:
        return False
    node = node_at(state, ply)
    return node.tt_bound == BOUND_NONE or int64(node.tt_score) >= probcut_beta
