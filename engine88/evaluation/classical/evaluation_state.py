"""The evaluation record: pawn table, attack map, and the counters of a tracing process.

Axes of the arrays of EVALUATION:

    pawn_words      [row of the pawn table: pawn key modulo PAWN_ROWS, WORD_ index]
    pawn_maps       [row, square] what white pawns attack, [row, square + 8] what black pawns attack
    attacks         [map_index(color, square)] BY_ bits of the pieces of that color, see attack_maps.py
    mobility_map    [map_index(color, square)] MOBILITY_SQUARE and RAY_END bits for pieces of that color
    pawn_columns    [color, file + 1] bit r: a pawn on rank r; columns 0 and 9 stay empty
    term_counts     [color, offset of the weight in PACKED] and safety_counts [color, index in SAFETY_NAMES]
"""

from typing import Annotated, Any, Final, TypeAlias

import numba
import numpy as np

from engine88.compiler.jit import inlined, int64, uint64
from engine88.evaluation.classical.terms import PACKED, SAFETY_COUNT, TERM_COUNT, TRACING

BY_PAWN: Final = int64(1)
BY_KNIGHT: Final = int64(2)
BY_BISHOP: Final = int64(4)
BY_ROOK: Final = int64(8)
BY_QUEEN: Final = int64(16)
BY_KING: Final = int64(32)
BY_ANY: Final = int64(63)
PAWN_SPAN: Final = 128  # a pawn attacks the square now or could after advancing

MOBILITY_SQUARE: Final = 1
RAY_END_SHIFT: Final = 1
RAY_END: Final = 1 << RAY_END_SHIFT
UNROLLED_STEPS: Final = 3  # what a walk looks at before it asks where it ends
MAP_MARGIN: Final = -(-17 * UNROLLED_STEPS // 8) * 8  # the longest step is 17
MAP_LENGTH: Final = 128 + 2 * MAP_MARGIN

# One row of the pawn table: eight words and an attack map.
PAWN_ROWS: Final = 4096
WORD_KEY: Final = 0
WORD_SCORE: Final = 1  # packed, White minus Black
WORD_FILES: Final = 2  # bits 0-15: files with pawns, by colour; then four counts of 4 bits by colour and shade
WORD_PASSERS: Final = 3  # and 4: one byte per passed pawn of White (Black), zero ends
WORD_SHELTER: Final = 5  # and 6: packed shelter of the White (Black) king
WORD_KINGS: Final = 7  # king squares that the shelters belong to; -1 none yet
FILES_SHADE_SHIFT: Final = 16

EVALUATION: Final = np.dtype(
    [
        ("pawn_words", np.int64, (PAWN_ROWS, 8)),
        ("pawn_maps", np.uint8, (PAWN_ROWS, 128)),
        ("attacks", np.uint8, 2 * MAP_LENGTH),  # by colour, see attack_maps
        ("mobility_map", np.uint8, 2 * MAP_LENGTH),
        ("pawn_columns", np.int64, (2, 10)),  # rank bits of the pawns of a colour by file + 1; guards 0 and 9
        ("score_address", np.uint64),  # of classical_score; 0 while a network evaluates
        ("phase", np.int64),  # 24 all pieces, 0 none
        ("scale", np.int64),  # 64 nothing drawish
        ("linear", np.int64),  # 0 where a rule for one endgame replaced the sum of the terms
        ("breakdown", np.int64, (8, 2)),  # by group of terms (see breakdown.py): middlegame and endgame centipawns
        ("term_counts", np.int32, (2, TERM_COUNT)),
        ("safety_counts", np.int32, (2, SAFETY_COUNT)),
    ],
    align=True,
)

EVALUATION_TYPE = numba.from_dtype(EVALUATION)
"""Numba's type of an EVALUATION record."""

Evaluation: TypeAlias = Annotated[np.record, EVALUATION_TYPE]
"""An EVALUATION record."""


def new_evaluation() -> Evaluation:
    """Return a fresh EVALUATION record (about 0.8 MB)."""
    array: Any = np.recarray(1, EVALUATION)
    array.view(np.uint8)[:] = 0
    record: Evaluation = array[0]
    clear_evaluation(record)
    return record


def clear_evaluation(record: Evaluation) -> None:
    """Make a record of zeros ready for use."""
    record.pawn_words[:, WORD_KEY] = -1
    record.pawn_words[:, WORD_KINGS] = -1
    record.mobility_map[:] = RAY_END


@inlined
def weigh(evaluation: Evaluation, color: int, term: int, times: int) -> int:
    """Return the packed value of `times` occurrences of a term for a color; a tracing process counts them."""
    if TRACING:
        evaluation.term_counts[uint64(color), uint64(term)] += times
    return int64(PACKED[uint64(term)]) * times
