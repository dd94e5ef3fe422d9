"""What a searched node adds to the histories: about its own moves, and about the move that led to it."""

from engine88.board.defs import NO_MOVE, PAWN
from engine88.board.moves import is_tactical
from engine88.board.record import Board
from engine88.board.squares import type_of
from engine88.compiler.jit import inlined, int64, kernel
from engine88.search.history import (
    update_capture_history,
    update_continuation_histories,
    update_main_history,
    update_pawn_history,
    update_quiet_history,
)
from engine88.search.params import (
    FAIL_LOW_BONUS_BASE,
    FAIL_LOW_BONUS_FACTOR,
    FAIL_LOW_BONUS_LIMIT,
    FAIL_LOW_CONTINUATION_FACTOR,
    FAIL_LOW_DEPTH_FACTOR,
    FAIL_LOW_DEPTH_LIMIT,
    FAIL_LOW_EVAL,
    FAIL_LOW_EVAL_BEFORE,
    FAIL_LOW_EVAL_BEFORE_MARGIN,
    FAIL_LOW_EVAL_MARGIN,
    FAIL_LOW_FEW_CUTOFFS,
    FAIL_LOW_HISTORY_FACTOR,
    FAIL_LOW_HISTORY_LIMIT,
    FAIL_LOW_LATE_MOVE,
    FAIL_LOW_MAIN_FACTOR,
    FAIL_LOW_NOT_ALL_NODE,
    FAIL_LOW_PAWN_FACTOR,
    FAIL_LOW_TT_MOVE,
    HISTORY_BONUS_BASE,
    HISTORY_BONUS_CAPTURE_FACTOR,
    HISTORY_BONUS_FACTOR,
    HISTORY_BONUS_LIMIT,
    HISTORY_BONUS_QUIET_FACTOR,
    HISTORY_BONUS_TT_MOVE,
    HISTORY_EARLY_MALUS_FACTOR,
    HISTORY_EVAL_BASE,
    HISTORY_EVAL_BONUS_LIMIT,
    HISTORY_EVAL_FACTOR,
    HISTORY_EVAL_MALUS_LIMIT,
    HISTORY_EVAL_PAWN_FACTOR,
    HISTORY_MALUS_BASE,
    HISTORY_MALUS_CAPTURE_FACTOR,
    HISTORY_MALUS_COUNT_FACTOR,
    HISTORY_MALUS_FACTOR,
    HISTORY_MALUS_LIMIT,
    HISTORY_MALUS_QUIET_FACTOR,
    HISTORY_RESEARCH_BONUS,
    LMR_CUTOFF_THRESHOLD,
)
from engine88.search.reductions import NODE_CUT, NODE_PV
from engine88.search.search_state import NO_EVAL, SearchNode, SearchState, node_at

_FIRST_WEIGHED_DEPTH = 4
_LATE_MOVE = 8


@inlined
def history_bonus(depth: int, is_tt_move: bool) -> int:
    """Return the bonus of the best move of a node, searched to `depth`."""
    bonus = min(HISTORY_BONUS_FACTOR * depth - HISTORY_BONUS_BASE, HISTORY_BONUS_LIMIT)
    return bonus + HISTORY_BONUS_TT_MOVE if is_tt_move else bonus


@inlined
def history_malus(depth: int, move_count: int) -> int:
    """Return the malus (positive) of the moves that were searched before the best one, the `move_count`-th."""
    malus = min(HISTORY_MALUS_FACTOR * depth - HISTORY_MALUS_BASE, HISTORY_MALUS_LIMIT)
    return max(int64(0), malus - HISTORY_MALUS_COUNT_FACTOR * (move_count - 1))


