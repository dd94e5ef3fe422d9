"""The search record: everything one thread's search knows besides the board, passed to kernels by address.

`node_at(state, ply)` is the node at `ply`; the STACK_OFFSET entries of the stack before the root stand for moves that
were not made, so that a kernel may look back a few plies without a test.

Shapes and axes of the history tables (a "piece-to" index is `piece code * 64 + target square 0..63` of a move):

    history                  [side to move, from square 0..63 * 64 + to square 0..63]
    capture_history          [piece-to * 8 + type of the captured piece, 0 for a promotion without capture]
    continuation_history     [piece-to of an earlier move, piece-to of the move] (1 to 4 and 6 plies apart, one table)
    pawn_history             [pawn key modulo PAWN_STRUCTURES, piece-to]
    corrections              seven tables of CORRECTION_ENTRIES: pawns by side to move, White's pieces by side to move,
                             Black's pieces by side to move, last two moves (see `correction_indices` in history.py)

The entries of each table lie within the limits in params.py.
"""

from typing import Annotated, Any, TypeAlias

import numba
import numpy as np

from engine88.board.defs import MAX_PLY
from engine88.compiler.jit import inlined, uint64

STACK_OFFSET = 6  # nodes before the root, so that ply - 6 may be read
STACK_SIZE = MAX_PLY + STACK_OFFSET + 4
MAX_SEARCHED = 64
MAX_ROOT_MOVES = 256
PIECE_TO_SIZE = 16 * 64  # piece codes times squares
CORRECTION_ENTRIES = 16384
PAWN_STRUCTURES = 512
RECORDED_LINES = 64
RECORDED_PLIES = 40
NO_EVAL = 32002  # static evaluation of a node in check

NODE = np.dtype(
    (
        np.record,
        [
            # the position
            ("static_eval", np.int64),
            ("raw_eval", np.int64),
            ("in_check", np.int64),
            ("excluded_move", np.int64),
            ("tt_pv", np.int64),
            # the transposition table's entry
            ("tt_move", np.int64),
            ("tt_score", np.int64),
            ("tt_depth", np.int64),
            ("tt_bound", np.int64),
            ("tt_eval", np.int64),
            # the move being searched
            ("current_move", np.int64),
            ("piece_to", np.int64),
            ("stat_score", np.int64),
            ("move_count", np.int64),
            ("reduction", np.int64),
            # cut-offs at this ply since the node two plies before was entered
            ("cutoff_count", np.int64),
            # the move picker
            ("picker_stage", np.int64),
            ("picker_tt_move", np.int64),
            ("picker_start", np.int64),
            ("picker_index", np.int64),
            ("picker_end", np.int64),
            ("picker_bad_end", np.int64),
            ("picker_quiets", np.int64),
            ("skip_quiets", np.int64),
            # moves searched without a cut-off so far
            ("quiet_count", np.int64),
            ("capture_count", np.int64),
            ("quiets_searched", np.int32, (MAX_SEARCHED,)),
            ("captures_searched", np.int32, (MAX_SEARCHED,)),
        ],
    )
)

SEARCH_STATE = np.dtype(
    [
        # read and written by other threads while the search runs
        ("stop", np.uint8),
        ("padding", np.uint8, (7,)),
        ("node_count", np.int64),
        ("max_nodes", np.int64),
        ("seldepth", np.int64),
        # the table
        ("tt_base", np.uint64),
        ("tt_buckets", np.uint64),
        ("generation", np.int64),
        # the root
        ("root_depth", np.int64),
        ("root_count", np.int64),
        ("pv_index", np.int64),
        ("root_move", np.int64),
        ("root_delta", np.int64),
        ("null_move_ply", np.int64),
        # the aspiration window, see aspiration.py
        ("window_alpha", np.int64),
        ("window_beta", np.int64),
        ("window_margin", np.int64),
        ("window_reduction", np.int64),
        ("window_bound", np.int64),
        # squares attacked by lesser pieces, by the type of the piece that is threatened there, see threats.py
        ("threats", np.uint64, (8,)),
        ("root_moves", np.int64, (MAX_ROOT_MOVES,)),
        ("root_scores", np.int64, (MAX_ROOT_MOVES,)),
        ("root_nodes", np.int64, (MAX_ROOT_MOVES,)),
        ("pv_lengths", np.int64, (MAX_PLY + 2,)),
        ("pv", np.int32, (MAX_PLY + 2, MAX_PLY + 2)),
        ("stack", NODE, (STACK_SIZE,)),
        # learnt from earlier nodes; axes at the top of this file
        ("history", np.int16, (2, 64 * 64)),
        ("capture_history", np.int16, (16 * 64 * 8,)),
        ("corrections", np.int16, (7 * CORRECTION_ENTRIES,)),
        ("continuation_history", np.int16, (PIECE_TO_SIZE, PIECE_TO_SIZE)),
        ("pawn_history", np.int16, (PAWN_STRUCTURES, PIECE_TO_SIZE)),
        # lines to evaluated positions, see recording.py
        ("evaluations_left", np.int64),
        ("recorded_count", np.int64),
        ("recorded_plies", np.int64, (RECORDED_LINES,)),
        ("recorded_moves", np.int32, (RECORDED_LINES, RECORDED_PLIES)),
    ]
)

SEARCH_STATE_TYPE = numba.from_dtype(SEARCH_STATE)
"""Numba's type of a SEARCH_STATE record."""

SearchState: TypeAlias = Annotated[Any, SEARCH_STATE_TYPE]
"""A SEARCH_STATE record."""
SearchNode: TypeAlias = Annotated[Any, numba.from_dtype(NODE)]
"""One NODE record of the stack."""


@inlined
def node_at(state: SearchState, ply: int) -> SearchNode:
    """Return the node at `ply`, from -STACK_OFFSET on."""
    return state.stack[uint64(ply + STACK_OFFSET)]


def new_search_state() -> SearchState:
    """Return a zeroed search record (3.6 MB)."""
    return np.zeros(1, dtype=SEARCH_STATE).view(np.recarray)[0]


def clear_histories(state: SearchState) -> None:
    """Clear histories, corrections and the stack, as for a new game."""
    for field in ("history", "capture_history", "continuation_history", "pawn_history", "corrections", "stack"):
        state[field].view(np.uint8).fill(0)  # bytes: in half the time of numbers
