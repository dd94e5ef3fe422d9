"""The life of a node on the search record: entered, looked up, evaluated, its moves played, its score stored."""

import numpy as np

from engine88.board.defs import MATE_BOUND, MAX_PLY, mated_in
from engine88.board.moves import is_tactical
from engine88.board.record import Board
from engine88.board.zobrist import PIECE_KEYS, SIDE_KEY
from engine88.compiler.jit import inlined, int64, kernel, uint64
from engine88.evaluation.classical.evaluation_state import Evaluation
from engine88.evaluation.classical.psqt import placement_change
from engine88.evaluation.evaluate import evaluate
from engine88.rules.checks import gives_check
from engine88.rules.legality import is_legal
from engine88.rules.make_move import make_move, make_null
from engine88.search.history import capture_history, corrected, learn_correction, quiet_history, row_of
from engine88.search.lazy_eval import keep_surplus, note_surplus
from engine88.search.params import TT_HALFMOVE_THRESHOLD
from engine88.search.search_state import LEAD, NO_EVAL, SearchState
from engine88.search.tt import (
    BOUND_EXACT,
    BOUND_LOWER,
    BOUND_NONE,
    BOUND_UPPER,
    NO_ENTRY,
    entry_bound,
    entry_depth,
    entry_move,
    entry_score,
    entry_static_eval,
    entry_was_pv,
    prefetch_bucket,
    probe,
    store,
)

LAST_PLY = MAX_PLY - 4
"""At this ply the search goes no deeper, whatever the extensions."""


@inlined
def enter_node(state: SearchState, ply: int) -> None:
    """Count the node, and stop everything once the node limit is reached."""
    if state.max_nodes > 0 and state.node_count >= state.max_nodes:
        state.stop = np.uint8(1)
        return
    state.node_count += 1
    if ply > state.seldepth:
        state.seldepth = ply
    state.pv_lengths[ply] = 0
    state.stack[uint64(ply + LEAD)].end = state.stack[uint64(ply + (LEAD - 1))].end


@inlined
def draw_score(state: SearchState) -> int:
    """Return -1, 0 or 1: a little noise keeps the search from being blind among many ways to draw."""
    return 1 - (int64(state.node_count) & 2)


@inlined
def no_move_score(state: SearchState, ply: int) -> int:
    """Return the score of a node without a legal move: mate or stalemate."""
    return mated_in(ply) if state.stack[uint64(ply + LEAD)].in_check else int64(0)


@inlined
def may_trust_table(board: Board) -> bool:
    """Return whether the fifty-move rule is far enough for scores of other paths to hold."""
    return int64(board.halfmove_clock) < TT_HALFMOVE_THRESHOLD


@inlined
def skip_table(state: SearchState, ply: int) -> None:
    """Set the node's hit_* fields as if the table knew nothing of it."""
    node = state.stack[uint64(ply + LEAD)]
    node.hit_move = 0
    node.hit_depth = -1
    node.hit_bound = BOUND_NONE


@kernel
def look_up(board: Board, state: SearchState, ply: int, depth: int, beta: int, pv_node: bool) -> bool:
    """Set the node's hit_* fields from the table; return whether hit_score settles the node.

    hit_bound is BOUND_NONE where the table knows nothing; hit_move is legal or 0 unless the node is settled.
    """
    node = state.stack[uint64(ply + LEAD)]
    data = probe(state.tt_base, state.tt_buckets, board.key)
    node.was_pv = int64(pv_node)
    if data == NO_ENTRY:
        skip_table(state, ply)
        return False
    node.was_pv |= entry_was_pv(data)
    node.hit_depth = entry_depth(data)
    node.hit_bound, node.hit_score = entry_bound(data), entry_score(data, ply)
    node.hit_eval = entry_static_eval(data)
    node.hit_move = entry_move(data)
    enough = BOUND_LOWER if node.hit_score >= beta else BOUND_UPPER
    if not pv_node and int64(node.hit_bound) & enough and node.hit_depth >= depth and may_trust_table(board):
        return True
    if node.hit_move != 0 and not is_legal(board, node.hit_move):
        node.hit_move = 0
    return False


@kernel
def set_static_eval(board: Board, state: SearchState, evaluation: Evaluation, ply: int) -> int:
    """Set the node's raw and corrected evaluation and return the best guess at its score.

    The guess is the table's score where its bound says that it is nearer to the truth.
    """
    node = state.stack[uint64(ply + LEAD)]
    if node.in_check:
        node.raw_eval = NO_EVAL
        node.static_eval = NO_EVAL
        keep_surplus(state, ply)
        return int64(-NO_EVAL)
    known = node.hit_bound != BOUND_NONE and node.hit_eval != NO_EVAL
    node.raw_eval = node.hit_eval if known else evaluate(board, evaluation)
    note_surplus(board, state, ply)
    node.static_eval = corrected(board, state, ply, node.raw_eval)
    nearer = BOUND_LOWER if node.hit_score > node.static_eval else BOUND_UPPER
    if node.hit_bound & nearer != 0 and abs(node.hit_score) < MATE_BOUND:
        return int64(node.hit_score)
    return int64(node.static_eval)


