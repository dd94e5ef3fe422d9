"""Rules that leave out single moves of a node. One predicate per rule, and `is_pruned`, which asks them in turn.

Most look at the depth that a late move would be reduced to, since that is how deep it would be searched. Source:
chessprogramming wiki, "Futility Pruning" (Schaeffer 1986, Heinz 1998: move count, history and exchange pruning too).
"""

from engine88.board.defs import MATE_BOUND
from engine88.board.moves import is_tactical
from engine88.board.record import Board
from engine88.compiler.jit import inlined, int64, kernel
from engine88.rules.see import see_ge
from engine88.search.history import capture_history, continuation_pair, pawn_history, piece_to_index
from engine88.search.move_scores import victim_value
from engine88.search.node_rules import non_pawn_count
from engine88.search.params import (
    FUTILITY_BASE,
    FUTILITY_BEST_MOVE_MARGIN,
    FUTILITY_CAPTURE_BASE,
    FUTILITY_CAPTURE_FACTOR,
    FUTILITY_CAPTURE_HISTORY_FACTOR,
    FUTILITY_CAPTURE_THRESHOLD,
    FUTILITY_FACTOR,
    FUTILITY_HISTORY_FACTOR,
    FUTILITY_LOW_BASE,
    FUTILITY_LOW_MARGIN,
    FUTILITY_THRESHOLD,
    HISTORY_FACTOR,
    LMP_BASE,
    SEE_CAPTURE_FACTOR,
    SEE_CAPTURE_HISTORY_FACTOR,
    SEE_CAPTURE_HISTORY_LIMIT,
    SEE_QUIET_FACTOR,
)
from engine88.search.reductions import NODE_IMPROVING, whole_plies
from engine88.search.search_state import SearchState, node_at


@inlined
def lmp_count_reached(move_count: int, depth: int, improving: int) -> bool:
    """Return whether late move pruning skips the quiet moves after this one.

    Moves are ordered well: near the horizon the late ones seldom raise alpha, still less if our evaluation falls.
    """
    return move_count >= (LMP_BASE + depth * depth) // (2 - improving)


@inlined
def futility_margin(lmr_depth: int, static_eval: int, best_score: int, best_move: int) -> int:
    """Return what a quiet move may gain in the plies that are left, in centipawns above the static evaluation.

    Less is asked for once a move has raised alpha, and more where all moves so far are much worse than the evaluation.
    """
    margin = FUTILITY_BASE + FUTILITY_FACTOR * lmr_depth
    if best_move != 0:
        margin -= FUTILITY_BEST_MOVE_MARGIN
    if best_score < static_eval - FUTILITY_LOW_MARGIN:
        margin += FUTILITY_LOW_BASE
    return margin


@inlined
def capture_futility_margin(lmr_depth: int, victim: int, history: int) -> int:
    """Return the same of a capture that takes `victim` centipawns."""
    gain = victim + history // FUTILITY_CAPTURE_HISTORY_FACTOR
    return FUTILITY_CAPTURE_BASE + FUTILITY_CAPTURE_FACTOR * lmr_depth + gain


@inlined
def see_quiet_threshold(lmr_depth: int) -> int:
    """Return the centipawns (<= 0) that a quiet move may lose in the exchange on its square.

    A deeper search may find what the piece is given for, hence the square of the depth.
    """
    return -SEE_QUIET_FACTOR * lmr_depth * lmr_depth


@inlined
def see_capture_threshold(depth: int, history: int) -> int:
    """Return the centipawns (<= 0) that a capture or a checking move may lose in the exchange on its square."""
    most = SEE_CAPTURE_HISTORY_LIMIT * depth
    return -SEE_CAPTURE_FACTOR * depth - max(-most, min(most, history // SEE_CAPTURE_HISTORY_FACTOR))


@inlined
def _is_pruned_tactical(
    board: Board, state: SearchState, ply: int, move: int, depth: int, lmr_depth: int, alpha: int
) -> bool:
    """Return whether a capture or a checking move is left out; the evaluation says too little about a check."""
    node, tactical = node_at(state, ply), is_tactical(move)
    history = capture_history(board, state, move) if tactical else int64(0)
    if lmr_depth < FUTILITY_CAPTURE_THRESHOLD and not (node.in_check or node_at(state, ply + 1).in_check):
        margin = capture_futility_margin(lmr_depth, victim_value(board, move), history)
        if node.static_eval + margin <= alpha:
            return True
    return not see_ge(board, move, see_capture_threshold(depth, history))


@kernel
def is_pruned(
    board: Board,
    state: SearchState,
    ply: int,
    move: int,
    depth: int,
    reduction: int,
    alpha: int,
    best_score: int,
    best_move: int,
    flags: int,
) -> bool:
    """Return whether a move is left out. Late move pruning sets `skip_quiets`: the picker then ends the quiet moves.

    `reduction` is the `base_reduction` of the move. Nothing is pruned before a line is known that is not mate: to leave
    out all moves would look like it. Nor in pawn endings, where a quiet move decides and few moves are to be searched.
    """
    node = node_at(state, ply)
    if best_score <= -MATE_BOUND or non_pawn_count(board) == 0:
        return False
    if lmp_count_reached(int64(node.move_count), depth, int64(flags & NODE_IMPROVING != 0)):
        node.skip_quiets = 1
    lmr_depth = depth - 1 - whole_plies(reduction)
    if is_tactical(move) or node_at(state, ply + 1).in_check:
        return _is_pruned_tactical(board, state, ply, move, depth, lmr_depth, alpha)
    row = piece_to_index(board, move)
    if continuation_pair(state, ply, row) + pawn_history(board, state, row) < -HISTORY_FACTOR * depth:
        return True
    lmr_depth += int64(node.stat_score) // FUTILITY_HISTORY_FACTOR
    if lmr_depth < FUTILITY_THRESHOLD and not node.in_check:
        margin = futility_margin(lmr_depth, int64(node.static_eval), best_score, best_move)
        if node.static_eval + margin <= alpha:
            return True
    return not see_ge(board, move, see_quiet_threshold(max(int64(0), lmr_depth)))
