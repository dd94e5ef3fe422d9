"""The search record: all that one thread's search knows besides the board, in one record that kernels take by address.

`stack[ply + LEAD]` is the node at `ply`; the LEAD entries before the root stand for moves that were not made.
"""

from typing import Any, TypeAlias

import numba
import numpy as np

from engine88.board.defs import MAX_PLY

LEAD = 6  # nodes before the root, so that ply - 6 may be read
STACK_SIZE = MAX_PLY + LEAD + 4
MAX_TRIED = 64
MAX_ROOT_MOVES = 256
ROWS = 16 * 64  # a continuation row: piece code and target square of a move
CORRECTION_SIZE = 16384
NO_EVAL = 32002  # static evaluation of a node in check

NODE = np.dtype(
    (
        np.record,
        [
            # of the position
            ("static_eval", np.int64),
            ("raw_eval", np.int64),
            ("in_check", np.int64),
            ("placement", np.int64),  # material and piece-square values, packed, White minus Black
            ("surplus", np.int64),  # what the last evaluation along the line saw besides, centipawns for White
            ("drift", np.int64),  # plies since that evaluation
            ("excluded_move", np.int64),
            ("was_pv", np.int64),
            # what the table knows of it
            ("hit_move", np.int64),
            ("hit_score", np.int64),
            ("hit_depth", np.int64),
            ("hit_bound", np.int64),
            ("hit_eval", np.int64),
            # of the move being searched
            ("current_move", np.int64),
            ("row", np.int64),
            ("stat_score", np.int64),
            # of the line
            ("double_extensions", np.int64),
            ("cutoffs", np.int64),
            ("killer_1", np.int64),
            ("killer_2", np.int64),
            # of the move picker
            ("stage", np.int64),
            ("tt_move", np.int64),
            ("counter_move", np.int64),
            ("start", np.int64),
            ("index", np.int64),
            ("end", np.int64),
            ("bad_end", np.int64),
            ("skip_quiets", np.int64),
            # moves searched before the one that cut
            ("quiet_count", np.int64),
            ("capture_count", np.int64),
            ("quiets_tried", np.int32, (MAX_TRIED,)),
            ("captures_tried", np.int32, (MAX_TRIED,)),
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
        ("root_first", np.int64),
        ("root_move", np.int64),
        ("null_move_ply", np.int64),
        ("root_moves", np.int64, (MAX_ROOT_MOVES,)),
        ("root_scores", np.int64, (MAX_ROOT_MOVES,)),
        ("root_nodes", np.int64, (MAX_ROOT_MOVES,)),
        ("pv_lengths", np.int64, (MAX_PLY + 2,)),
        ("pv", np.int32, (MAX_PLY + 2, MAX_PLY + 2)),
        ("stack", NODE, (STACK_SIZE,)),
        # what earlier nodes taught
        ("history", np.int16, (2, 64 * 64)),
        ("capture_history", np.int16, (16 * 64 * 8,)),
        ("counter_moves", np.int32, (ROWS,)),
        ("pawn_correction", np.int16, (2, CORRECTION_SIZE)),
        ("non_pawn_correction", np.int16, (4, CORRECTION_SIZE)),
        ("continuation_correction", np.int16, (CORRECTION_SIZE,)),
        ("continuation", np.int16, (ROWS, ROWS)),
    ]
)

SEARCH_STATE_TYPE = numba.from_dtype(SEARCH_STATE)
"""Numba's type of a SEARCH_STATE record, for the signatures of entry kernels."""

SearchState: TypeAlias = Any
"""A SEARCH_STATE record."""
SearchNode: TypeAlias = Any
"""One NODE record of the stack."""


def new_search_state() -> SearchState:
    """Return a zeroed search record (2.5 MB)."""
    return np.zeros(1, dtype=SEARCH_STATE).view(np.recarray)[0]


def forget(state: SearchState) -> None:
    """Clear what a game taught: histories, killers, corrections."""
    for field in ("history", "capture_history", "counter_moves", "pawn_correction", "non_pawn_correction"):
        state[field].fill(0)
    state["continuation_correction"].fill(0)
    state["continuation"].fill(0)
    state["stack"].fill(0)
