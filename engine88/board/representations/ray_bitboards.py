"""Pieces as sets of squares, 64 bits each, and sliding attacks from a table of rays.

    0, 1   the pieces of White and of Black        2..7   pawns, knights, bishops, rooks, queens, kings of both
    8      the side to move (bit 0), castling rights (bits 1 to 4), the en-passant square (bits 8 to 14, 64 for none)

A ray holds the squares from one square to the edge. The nearest piece on it is its lowest set bit where squares
increase along the ray, its highest where they decrease; what lies behind that piece is that piece's own ray.
"""

from typing import Any

import numpy as np

from engine88.board.defs import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from engine88.board.representations import array_64
from engine88.board.representations.array_64 import JUMPS, LOST_RIGHTS, STEPS
from engine88.board.representations.counting import Cells, add, add_pawn_move, promotion_of, start_of, target_of
from engine88.board.squares import color_of, type_of
from engine88.compiler.jit import int64, kernel

STATE, LENGTH = 8, 9
_NO_SQUARE = 64
_u64: Any = np.uint64
_ONE = _u64(1)

_DE_BRUIJN = 0x03F79D71B4CB0A89
"""All six-bit numbers occur once among its windows (Leiserson, Prokop and Randall, 1998)."""
_INDEX = np.zeros(64, np.int64)
_INDEX[[((_DE_BRUIJN << bit) & (2**64 - 1)) >> 58 for bit in range(64)]] = range(64)


def _set_of(square: int, steps: Cells, farthest: int) -> int:
    """Return the squares reached from one square, up to so many steps in each direction."""
    found = 0
    for rank_step, file_step in steps.tolist():
        for distance in range(1, farthest + 1):
            rank, file = (square >> 3) + distance * rank_step, (square & 7) + distance * file_step
            if 0 <= rank < 8 and 0 <= file < 8:
                found |= 1 << rank * 8 + file
    return found


def _table(steps: Cells, farthest: int = 1) -> Cells:
    return np.array([_set_of(square, steps, farthest) for square in range(64)], np.uint64)


_INCREASES = STEPS @ (8, 1) > 0
_RAYS = np.array([_table(STEPS[[direction]], 7) for direction in range(8)])
_KING = _table(STEPS)
_KNIGHT = _table(JUMPS)
_PAWN = np.array([_table(STEPS[4:6]), _table(STEPS[6:])])


def from_fen(fen: str) -> Cells:
    """Return the position of a FEN that is known to be good."""
    board = array_64.from_fen(fen)
    sets = np.zeros(LENGTH, np.uint64)
    for square in range(64):
        if board[square]:
            sets[color_of(int(board[square]))] |= _u64(1 << square)
            sets[1 + type_of(int(board[square]))] |= _u64(1 << square)
    en_passant = int(board[array_64.EN_PASSANT])
    square = _NO_SQUARE if en_passant == array_64.NONE else en_passant
    sets[STATE] = int(board[array_64.SIDE]) | int(board[array_64.CASTLING]) << 1 | square << 8
    return sets


@kernel
def bit(square: int) -> Any:
    """Return the set of one square."""
    return _ONE << _u64(square)


@kernel
def lowest(squares: Any) -> int:
    """Return the lowest square of a set that is not empty."""
    return int64(_INDEX[((squares & (~squares + _ONE)) * _u64(_DE_BRUIJN)) >> _u64(58)])


@kernel
def highest(squares: Any) -> int:
    """Return the highest square of a set that is not empty: fill all bits below it, and keep the top one."""
    for shift in (1, 2, 4, 8, 16, 32):
        squares |= squares >> _u64(shift)
    return lowest(squares ^ (squares >> _ONE))


@kernel
def sliding_attacks(square: int, first: int, last: int, occupied: Any) -> Any:
    """Return what a slider sees in the directions from `first` to `last` - 1, the first piece of each included."""
    seen = _u64(0)
    for direction in range(first, last):
        ray = _RAYS[direction, square]
        blockers = ray & occupied
        if blockers:
            nearest = lowest(blockers) if _INCREASES[direction] else highest(blockers)
            ray ^= _RAYS[direction, nearest]
        seen |= ray
    return seen


@kernel
def is_attacked(sets: Cells, square: int, by: int) -> bool:
    """Return whether a piece of the color `by` attacks a square: what would see it sees them."""
    theirs, occupied = sets[by], sets[0] | sets[1]
    if _KNIGHT[square] & theirs & sets[1 + KNIGHT] or _KING[square] & theirs & sets[1 + KING]:
        return True
    if _PAWN[1 - by, square] & theirs & sets[1 + PAWN]:
        return True
    lines, diagonals = theirs & (sets[1 + ROOK] | sets[1 + QUEEN]), theirs & (sets[1 + BISHOP] | sets[1 + QUEEN])
    if lines & sliding_attacks(square, 0, 4, occupied):
        return True
    return bool(diagonals & sliding_attacks(square, 4, 8, occupied))