@inlined
def open_node(state: SearchState, ply: int) -> None:
    """Make a fresh start for what the node's subtree counts and finds."""
    node = state.stack[uint64(ply + LEAD)]
    grandchild = state.stack[uint64(ply + (LEAD + 2))]
    grandchild.cutoffs = 0
    grandchild.killer_1 = 0
    grandchild.killer_2 = 0
    node.double_extensions = state.stack[uint64(ply + (LEAD - 1))].double_extensions
    node.quiet_count = 0
    node.capture_count = 0


@inlined
def is_improving(state: SearchState, ply: int) -> int:
    """Return 1 if the static evaluation rose since our last move (or the one before, if that was in check)."""
    now = state.stack[uint64(ply + LEAD)].static_eval
    before = state.stack[uint64(ply + (LEAD - 2))].static_eval
    if before == NO_EVAL:
        before = state.stack[uint64(ply + (LEAD - 4))].static_eval
    if now == NO_EVAL or before == NO_EVAL:
        return int64(0)
    return int64(now > before)


@inlined
def prefetch_child(board: Board, state: SearchState, move: int) -> None:
    """Ask for the child's table line; the key is right but for castling, en passant, promotions and rights."""
    origin, target = uint64(move & 0x7F), uint64((move >> 7) & 0x7F)
    piece = uint64(board.squares[origin])
    key = board.key ^ SIDE_KEY ^ PIECE_KEYS[piece, origin] ^ PIECE_KEYS[piece, target]
    victim = uint64(board.squares[target])
    if victim != 0:
        key ^= PIECE_KEYS[victim, target]
    prefetch_bucket(state.tt_base, state.tt_buckets, key)


@inlined
def note_check(board: Board, state: SearchState, ply: int, move: int) -> None:
    """Tell the stack whether `move`, about to be made at `ply`, gives check."""
    state.stack[uint64(ply + (LEAD + 1))].in_check = int64(gives_check(board, move))


@inlined
def play(board: Board, state: SearchState, ply: int, move: int) -> None:
    """Make `move` at `ply` and tell the stack what moved where; `note_check` comes before."""
    node = state.stack[uint64(ply + LEAD)]
    node.current_move = move
    node.row = row_of(board, move)
    state.stack[uint64(ply + (LEAD + 1))].placement = node.placement + placement_change(board, move)
    make_move(board, move)


@inlined
def play_null(board: Board, state: SearchState, ply: int) -> None:
    """Pass at `ply`."""
    node = state.stack[uint64(ply + LEAD)]
    node.current_move = 0
    node.row = 0
    node.stat_score = 0
    node.stage = 0  # no picker hands out a pass
    state.stack[uint64(ply + (LEAD + 1))].in_check = 0
    state.stack[uint64(ply + (LEAD + 1))].placement = node.placement
    prefetch_bucket(state.tt_base, state.tt_buckets, board.key ^ SIDE_KEY)
    make_null(board)


@inlined
def save_line(state: SearchState, ply: int, move: int) -> None:
    """Make `move` plus the child's line the line of `ply`."""
    length = min(state.pv_lengths[ply + 1], MAX_PLY - ply)
    state.pv[ply, 0] = move
    for i in range(length):
        state.pv[ply, i + 1] = state.pv[ply + 1, i]
    state.pv_lengths[ply] = length + 1


@inlined
def move_history(board: Board, state: SearchState, ply: int, move: int, tactical: bool) -> int:
    """Return the history of any move that may be made now at `ply`."""
    if tactical:
        return capture_history(board, state, move)
    return quiet_history(board, state, ply, move)


@inlined
def store_result(board: Board, state: SearchState, ply: int, move: int, score: int, depth: int, bound: int) -> None:
    """Write the node to the table."""
    node = state.stack[uint64(ply + LEAD)]
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
        node.was_pv,
        ply,
    )


@kernel
def finish_node(
    board: Board, state: SearchState, ply: int, best_move: int, best_score: int, old_alpha: int, beta: int, depth: int
) -> None:
    """Write the node to the table and correct the static evaluation of like positions."""
    bound = int64(BOUND_EXACT)
    if best_score >= beta:
        bound = int64(BOUND_LOWER)
    elif best_score <= old_alpha:
        bound = int64(BOUND_UPPER)
    store_result(board, state, ply, best_move, best_score, depth, bound)
    node = state.stack[uint64(ply + LEAD)]
    if node.in_check or is_tactical(best_move) or abs(best_score) >= MATE_BOUND:
        return
    if bound == BOUND_LOWER and best_score <= node.static_eval:
        return
    if bound == BOUND_UPPER and best_score >= node.static_eval:
        return
    learn_correction(board, state, ply, depth, best_score - node.static_eval)
