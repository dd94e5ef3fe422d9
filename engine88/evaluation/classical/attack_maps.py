"""Maps that a walk reads and writes, one byte a square, with a rim so that a step off the board needs no test.

`attacks`: which kinds of piece of a colour attack the square (BY_ bits). `field`, by walking colour: ROOM if the
square counts for mobility (no own piece on it, no enemy pawn attacks it), STOP if a ray ends there (any piece,
or off the board). Byte `at(color, square)`; the rim is wide enough for a knight's longest step and for three of a walk.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from engine88.board.record import Board
from engine88.compiler.jit import inlined, int64, kernel, uint64
from engine88.evaluation.classical.evaluation_state import BY_PAWN, MAP_LENGTH, MAP_RIM, STOP, Evaluation

INSIDE: Final[npt.NDArray[np.uint8]] = np.array([BY_PAWN if s & 8 == 0 else 0 for s in range(128)], dtype=np.uint8)
OUTSIDE: Final[npt.NDArray[np.uint8]] = np.array([STOP if s & 8 else 0 for s in range(128)], dtype=np.uint8)
SHADOW: Final = 8

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
        # (1 to 6) + 7 has bit 3 set, (9 to 14) + 7 bit 4, 0 + 7 neither: arithmetic on bytes that vectorizes whole
        owner = (board.squares[uint64(i)] + 7) >> 3
        stop = (((owner | owner >> 1) & 1) << 1) | OUTSIDE[uint64(i)]
        white_room = INSIDE[uint64(i)] & ~(owner | attacks[uint64(MAP_LENGTH + MAP_RIM + i)])
        black_room = INSIDE[uint64(i)] & ~(owner >> 1 | attacks[uint64(MAP_RIM + i)])
        field[uint64(MAP_RIM + i)] = np.uint8(stop | white_room)
        field[uint64(MAP_LENGTH + MAP_RIM + i)] = np.uint8(stop | black_room)
