"""Attack map and mobility map: one byte a square and colour, with a margin so that no step needs an edge test.

`attacks` holds by colour which kinds of its pieces attack the square (BY_ bits, PAWN_SPAN). `mobility_map` holds by
the colour of the moving piece MOBILITY_SQUARE if the square counts for mobility (no own piece stands on it, no enemy
pawn attacks it), and RAY_END if a ray ends there (any piece, or off the board). The byte of a square is
`map_index(color, square)`; the margin holds a knight's longest step and UNROLLED_STEPS steps of a ray.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from engine88.board.record import Board
from engine88.compiler.jit import Unsigned, inlined, int64, kernel, uint64
from engine88.evaluation.classical.evaluation_state import BY_PAWN, MAP_LENGTH, MAP_MARGIN, RAY_END, Evaluation

ON_BOARD_BIT: Final[npt.NDArray[np.uint8]] = np.array(
    [BY_PAWN if s & 8 == 0 else 0 for s in range(128)], dtype=np.uint8
)
OFF_BOARD_BIT: Final[npt.NDArray[np.uint8]] = np.array([RAY_END if s & 8 else 0 for s in range(128)], dtype=np.uint8)
RIGHT_HALF: Final = 8

# Typed, so that every kernel of a ray has one signature: a plain constant would compile an overload of its own.
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
def map_index(color: int, square: int) -> int:
    """Return the index of a square, or of a cell of the margin, in a map."""
    return uint64(color * MAP_LENGTH + MAP_MARGIN + square)


@inlined
def add_attack(evaluation: Evaluation, index: Unsigned, bit: int) -> None:
    """Add an attack by a type of piece to the attack map."""
    evaluation.attacks[index] |= np.uint8(bit)


@kernel
def prepare_maps(board: Board, evaluation: Evaluation, row: int) -> None:
    """Start the attack map with the pawns of a row of the pawn table; fill the mobility map of both colors."""
    pawns = evaluation.pawn_maps[uint64(row)]
    attacks = evaluation.attacks
    mobility_map = evaluation.mobility_map
    for i in range(128):
        attacks[uint64(MAP_MARGIN + i)] = pawns[uint64(i)]
    for i in range(128 - RIGHT_HALF):
        attacks[uint64(MAP_LENGTH + MAP_MARGIN + i)] = pawns[uint64(i + RIGHT_HALF)]
    for i in range(128):
        # (1 to 6) + 7 has bit 3 set, (9 to 14) + 7 bit 4, 0 + 7 neither: arithmetic on bytes that vectorizes whole
        owner = (board.squares[uint64(i)] + 7) >> 3
        stop = (((owner | owner >> 1) & 1) << 1) | OFF_BOARD_BIT[uint64(i)]
        white_room = ON_BOARD_BIT[uint64(i)] & ~(owner | attacks[uint64(MAP_LENGTH + MAP_MARGIN + i)])
        black_room = ON_BOARD_BIT[uint64(i)] & ~(owner >> 1 | attacks[uint64(MAP_MARGIN + i)])
        mobility_map[uint64(MAP_MARGIN + i)] = np.uint8(stop | white_room)
        mobility_map[uint64(MAP_LENGTH + MAP_MARGIN + i)] = np.uint8(stop | black_room)
