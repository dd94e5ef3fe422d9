"""Static exchange evaluation: what a capture wins if both sides go on capturing on its square, cheapest piece first.

Pieces that have captured are lifted off the squares (the lists keep them, an empty square attacks nothing), so x-ray
attackers behind them need no extra code. Pins are ignored. Source: chessprogramming wiki, "Static Exchange Evaluation".
"""

import numpy as np
from numpy.typing import NDArray

from engine88.board.attack_tables import ATTACK_MASK, ORIGIN, PAWN_STEP, PIECE_BIT
from engine88.board.attacks import path_is_clear
from engine88.board.defs import EAST, EMPTY, KING, NO_SQUARE, PAWN, WEST
from engine88.board.invariants import assert_lists
from engine88.board.moves import (
    CASTLING,
    EN_PASSANT,
    captured_square,
    from_square,
    promotion,
    to_square,
)
from engine88.board.record import Board
from engine88.board.squares import color_of, on_board, piece_of, type_of
from engine88.compiler.cache_folder import DEBUG
from engine88.compiler.jit import entry, inlined, int64, kernel, uint64

SEE_VALUE: NDArray[np.int64] = np.array([0, 100, 325, 325, 500, 975, 10000, 0], np.int64)
"""Centipawns by piece type, for exchanges; the king is beyond all sums. The order of captures has MVV_VALUE."""


@kernel
def least_valuable_attacker(board: Board, target: int, color: int) -> int:
    """Return the square of the least valuable piece of `color` that attacks `target`, or NO_SQUARE."""
    pawn = piece_of(color, PAWN)
    for aside in (WEST, EAST):  # a pawn is the cheapest, so no list needs to be read
        origin = target - int64(PAWN_STEP[uint64(color)]) + aside
        if on_board(origin) and int64(board.squares[uint64(origin)]) == pawn:
            return origin
    best = int64(NO_SQUARE)
    best_type = int64(KING + 1)
    for place in range(int64(board.list_sizes[uint64(color)])):
        origin = int64(board.pieces[uint64(color), uint64(place)])
        piece = int64(board.squares[uint64(origin)])
        if type_of(piece) >= best_type or ATTACK_MASK[uint64(target - origin + ORIGIN)] & PIECE_BIT[uint64(piece)] == 0:
            continue
        if path_is_clear(board, origin, target):
            best, best_type = origin, type_of(piece)
    return best


@inlined
def _lift(board: Board, square: int, lifted: int) -> int:
    """Take a piece off its square but not off its list; return how many pieces are lifted now."""
    board.scratch[2 * lifted] = square
    board.scratch[2 * lifted + 1] = board.squares[uint64(square)]
    board.squares[uint64(square)] = EMPTY
    return lifted + 1


@inlined
def _put_back(board: Board, lifted: int) -> None:
    for index in range(lifted):
        board.squares[uint64(board.scratch[2 * index])] = board.scratch[2 * index + 1]


@inlined
def _first_gain(board: Board, move: int) -> int:
    """Return what the move itself wins: the captured piece and the gain of a promotion."""
    if move & EN_PASSANT:
        return int64(SEE_VALUE[PAWN])
    gain = int64(SEE_VALUE[uint64(type_of(int64(board.squares[uint64(to_square(move))])))])
    promoted = promotion(move)
    return gain + int64(SEE_VALUE[uint64(promoted)] - SEE_VALUE[PAWN]) if promoted else gain


@inlined
def _arriving_value(board: Board, move: int) -> int:
    """Return the value of the piece that stands on the target after the move."""
    promoted = promotion(move)
    mover = int64(board.squares[uint64(from_square(move))])
    return int64(SEE_VALUE[uint64(promoted if promoted else type_of(mover))])


@inlined
def _lift_movers(board: Board, move: int) -> int:
    lifted = _lift(board, from_square(move), int64(0))
    if move & EN_PASSANT:
        lifted = _lift(board, captured_square(move), lifted)
    return lifted


@entry
def see_ge(board: Board, move: int, threshold: int) -> bool:
    """Return whether the exchange that `move` begins wins at least `threshold` centipawns; pins are ignored."""
    if move & CASTLING:
        return threshold <= 0
    balance = _first_gain(board, move) - threshold
    if balance < 0:
        return False
    balance -= _arriving_value(board, move)
    if balance >= 0:
        return True
    target = to_square(move)
    mover = color_of(int64(board.squares[uint64(from_square(move))]))
    side = mover
    lifted = _lift_movers(board, move)
    # `balance` is what the side that has just captured keeps above the threshold if its piece is lost next. The side
    # to capture gives up when it has no attacker left, or when even losing its capturer leaves the other side behind.
    while True:
        side = 1 - side
        attacker = least_valuable_attacker(board, target, side)
        if attacker == NO_SQUARE:
            break
        piece_type = type_of(int64(board.squares[uint64(attacker)]))
        lifted = _lift(board, attacker, lifted)
        balance = -balance - 1 - int64(SEE_VALUE[uint64(piece_type)])
        if balance >= 0:
            if piece_type == KING and least_valuable_attacker(board, target, 1 - side) != NO_SQUARE:
                side = 1 - side  # the king may not capture into an attack
            side = 1 - side
            break
    _put_back(board, lifted)
    if DEBUG:
        assert_lists(board)
    return side != mover