@kernel
def _side(sets: Cells) -> int:
    return int64(sets[STATE] & _ONE)


@kernel
def generate(sets: Cells, moves: Cells) -> int:
    """Write the pseudo-legal moves; return their number."""
    side, count = _side(sets), 0
    own, occupied = sets[side], sets[0] | sets[1]
    for kind in range(KNIGHT, KING + 1):
        pieces = own & sets[1 + kind]
        while pieces:
            start = lowest(pieces)
            pieces &= pieces - _ONE
            if kind == KNIGHT:
                targets = _KNIGHT[start]
            elif kind == KING:
                targets = _KING[start]
            else:
                targets = sliding_attacks(start, 4 if kind == BISHOP else 0, 4 if kind == ROOK else 8, occupied)
            targets &= ~own
            while targets:
                count = add(moves, count, start, lowest(targets))
                targets &= targets - _ONE
    count = _pawn_moves(sets, moves, count, side)
    return _castling_moves(sets, moves, count, side)


@kernel
def _pawn_moves(sets: Cells, moves: Cells, count: int, side: int) -> int:
    occupied, enemies = sets[0] | sets[1], sets[1 - side]
    en_passant = int64(sets[STATE] >> _u64(8))
    if en_passant != _NO_SQUARE:
        enemies |= bit(en_passant)
    pawns = sets[side] & sets[1 + PAWN]
    forward, first, last = (8, 1, 7) if side == 0 else (-8, 6, 0)
    while pawns:
        start = lowest(pawns)
        pawns &= pawns - _ONE
        ahead = start + forward
        promotes = ahead >> 3 == last
        if not occupied & bit(ahead):
            count = add_pawn_move(moves, count, start, ahead, promotes)
            if start >> 3 == first and not occupied & bit(ahead + forward):
                count = add(moves, count, start, ahead + forward)
        targets = _PAWN[side, start] & enemies
        while targets:
            count = add_pawn_move(moves, count, start, lowest(targets), promotes)
            targets &= targets - _ONE
    return count


@kernel
def _castling_moves(sets: Cells, moves: Cells, count: int, side: int) -> int:
    king, occupied = 4 + 56 * side, sets[0] | sets[1]
    rights = int64(sets[STATE] >> _u64(1 + 2 * side)) & 3
    short = rights & 1 and not occupied & (_u64(0x60) << _u64(56 * side))
    long = rights & 2 and not occupied & (_u64(0x0E) << _u64(56 * side))
    if not (short or long) or is_attacked(sets, king, 1 - side):
        return count
    if short and not is_attacked(sets, king + 1, 1 - side):
        count = add(moves, count, king, king + 2)
    if long and not is_attacked(sets, king - 1, 1 - side):
        count = add(moves, count, king, king - 2)
    return count


@kernel
def _type_at(sets: Cells, square: int) -> int:
    for kind in range(PAWN, KING + 1):
        if sets[1 + kind] & bit(square):
            return kind
    return 0


@kernel
def _toggle(sets: Cells, square: int, color: int, kind: int) -> None:
    sets[color] ^= bit(square)
    sets[1 + kind] ^= bit(square)


@kernel
def make(sets: Cells, move: int, child: Cells) -> None:
    """Write the position after a move."""
    child[:] = sets
    start, target, side = start_of(move), target_of(move), _side(sets)
    kind, en_passant = _type_at(sets, start), _NO_SQUARE
    captured = _type_at(sets, target) if sets[1 - side] & bit(target) else 0
    if captured:
        _toggle(child, target, 1 - side, captured)
    _toggle(child, start, side, kind)
    _toggle(child, target, side, promotion_of(move) if promotion_of(move) else kind)
    if kind == KING and abs(target - start) == 2:
        _toggle(child, target + 1 if target > start else target - 2, side, ROOK)
        _toggle(child, (start + target) // 2, side, ROOK)
    elif kind == PAWN:
        if target == int64(sets[STATE] >> _u64(8)):
            _toggle(child, target - 8 + 16 * side, 1 - side, PAWN)
        elif abs(target - start) == 16:
            en_passant = (start + target) // 2
    lost = LOST_RIGHTS[start] | LOST_RIGHTS[target]
    rights = int64(sets[STATE] >> _ONE) & 15 & ~lost
    child[STATE] = _u64(1 - side | rights << 1 | en_passant << 8)


@kernel
def may_stand(sets: Cells) -> bool:
    """Return whether the king of the side that has just moved is safe."""
    side = _side(sets)
    return not is_attacked(sets, lowest(sets[1 - side] & sets[1 + KING]), side)
