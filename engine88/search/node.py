"""Steps shared by all node types: enter, probe the table, evaluate, make a move, store the result."""

import numpy as np

from engine88.board.attacks import in_check
from engine88.board.defs import INFINITE, MATE_BOUND, MAX_PLY, NO_MOVE, mated_in
from engine88.board.moves import from_square, is_tactical, to_square
from engine88.board.record import Board
from engine88.board.zobrist import PIECE_KEYS, SIDE_KEY
from engine88.compiler.cache_folder import DEBUG
from engine88.compiler.jit import inlined, int64, kernel, uint64
from engine88.evaluation.evaluate import SCORE_LIMIT, evaluate
from engine88.evaluation.evaluation_state import EvaluationState
from engine88.rules.checks import gives_check
from engine88.rules.draws import is_draw
from engine88.rules.legality import is_legal
from engine88.rules.make_move import make_move, make_null_move
from engine88.search.history import (
    capture_history,
    corrected_eval,
    piece_to_index,
    prefetch_corrections,
    quiet_history,
    update_corrections,
)
from engine88.search.move_scores import victim_value
from engine88.search.params import LMR_VICTIM_FACTOR, TT_HALFMOVE_THRESHOLD, TT_UNEXPECTED_THRESHOLD
from engine88.search.recording import RECORD_EVERY
from engine88.search.search_state import NO_EVAL, RECORDED_LINES, RECORDED_PLIES, SearchState, node_at
from engine88.search.tt import (
    BOUND_LOWER,
    BOUND_NONE,
    BOUND_UPPER,
    NO_ENTRY,
    bound_of,
    entry_bound,
    entry_depth,
    entry_is_pv,
    entry_move,
    entry_score,
    entry_static_eval,
    prefetch_bucket,
    probe,
    store,
)

LAST_PLY = MAX_PLY - 4
"""The search goes no deeper than this ply, whatever the extensions."""
SEARCHED = 1 << 20
"""Returned by `enter_node` in place of a score: the node is to be searched."""


@inlined
def draw_score(state: SearchState) -> int:
    """Return -1 or 1 by the node count: with equal scores the search would not leave a line of repetitions."""
    return 1 - (int64(state.node_count) & 2)


@inlined
def enter_node(board: Board, state: SearchState, evaluation: EvaluationState, ply: int) -> int:
    """Count the node, reset its PV and return SEARCHED, or the score of a node that is not searched any further.

    That is a draw, and a node at the last ply. A search that must stop, as at the node limit, returns 0.
    """
    if state.max_nodes > 0 and state.node_count >= state.max_nodes:
        state.stop = np.uint8(1)
    if state.stop:
        return int64(0)
    state.node_count += 1
    if ply > state.seldepth:
        state.seldepth = ply
    state.pv_lengths[ply] = 0
    node_at(state, ply).picker_end = node_at(state, ply - 1).picker_end
    node_at(state, ply + 2).cutoff_count = 0
    if is_draw(board, ply):
        return draw_score(state)
    if ply >= LAST_PLY:
        return int64(0) if node_at(state, ply).in_check else evaluate(board, evaluation)
    return int64(SEARCHED)


@inlined
def score_without_moves(state: SearchState, ply: int, old_alpha: int) -> int:
    """Return the score of a node of which no move was searched: mate, stalemate, or 0 if the search must stop.

    In a singular search only the table move is legal: it is singular indeed, so that no other move beats alpha.
    """
    node = node_at(state, ply)
    if state.stop:
        return int64(0)
    if node.excluded_move != NO_MOVE:
        return old_alpha
    return mated_in(ply) if node.in_check else int64(0)


@inlined
def tt_cutoff_allowed(board: Board, depth: int, fails_high: bool, cut_node: int) -> bool:
    """Return whether a deep enough entry may cut.

    Not where the fifty-move rule is near, which changes scores that were found on other paths. In shallow nodes the
    entry must say what is expected of the node: otherwise a search costs little and may decide much. Quiescence
    (depth 0) expects nothing.
    """
    if int64(board.halfmove_clock) >= TT_HALFMOVE_THRESHOLD:
        return False
    return depth <= 0 or depth >= TT_UNEXPECTED_THRESHOLD or fails_high == (cut_node != 0)


