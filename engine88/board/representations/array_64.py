"""The naive board: an array of 64 squares, where each step has to compare files and ranks.

0..63   the piece on the square, a1 = 0, h8 = 63, in engine88's piece codes
64      the side to move        65      castling rights, one bit each
66      the en-passant square, or NONE
67, 68  the squares of the kings
"""

import numpy as np

from engine88.board.defs import (
    BISHOP,
    BLACK_OO,
    BLACK_OOO,
    EMPTY,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    WHITE_OO,
    WHITE_OOO,
)
from engine88.board.representations.counting import Cells, add, add_pawn_move, promotion_of, start_of, target_of
from engine88.board.squares import color_of, parse_piece, parse_square, piece_of, to_64, type_of
from engine88.compiler.jit import int64, kernel

SIDE, CASTLING, EN_PASSANT, KINGS, LENGTH = 64, 65, 66, 67, 69
NONE = -1

STEPS = np.array([(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)])
JUMPS = np.array([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)])
"""Ranks and files of a step; the first four steps are a rook's, the others a bishop's."""

LOST_RIGHTS = np.zeros(64, np.int8)
LOST_RIGHTS[[0, 4, 7]] = WHITE_OOO, WHITE_OO | WHITE_OOO, WHITE_OO
LOST_RIGHTS[[56, 60, 63]] = BLACK_OOO, BLACK_OO | BLACK_OOO, BLACK_OO
"""The castling rights that a move from or to a square ends."""


def from_fen(fen: str) -> Cells:
    """Return the position of a FEN that is known to be good."""
    placement, side, castling, en_passant, *_ = fen.split()
    cells = np.zeros(LENGTH, np.int8)
    for rank, row in zip(range(7, -1, -1), placement.split("/"), strict=True):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
                continue
            cells[rank * 8 + file] = parse_piece(letter)
            if letter in "Kk":
                cells[KINGS + (letter == "k")] = rank * 8 + file
            file += 1
    cells[SIDE] = side == "b"
    cells[CASTLING] = sum(1 << "KQkq".index(letter) for letter in castling if letter != "-")
    cells[EN_PASSANT] = NONE if en_passant == "-" else to_64(parse_square(en_passant))
    return cells


@kernel
def _square(rank: int, file: int) -> int:
    """Return the square, or NONE beyond an edge: the comparisons that the 0x88 board spares."""
    if rank < 0 or rank > 7 or file < 0 or file > 7:
        return NONE
    return rank * 8 + file


@kernel
def is_attacked(cells: Cells, square: int, by: int) -> bool:
    """Return whether a piece of the color `by` attacks a square: look outward from it along every step."""
    rank, file = square >> 3, square & 7
    for jump in range(8):
        start = _square(rank + JUMPS[jump, 0], file + JUMPS[jump, 1])
        if start != NONE and cells[start] == piece_of(by, KNIGHT):
            return True
    for direction in range(8):
        slider = ROOK if direction < 4 else BISHOP
        distance = 1
        while True:
            start = _square(rank + distance * STEPS[direction, 0], file + distance * STEPS[direction, 1])
            if start == NONE:
                break
            piece = cells[start]
            if piece != EMPTY:
                if piece == piece_of(by, slider) or piece == piece_of(by, QUEEN):
                    return True
                if distance == 1 and piece == piece_of(by, KING):
                    return True
                break
            distance += 1
    behind = rank - 1 if by == 0 else rank + 1
    for side in (-1, 1):
        start = _square(behind, file + side)
        if start != NONE and cells[start] == piece_of(by, PAWN):
            return True
    return False


