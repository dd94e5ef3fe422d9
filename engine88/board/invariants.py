"""Debug assertions of what must hold before and after every move; compiled only under ENGINE88_DEBUG=1.

Callers write `if DEBUG: assert_keys(board)`: without the flag Numba drops the branch, so the checks cost nothing.
"""

import numpy as np

from engine88.board.defs import EMPTY, KING, OFF_BOARD, PAWN
from engine88.board.record import BACK_POINTER_OFFSET, Board
from engine88.board.zobrist import CASTLING_KEYS, EN_PASSANT_KEYS, PIECE_KEYS, SIDE_KEY
from engine88.compiler.jit import int64, kernel


@kernel
def assert_lists(board: Board) -> None:
    """Raise AssertionError unless piece lists, back-pointers and counts agree with the squares."""
    on_squares = int64(0)
    for square in range(128):
        if square & OFF_BOARD == 0 and board.squares[square] != EMPTY:
            on_squares += 1
    assert on_squares == int64(board.list_sizes[0]) + int64(board.list_sizes[1]), "a piece is not in its list"
    counted = int64(0)
    for color in range(2):
        assert int64(board.squares[int64(board.pieces[color, 0])]) == color << 3 | KING, "the king is not entry 0"
        for place in range(int64(board.list_sizes[color])):
            square = int64(board.pieces[color, place])
            piece = int64(board.squares[square])
            assert piece != EMPTY, "a list names an empty square"
            assert piece >> 3 == color, "a list names a piece of the other side"
            assert int64(board.squares[square + BACK_POINTER_OFFSET]) == place, "a back-pointer is wrong"
        for piece_type in range(PAWN, KING + 1):
            counted += int64(board.counts[color << 3 | piece_type])
    assert counted == on_squares, "the counts do not add up to the pieces"


@kernel
def assert_keys(board: Board) -> None:
    """Raise AssertionError unless the lists are sound and every key equals the key computed from scratch."""
    assert_lists(board)
    pawn_key = np.uint64(0)
    for color in range(2):
        non_pawn_key = np.uint64(0)
        for place in range(int64(board.list_sizes[color])):
            square = int64(board.pieces[color, place])
            piece = int64(board.squares[square])
            if piece & 7 == PAWN:
                pawn_key ^= PIECE_KEYS[piece, square]
            else:
                non_pawn_key ^= PIECE_KEYS[piece, square]
        assert non_pawn_key == board.non_pawn_key[color], "a key of the pieces differs from scratch"
    assert pawn_key == board.pawn_key, "the pawn key differs from scratch"
    key = pawn_key ^ board.non_pawn_key[0] ^ board.non_pawn_key[1]
    key ^= CASTLING_KEYS[int64(board.castling_rights)] ^ EN_PASSANT_KEYS[int64(board.en_passant)]
    if board.side:
        key ^= SIDE_KEY
    assert key == board.key, "the key differs from scratch"