@inlined
def prefetch_child(board: Board, state: SearchState, move: int) -> None:
    """Prefetch the child's table bucket; the key is exact but for castling, en passant, promotions and rights."""
    origin, target = uint64(from_square(move)), uint64(to_square(move))
    piece = uint64(board.squares[origin])
    key = board.key ^ SIDE_KEY ^ PIECE_KEYS[piece, origin] ^ PIECE_KEYS[piece, target]
    victim = uint64(board.squares[target])
    if victim != 0:
        key ^= PIECE_KEYS[victim, target]
    prefetch_bucket(state.tt_base, state.tt_buckets, key)


@inlined
def probe_tt(board: Board, state: SearchState, ply: int, depth: int, beta: int, pv_node: bool, cut_node: int) -> bool:
    """Set the node's tt_* fields from the table; return whether tt_score cuts the node off.

    After a miss tt_bound is BOUND_NONE, tt_score INFINITE and tt_eval NO_EVAL; the bound may be none after a hit too,
    with a score that means nothing. tt_move is 0 or legal unless the node is cut off. A score above beta must come from
    a ply deeper: one that is exactly beta was a cut with the same window.
    """
    node = node_at(state, ply)
    data = probe(state.tt_base, state.tt_buckets, board.key)
    node.tt_pv = int64(pv_node)
    if data == NO_ENTRY:
        node.tt_move = 0
        node.tt_depth = -1
        node.tt_bound, node.tt_score, node.tt_eval = BOUND_NONE, INFINITE, NO_EVAL
        return False
    node.tt_pv |= entry_is_pv(data)
    node.tt_depth = entry_depth(data)
    node.tt_bound, node.tt_score = entry_bound(data), entry_score(data, ply)
    node.tt_eval = entry_static_eval(data)
    node.tt_move = entry_move(data)
    if DEBUG:
        assert abs(node.tt_score) <= INFINITE, "a table score beyond the scores of a search"
        assert node.tt_eval == NO_EVAL or abs(node.tt_eval) <= SCORE_LIMIT, "a table evaluation beyond its limit"
    fails_high = node.tt_score >= beta
    enough = BOUND_LOWER if fails_high else BOUND_UPPER
    needed = depth + int64(depth > 0 and node.tt_score > beta)
    is_deep_enough = int64(node.tt_bound) & enough != 0 and node.tt_depth >= needed
    if not pv_node and is_deep_enough and tt_cutoff_allowed(board, depth, fails_high, cut_node):
        return True
    if node.tt_move != 0:
        if is_legal(board, node.tt_move):
            prefetch_child(board, state, int64(node.tt_move))
        else:
            node.tt_move = 0
    return False


@inlined
def count_evaluation(state: SearchState, ply: int) -> None:
    """Count an evaluation of the node at `ply`, and record the line to it if it is due."""
    if RECORD_EVERY > 0:
        state.evaluations_left -= 1
        if state.evaluations_left <= 0 and state.recorded_count < RECORDED_LINES:
            record_line(state, ply)


@kernel
def record_line(state: SearchState, ply: int) -> None:
    """Record the moves from the root to `ply`; a line that is too long, or has a null move in it, is left out."""
    if not 0 < ply <= RECORDED_PLIES:
        return
    line = state.recorded_count
    for i in range(ply):
        move = int64(node_at(state, i).current_move)
        if move == 0:
            return
        state.recorded_moves[line, i] = move
    state.recorded_plies[line] = ply
    state.recorded_count = line + 1
    state.evaluations_left = int64(RECORD_EVERY)


@inlined
def set_static_eval(board: Board, state: SearchState, evaluation: EvaluationState, ply: int) -> int:
    """Set the node's raw and corrected static evaluation; return the best estimate of its score.

    An evaluation that the table lacks is stored at once, since the node may be cut and come again.
    The estimate is the table's score where its bound makes it the better one. In check the evaluation means nothing:
    that of the last own position stands in for it.
    """
    node = node_at(state, ply)
    if node.in_check:
        node.raw_eval = NO_EVAL
        node.static_eval = node_at(state, ply - 2).static_eval
        return int64(-NO_EVAL)
    node.raw_eval = node.tt_eval
    if node.tt_eval == NO_EVAL:
        node.raw_eval = evaluate(board, evaluation)
        count_evaluation(state, ply)
        store_tt(board, state, ply, int64(0), int64(0), int64(-1), int64(BOUND_NONE))
    if DEBUG:
        assert abs(node.raw_eval) <= SCORE_LIMIT, "an evaluation beyond its limit"
    node.static_eval = corrected_eval(board, state, ply, node.raw_eval)
    nearer = BOUND_LOWER if node.tt_score > node.static_eval else BOUND_UPPER
    if node.tt_bound & nearer != 0 and abs(node.tt_score) < MATE_BOUND:
        return int64(node.tt_score)
    return int64(node.static_eval)


