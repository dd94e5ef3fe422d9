"""Maps that a walk reads and writes, one byte a square, with a rim so that a step off the board needs no test.

`attacks`: which kinds of piece of a colour attack the square (BY_ bits). `field`, by walking colour: ROOM if the
square counts for mobility (no own piece on it, no enemy pawn attacks it), STOP if a ray ends there (any piece,
or off the board). Byte `at(color, square)`; the rim is as wide as a knight's longest step.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from engine88.board import Board
from engine88.defs import EMPTY
from engine88.evaluation_state import BY_PAWN, MAP_LENGTH, MAP_RIM, STOP, Evaluation
from engine88.jit import inlined, int64, kernel, uint64

ON_BOARD: Final[npt.NDArray[np.uint8]] = np.array([(square & 8) == 0 for square in range(128)], dtype=np.uint8)
SHADOW: Final = 8
FIRST_BLACK: Final = 8  # piece codes from here on are Black's

# Typed, so that every walk is one signature: a plain constant would compile an overload of its own.
NORTH_WEST_STEP: Final = int64(15)
NORTH_EAST_STEP: Final = int64(17)
SOUTH_EAST_STEP: Final = int64(-15)
SOUTH_WEST_STEP: Final = int64(-17)
EAST_STEP: Final = int64(1)
WEST_STEP: Final = int64(-1)
NORTH_STEP: Final = int64(16)
SOUTH_STEP: Final = int64(-16)
SSW: Final = int64(-33)
SSE: Final = int64(-31)
WSW: Final = int64(-18)
ESE: Final = int64(-14)
WNW: Final = int64(14)
ENE: Final = int64(18)
NNW: Final = int64(31)
NNE: Final = int64(33)


@inlined
def at(color: int, square: int) -> int:
    """Index of a square, or of a place on the rim, in a map."""
    return uint64(color * MAP_LENGTH + MAP_RIM + square)


@inlined
def mark(evaluation: Evaluation, index: int, bit: int) -> None:
    """Enter an attack by a kind of piece."""
    evaluation.attacks[index] |= np.uint8(bit)


@kernel
def prepare_maps(board: Board, evaluation: Evaluation, row: int) -> None:
    """Start the attack map with the pawns of a row of the pawn table, and lay out the field of both colours."""
    pawns = evaluation.pawn_maps[uint64(row)]
    attacks = evaluation.attacks
    field = evaluation.field
    for i in range(128):
        attacks[uint64(MAP_RIM + i)] = pawns[uint64(i)]
    for i in range(128 - SHADOW):
        attacks[uint64(MAP_LENGTH + MAP_RIM + i)] = pawns[uint64(i + SHADOW)]
    for i in range(128):
        piece = board.squares[uint64(i)]
        inside = ON_BOARD[uint64(i)]
        stop = STOP * ((piece != EMPTY) | (inside == 0))
        white_room = inside & ((piece == EMPTY) | (piece >= FIRST_BLACK))
        black_room = inside & (piece < FIRST_BLACK)
        safe_of_black = (attacks[uint64(MAP_LENGTH + MAP_RIM + i)] & BY_PAWN) ^ BY_PAWN
        safe_of_white = (attacks[uint64(MAP_RIM + i)] & BY_PAWN) ^ BY_PAWN
        field[uint64(MAP_RIM + i)] = np.uint8(stop | (white_room & safe_of_black))
        field[uint64(MAP_LENGTH + MAP_RIM + i)] = np.uint8(stop | (black_room & safe_of_white))
