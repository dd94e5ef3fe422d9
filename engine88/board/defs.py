"""Constants of the board as plain integers: colors, pieces, steps, castling rights, mate scores."""

from engine88.compiler.jit import jitable

WHITE, BLACK = 0, 1

EMPTY = 0
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)
COLOR_SHIFT = 3
"""piece = color << COLOR_SHIFT | piece_type, so White's pieces are 1-6 and Black's 9-14."""

NORTH, SOUTH, EAST, WEST = 16, -16, 1, -1

OFF_BOARD = 0x88
"""`square & OFF_BOARD` is zero on the board and not zero off it."""
NO_SQUARE = 127
"""A square that is on no board (127 & 0x88 is 8): "no en-passant square", "no checker"."""

WHITE_OO, WHITE_OOO, BLACK_OO, BLACK_OOO = 1, 2, 4, 8

NO_MOVE = 0

MAX_PLY = 128
MATE = 32000
INFINITE = 32001
MATE_BOUND = MATE - MAX_PLY * 2
"""A score beyond +-MATE_BOUND announces a mate."""


@jitable
def mate_in(ply: int) -> int:
    """Return the score of giving mate `ply` plies from the root."""
    return MATE - ply


@jitable
def mated_in(ply: int) -> int:
    """Return the score of being mated `ply` plies from the root."""
    return ply - MATE


@jitable
def is_mate(score: int) -> bool:
    """Return whether the score announces a mate for either side."""
    return score > MATE_BOUND or score < -MATE_BOUND
