"""Tables over the difference of two squares.

On the 0x88 board `to - from` gives direction and distance without ambiguity, so what takes 64x64 entries elsewhere
takes 239 here. The index is `to - from + 0x77`: 0 (h8 to a1) to 238 (a1 to h8). Entry 239 makes it a round 240.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine88.board.defs import BISHOP, BLACK, EAST, KING, KNIGHT, NORTH, PAWN, QUEEN, ROOK, SOUTH, WEST, WHITE
from engine88.board.squares import SQUARES, file_of, piece_of, rank_of
from engine88.compiler.jit import inlined, int64, jitable, uint64

ORIGIN = 0x77
"""Added to a difference to make it an index."""
ENTRIES = 240

ROOK_STEPS = (SOUTH, WEST, EAST, NORTH)
BISHOP_STEPS = (SOUTH + WEST, SOUTH + EAST, NORTH + WEST, NORTH + EAST)
KNIGHT_STEPS = (31, 33, 18, -14, -31, -33, -18, 14)
KING_STEPS = ROOK_STEPS + BISHOP_STEPS

STEPS: NDArray[np.int64] = np.array(KNIGHT_STEPS + BISHOP_STEPS + ROOK_STEPS, np.int64)
"""All steps in one row: a piece type walks those from FIRST_STEP to LAST_STEP (exclusive)."""
FIRST_STEP: NDArray[np.int64] = np.array([0, 0, 0, 8, 12, 8, 8, 0], np.int64)
LAST_STEP: NDArray[np.int64] = np.array([0, 0, 8, 12, 16, 16, 16, 0], np.int64)

PAWN_STEP: NDArray[np.int64] = np.array([NORTH, SOUTH], np.int64)
"""Step of a pawn push, by colour."""

WHITE_PAWN_BIT, BLACK_PAWN_BIT, KNIGHT_BIT, BISHOP_BIT, ROOK_BIT, QUEEN_BIT, KING_BIT = (1 << bit for bit in range(7))

PIECE_BIT: NDArray[np.uint8] = np.zeros(16, np.uint8)
"""Bit of each piece code in ATTACK_MASK; the pawns of both colours have bits of their own."""
for _color in (WHITE, BLACK):
    PIECE_BIT[piece_of(_color, PAWN)] = (WHITE_PAWN_BIT, BLACK_PAWN_BIT)[_color]
    for _type, _bit in (
        (KNIGHT, KNIGHT_BIT), (BISHOP, BISHOP_BIT), (ROOK, ROOK_BIT), (QUEEN, QUEEN_BIT), (KING, KING_BIT),
    ):  # fmt: skip
        PIECE_BIT[piece_of(_color, _type)] = _bit

LINE_BIT: NDArray[np.uint8] = PIECE_BIT & np.uint8(BISHOP_BIT | ROOK_BIT | QUEEN_BIT)
"""PIECE_BIT of the pieces that move along lines, zero for the others."""


@jitable
def difference(from_square: Any, to_square: Any) -> Any:
    """Return the index of a pair of squares into the tables of this module."""
    return to_square - from_square + ORIGIN


def _attack_mask() -> NDArray[np.uint8]:
    mask = np.zeros(ENTRIES, np.uint8)
    for step in KNIGHT_STEPS:
        mask[ORIGIN + step] |= KNIGHT_BIT
    for step in KING_STEPS:
        mask[ORIGIN + step] |= KING_BIT
        line_bit = ROOK_BIT if step in ROOK_STEPS else BISHOP_BIT
        for distance in range(1, 8):
            mask[ORIGIN + step * distance] |= line_bit | QUEEN_BIT
    for side_step in (WEST, EAST):
        mask[ORIGIN + NORTH + side_step] |= WHITE_PAWN_BIT
        mask[ORIGIN + SOUTH + side_step] |= BLACK_PAWN_BIT
    return mask


def _ray_step() -> NDArray[np.int8]:
    table = np.zeros(ENTRIES, np.int8)
    for step in KING_STEPS:
        for distance in range(1, 8):
            table[ORIGIN + step * distance] = step
    return table


def _walk_step() -> NDArray[np.int8]:
    table = _ray_step()
    for step in KNIGHT_STEPS:
        table[ORIGIN + step] = step
    return table


def _distance() -> NDArray[np.uint8]:
    table = np.zeros(ENTRIES, np.uint8)
    for a in SQUARES:
        for b in SQUARES:
            table[b - a + ORIGIN] = max(abs(file_of(a) - file_of(b)), abs(rank_of(a) - rank_of(b)))
    return table


ATTACK_MASK = _attack_mask()
"""Which pieces attack along this difference on an empty board: one bit per kind, see PIECE_BIT."""
RAY_STEP = _ray_step()
"""The step of the rank, file or diagonal that holds both squares, 0 if they share none."""
WALK_STEP = _walk_step()
"""RAY_STEP, and for a knight's jump the jump itself: the step by which any attacker arrives."""
DISTANCE = _distance()
"""King's moves between the squares (Chebyshev distance)."""


@inlined
def distance(square: int, other: int) -> int:
    """Return the number of king moves between two squares (Chebyshev distance)."""
    return int64(DISTANCE[uint64(other - square + ORIGIN)])
