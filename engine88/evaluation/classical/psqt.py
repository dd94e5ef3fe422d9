"""Material and piece-square values in one table indexed by `piece << 7 | square`, from the owner's view.

The weights hold the left half of the board (files a-d, mirrored to h-e), eight ranks from the owner's side.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from engine88.board.defs import KING, PAWN
from engine88.board.record import Board
from engine88.board.squares import on_board
from engine88.compiler.jit import inlined, int64, kernel, uint64
from engine88.evaluation.classical.evaluation_state import Evaluation
from engine88.evaluation.classical.terms import MATERIAL, PACKED, PSQT, TRACING

HALF_BOARD: Final = 32


def psqt_term(piece_type: int, color: int, square: int) -> int:
    """Return the offset in PACKED of the piece-square weight of a piece."""
    rank = (square >> 4) ^ (7 * color)
    file = square & 7
    return PSQT + (piece_type - PAWN) * HALF_BOARD + rank * 4 + min(file, 7 - file)


def _tables() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int16]]:
    """Return (values, terms), both indexed by piece << 7 | square; kings have no material value."""
    values = np.zeros(16 << 7, dtype=np.int64)
    terms = np.zeros(16 << 7, dtype=np.int16)
    for color in (0, 1):
        for piece_type in range(PAWN, KING + 1):
            for square in range(128):
                if on_board(square):
                    index = (color * 8 + piece_type) << 7 | square
                    terms[index] = psqt_term(piece_type, color, square)
                    material = PACKED[MATERIAL + piece_type - PAWN] if piece_type != KING else 0
                    values[index] = material + PACKED[terms[index]]
    return values, terms


PIECE_SQUARE, PIECE_SQUARE_TERM = _tables()


@inlined
def counted_psqt_value(evaluation: Evaluation, color: int, piece: int, square: int) -> int:
    """Return the packed material and piece-square value of a piece for its owner; a tracing process counts it."""
    if TRACING:
        term = PIECE_SQUARE_TERM[uint64(piece << 7 | square)]
        evaluation.term_counts[uint64(color), uint64(term)] += 1
        if (piece & 7) != KING:
            evaluation.term_counts[uint64(color), uint64(MATERIAL + (piece & 7) - PAWN)] += 1
    return psqt_value(piece, square)


@inlined
def psqt_value(piece: int, square: int) -> int:
    """Return the packed material and piece-square value of a piece for its owner, never traced."""
    return int64(PIECE_SQUARE[uint64(piece << 7 | square)])


@kernel
def psqt_score_of(board: Board) -> int:
    """Return the packed material and piece-square values of all pieces, White minus Black."""
    total = int64(0)
    for color in range(2):
        for place in range(int64(board.list_sizes[uint64(color)])):
            square = int64(board.pieces[uint64(color), uint64(place)])
            value = psqt_value(int64(board.squares[uint64(square)]), square)
            total += value - 2 * color * value
    return total
