"""The packed move: every part comes out as it went in."""

from __future__ import annotations

from engine88.board import moves
from engine88.board.defs import KNIGHT, NO_MOVE, QUEEN
from engine88.board.squares import SQUARES


def test_parts_come_back_for_every_pair_of_squares() -> None:
    for origin in SQUARES:
        for target in SQUARES:
            move = moves.encode(origin, target, moves.CAPTURE | QUEEN << moves.PROMOTION_SHIFT)
            assert (moves.from_square(move), moves.to_square(move)) == (origin, target)
            assert moves.promotion(move) == QUEEN
            assert move >> moves.MOVE_BITS == 0


def test_kinds_of_moves() -> None:
    quiet = moves.encode(0x10, 0x20, 0)
    assert not moves.is_tactical(quiet)
    assert moves.is_tactical(quiet | moves.CAPTURE)
    assert moves.is_tactical(quiet | KNIGHT << moves.PROMOTION_SHIFT)
    assert moves.is_castling(quiet | moves.CASTLING)
    assert moves.promotion(NO_MOVE) == 0


def test_flags_do_not_overlap() -> None:
    parts = [moves.SQUARE_MASK, moves.SQUARE_MASK << moves.TO_SHIFT, moves.PROMOTIONS]
    parts += [moves.EN_PASSANT, moves.DOUBLE_PUSH, moves.CASTLING, moves.CAPTURE]
    assert sum(parts) == (1 << moves.MOVE_BITS) - 1