@inlined
def is_improving(state: SearchState, ply: int) -> int:
    """Return 1 outside of check if the static evaluation rose since our last move."""
    node = node_at(state, ply)
    return int64(not node.in_check and node.static_eval > node_at(state, ply - 2).static_eval)


@inlined
def set_gives_check(board: Board, state: SearchState, ply: int, move: int) -> None:
    """Set the child's in_check: whether `move`, about to be made at `ply`, gives check."""
    node_at(state, ply + 1).in_check = int64(gives_check(board, move))


@inlined
def make_search_move(board: Board, state: SearchState, ply: int, move: int) -> None:
    """Make `move` at `ply` on board and stack; `set_gives_check` must have been called for it."""
    node = node_at(state, ply)
    node.current_move = move
    node.piece_to = piece_to_index(board, move)
    make_move(board, move)
    prefetch_corrections(board, state, ply + 1)
    if DEBUG:
        assert (node_at(state, ply + 1).in_check != 0) == in_check(board), "gives_check is wrong"


@inlined
def make_search_null_move(board: Board, state: SearchState, ply: int) -> None:
    """Make a null move at `ply` on board and stack."""
    node = node_at(state, ply)
    node.current_move = 0
    node.piece_to = 0
    node.stat_score = 0
    node_at(state, ply + 1).in_check = 0
    prefetch_bucket(state.tt_base, state.tt_buckets, board.key ^ SIDE_KEY)
    make_null_move(board)


@inlined
def update_pv(state: SearchState, ply: int, move: int) -> None:
    """Set the principal variation of `ply` to `move` followed by that of the child (triangular PV table)."""
    length = min(state.pv_lengths[ply + 1], MAX_PLY - ply)
    if DEBUG:
        assert 0 <= length <= MAX_PLY, "a principal variation longer than the search"
        assert move != NO_MOVE, "a principal variation without a move"
    state.pv[ply, 0] = move
    for i in range(length):
        state.pv[ply, i + 1] = state.pv[ply + 1, i]
    state.pv_lengths[ply] = length + 1


@inlined
def begin_move(board: Board, state: SearchState, ply: int, move: int) -> int:
    """Count a legal move of the node and set its history score and whether it gives check; return its number.

    The history score of a capture includes the value of its victim.
    """
    node = node_at(state, ply)
    node.move_count += 1
    set_gives_check(board, state, ply, move)
    if is_tactical(move):
        node.stat_score = capture_history(board, state, move) + LMR_VICTIM_FACTOR * victim_value(board, move)
    else:
        node.stat_score = quiet_history(board, state, ply, move)
    return int64(node.move_count)


@inlined
def softened_score(score: int, beta: int, depth: int) -> int:
    """Return a score above beta moved towards it, the more the shallower the search: it was not asked how far above."""
    if score < beta or abs(score) >= MATE_BOUND or abs(beta) >= MATE_BOUND:
        return score
    return (score * depth + beta) // (depth + 1)


@inlined
def store_tt(board: Board, state: SearchState, ply: int, move: int, score: int, depth: int, bound: int) -> None:
    """Store the node in the transposition table."""
    node = node_at(state, ply)
    store(
        state.tt_base,
        state.tt_buckets,
        board.key,
        state.generation,
        move,
        score,
        node.raw_eval,
        depth,
        bound,
        node.tt_pv,
        ply,
    )


@kernel
def store_node_result(
    board: Board, state: SearchState, ply: int, best_move: int, best_score: int, old_alpha: int, beta: int, depth: int
) -> None:
    """Store the node, and update the correction histories.

    A correction is learnt only from positions whose evaluation means something: not from checks, captures and mates. A
    bound on the wrong side of the evaluation does not show an error.
    """
    bound = bound_of(best_score, old_alpha, beta)
    store_tt(board, state, ply, best_move, best_score, depth, bound)
    node = node_at(state, ply)
    if node.in_check or is_tactical(best_move) or abs(best_score) >= MATE_BOUND:
        return
    if bound == BOUND_LOWER and best_score <= node.static_eval:
        return
    if bound == BOUND_UPPER and best_score >= node.static_eval:
        return
    update_corrections(board, state, ply, depth, best_score - node.static_eval)