@kernel
def update_histories(board: Board, state: SearchState, ply: int, move: int, depth: int) -> None:
    """Give `move`, which raised alpha at `ply`, a bonus, and the moves that were searched in vain a malus."""
    node = node_at(state, ply)
    bonus = history_bonus(depth, move == node.tt_move)
    malus = history_malus(depth, int64(node.move_count))
    if is_tactical(move):
        update_capture_history(board, state, move, bonus * HISTORY_BONUS_CAPTURE_FACTOR // 1024)
    else:
        update_quiet_history(board, state, ply, move, bonus * HISTORY_BONUS_QUIET_FACTOR // 1024)
        for i in range(node.quiet_count):
            refuted = int64(node.quiets_searched[i])
            update_quiet_history(board, state, ply, refuted, -malus * HISTORY_MALUS_QUIET_FACTOR // 1024)
    before = node_at(state, ply - 1)
    last = int64(before.current_move)
    if before.move_count == 1 + int64(before.tt_eval != NO_EVAL) and last != NO_MOVE and not is_tactical(last):
        share = malus * HISTORY_EARLY_MALUS_FACTOR // 1024
        update_continuation_histories(state, ply - 1, int64(before.piece_to), -share)
    for i in range(node.capture_count):
        refuted = int64(node.captures_searched[i])
        update_capture_history(board, state, refuted, -malus * HISTORY_MALUS_CAPTURE_FACTOR // 1024)


@inlined
def learn_from_evaluation(board: Board, state: SearchState, ply: int) -> None:
    """Give the quiet move that led to the node a bonus if the evaluation of its side rose by it, else a malus."""
    node, before = node_at(state, ply), node_at(state, ply - 1)
    move = int64(before.current_move)
    if move == NO_MOVE or is_tactical(move) or node.in_check or before.in_check:
        return
    rise = -HISTORY_EVAL_FACTOR * int64(before.static_eval + node.static_eval)
    bonus = max(-HISTORY_EVAL_MALUS_LIMIT, min(HISTORY_EVAL_BONUS_LIMIT, rise)) + HISTORY_EVAL_BASE
    update_main_history(state, 1 - int64(board.side), move, bonus)
    if _is_pawn_independent(int64(before.piece_to)):
        update_pawn_history(board, state, int64(before.piece_to), bonus * HISTORY_EVAL_PAWN_FACTOR // 1024)


@inlined
def _is_pawn_independent(piece_to: int) -> bool:
    """Return whether the move made, given by its piece-to index, is no pawn's: the pawn structure is the same since."""
    return type_of(piece_to >> 6) != PAWN


@inlined
def _fail_low_weight(node: SearchNode, before: SearchNode, depth: int, best_score: int, all_node: bool) -> int:
    """Return how much says that the quiet move before the node is good, and not the answers bad by chance."""
    weight = max(int64(0), min(FAIL_LOW_DEPTH_LIMIT, FAIL_LOW_DEPTH_FACTOR * (depth - _FIRST_WEIGHED_DEPTH)))
    if not all_node:
        weight += FAIL_LOW_NOT_ALL_NODE
    if before.move_count > _LATE_MOVE:
        weight += FAIL_LOW_LATE_MOVE
    if not node.in_check and best_score <= node.static_eval - FAIL_LOW_EVAL_MARGIN:
        weight += FAIL_LOW_EVAL
    if not before.in_check and best_score <= -before.static_eval - FAIL_LOW_EVAL_BEFORE_MARGIN:
        weight += FAIL_LOW_EVAL_BEFORE
    if before.current_move == before.tt_move:
        weight += FAIL_LOW_TT_MOVE
    if node.cutoff_count <= LMR_CUTOFF_THRESHOLD:
        weight += FAIL_LOW_FEW_CUTOFFS
    return max(int64(0), weight + min(-int64(before.stat_score) // FAIL_LOW_HISTORY_FACTOR, FAIL_LOW_HISTORY_LIMIT))


@kernel
def reward_move_before(board: Board, state: SearchState, ply: int, depth: int, best_score: int, all_node: bool) -> None:
    """Give the quiet move that led to the node a bonus: no answer raised alpha."""
    node, before = node_at(state, ply), node_at(state, ply - 1)
    move = int64(before.current_move)
    if move == NO_MOVE or is_tactical(move):
        return
    bonus = min(FAIL_LOW_BONUS_FACTOR * depth - FAIL_LOW_BONUS_BASE, FAIL_LOW_BONUS_LIMIT)
    bonus *= _fail_low_weight(node, before, depth, best_score, all_node)
    update_main_history(state, 1 - int64(board.side), move, bonus * FAIL_LOW_MAIN_FACTOR // 32768)
    row = int64(before.piece_to)
    update_continuation_histories(state, ply - 1, row, bonus * FAIL_LOW_CONTINUATION_FACTOR // 32768)
    if _is_pawn_independent(row):
        update_pawn_history(board, state, row, bonus * FAIL_LOW_PAWN_FACTOR // 32768)


@inlined
def reward_second_search(state: SearchState, ply: int) -> None:
    """Give the move that was just made at `ply`, whose reduced search beat alpha, a bonus."""
    update_continuation_histories(state, ply, int64(node_at(state, ply).piece_to), int64(HISTORY_RESEARCH_BONUS))


@kernel
def learn_from_node(
    board: Board, state: SearchState, ply: int, best_move: int, best_score: int, depth: int, flags: int
) -> None:
    """Update the histories of a node's moves, or if none raised alpha (`best_move` is 0) of the move that led to it.

    Then the node is one that the opponent aims at, so it belongs to the principal variation if its parent does.
    """
    if best_move != NO_MOVE:
        update_histories(board, state, ply, best_move, depth)
        return
    reward_move_before(board, state, ply, depth, best_score, flags & (NODE_PV | NODE_CUT) == 0)
    node_at(state, ply).tt_pv |= node_at(state, ply - 1).tt_pv