@kernel
def generate(cells: Cells, moves: Cells) -> int:
    """Write the pseudo-legal moves; return their number."""
    side, count = cells[SIDE], 0
    for start in range(64):
        piece = cells[start]
        if piece == EMPTY or color_of(piece) != side:
            continue
        kind = type_of(piece)
        if kind == PAWN:
            count = _pawn_moves(cells, moves, count, start, side)
        elif kind == KNIGHT:
            count = _walk(cells, moves, count, start, JUMPS, 1)
        elif kind == BISHOP:
            count = _walk(cells, moves, count, start, STEPS[4:], 7)
        elif kind == ROOK:
            count = _walk(cells, moves, count, start, STEPS[:4], 7)
        else:
            count = _walk(cells, moves, count, start, STEPS, 7 if kind == QUEEN else 1)
    return _castling_moves(cells, moves, count, side)


@kernel
def _walk(cells: Cells, moves: Cells, count: int, start: int, steps: Cells, farthest: int) -> int:
    side, rank, file = cells[SIDE], start >> 3, start & 7
    for direction in range(len(steps)):
        for distance in range(1, farthest + 1):
            target = _square(rank + distance * steps[direction, 0], file + distance * steps[direction, 1])
            if target == NONE:
                break
            piece = cells[target]
            if piece == EMPTY or color_of(piece) != side:
                count = add(moves, count, start, target)
            if piece != EMPTY:
                break
    return count


@kernel
def _pawn_moves(cells: Cells, moves: Cells, count: int, start: int, side: int) -> int:
    rank, file = start >> 3, start & 7
    forward, first, last = (1, 1, 7) if side == 0 else (-1, 6, 0)
    promotes = rank + forward == last
    ahead = start + 8 * forward
    if cells[ahead] == EMPTY:
        count = add_pawn_move(moves, count, start, ahead, promotes)
        if rank == first and cells[ahead + 8 * forward] == EMPTY:
            count = add(moves, count, start, ahead + 8 * forward)
    for aside in (-1, 1):
        target = _square(rank + forward, file + aside)
        if target == NONE:
            continue
        piece = cells[target]
        if target == cells[EN_PASSANT] or (piece != EMPTY and color_of(piece) != side):
            count = add_pawn_move(moves, count, start, target, promotes)
    return count


@kernel
def _castling_moves(cells: Cells, moves: Cells, count: int, side: int) -> int:
    king, rights = 4 + 56 * side, cells[CASTLING] >> 2 * side
    short = rights & 1 and cells[king + 1] == EMPTY and cells[king + 2] == EMPTY
    long = rights & 2 and cells[king - 1] == EMPTY and cells[king - 2] == EMPTY and cells[king - 3] == EMPTY
    if not (short or long) or is_attacked(cells, king, 1 - side):
        return count
    if short and not is_attacked(cells, king + 1, 1 - side):
        count = add(moves, count, king, king + 2)
    if long and not is_attacked(cells, king - 1, 1 - side):
        count = add(moves, count, king, king - 2)
    return count


@kernel
def make(cells: Cells, move: int, child: Cells) -> None:
    """Write the position after a move."""
    child[:] = cells
    start, target, side = start_of(move), target_of(move), cells[SIDE]
    piece = cells[start]
    kind = type_of(piece)
    child[start] = EMPTY
    child[target] = piece_of(side, promotion_of(move)) if promotion_of(move) else piece
    child[EN_PASSANT] = NONE
    if kind == KING:
        child[KINGS + side] = target
        if abs(target - start) == 2:
            rook = target + 1 if target > start else target - 2
            child[(start + target) // 2] = cells[rook]
            child[rook] = EMPTY
    elif kind == PAWN:
        if target == cells[EN_PASSANT]:
            child[target - 8 + 16 * side] = EMPTY
        elif abs(target - start) == 16:
            child[EN_PASSANT] = (start + target) // 2
    child[CASTLING] = cells[CASTLING] & ~(LOST_RIGHTS[start] | LOST_RIGHTS[target])
    child[SIDE] = 1 - side


@kernel
def may_stand(cells: Cells) -> bool:
    """Return whether the king of the side that has just moved is safe."""
    side = int64(cells[SIDE])
    return not is_attacked(cells, int64(cells[KINGS + 1 - side]), side)
