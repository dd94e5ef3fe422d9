"""Debug assertions of what holds before and after every move; compiled only under ENGINE88_DEBUG=1.

Callers write `if DEBUG: assert_position(board)`: without the flag Numba drops the branch, so the checks cost nothing.
"""

import numpy as np

from engine88.board.attacks import is_attacked
from engine88.board.defs import EMPTY, KING, NO_SQUARE, PAWN, ROOK
from engine88.board.moves import EN_PASSANT_XOR
from engine88.board.record import BACK_POINTER_OFFSET, LIST_LENGTH, STACK_LENGTH, Board, king_square
from engine88.board.squares import color_of, on_board, piece_of, rank_of, type_of
from engine88.board.zobrist import CASTLING_KEYS, EN_PASSANT_KEYS, PIECE_KEYS, SIDE_KEY
from engine88.compiler.jit import assertion, int64


@assertion
def assert_lists(board: Board) -> None:
    """Raise AssertionError unless piece lists, back-pointers and counts agree with the squares."""
    for color in range(2):
        assert 1 <= board.list_sizes[color] <= LIST_LENGTH, "a list is empty or too long"
    on_squares = int64(0)
    for square in range(128):
        if on_board(square) and board.squares[square] != EMPTY:
            on_squares += 1
    assert on_squares == int64(board.list_sizes[0]) + int64(board.list_sizes[1]), "a piece is not in its list"
    counted = int64(0)
    for color in range(2):
        assert int64(board.squares[king_square(board, color)]) == piece_of(color, KING), "the king is not entry 0"
        for place in range(int64(board.list_sizes[color])):
            square = int64(board.pieces[color, place])
            piece = int64(board.squares[square])
            assert piece != EMPTY, "a list names an empty square"
            assert color_of(piece) == color, "a list names a piece of the other side"
            assert int64(board.squares[square + BACK_POINTER_OFFSET]) == place, "a back-pointer is wrong"
            assert type_of(piece) != PAWN or 0 < rank_of(square) < 7, "a pawn on the first or last rank"
        for piece_type in range(PAWN, KING + 1):
            counted += int64(board.counts[piece_of(color, piece_type)])
    assert counted == on_squares, "the counts do not add up to the pieces"


@assertion
def assert_keys(board: Board) -> None:
    """Raise AssertionError unless every key equals the key computed from scratch."""
    pawn_key = np.uint64(0)
    for color in range(2):
        non_pawn_key = np.uint64(0)
        for place in range(int64(board.list_sizes[color])):
            square = int64(board.pieces[color, place])
            piece = int64(board.squares[square])
            if type_of(piece) == PAWN:
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


@assertion
def assert_castling(board: Board) -> None:
    """Raise AssertionError unless king and rook of every castling right stand where castling can begin."""
    for wing in range(4):
        if int64(board.castling_rights) >> wing & 1 == 0:
            continue
        color, rook = wing >> 1, int64(board.castling_rooks[wing])
        king = king_square(board, color)
        assert rank_of(king) == 7 * color, "a castling right of a king that has left its rank"
        assert int64(board.squares[rook]) == piece_of(color, ROOK), "a castling right without its rook"
        assert rank_of(rook) == rank_of(king), "a castling rook on another rank than its king"
        assert (rook < king) == (wing & 1 == 1), "a castling rook on the wrong side of its king"
        assert int64(board.castling_masks[king]) >> wing & 1 == 0, "a king's move would keep a castling right"
        assert int64(board.castling_masks[rook]) >> wing & 1 == 0, "a rook's move would keep a castling right"


@assertion
def assert_en_passant(board: Board) -> None:
    """Raise AssertionError unless a pawn of the other side has just passed the en-passant square."""
    target, side = int64(board.en_passant), int64(board.side)
    if target == NO_SQUARE:
        return
    assert rank_of(target) == (2 if side else 5), "the en-passant square is on a wrong rank"
    assert board.squares[target] == EMPTY, "the en-passant square is occupied"
    assert int64(board.squares[target ^ EN_PASSANT_XOR]) == piece_of(1 - side, PAWN), "nothing to capture en passant"


@assertion
def assert_position(board: Board) -> None:
    """Raise AssertionError unless all parts of the record agree and the king that may be captured is safe."""
    assert board.side <= 1, "the side to move is neither White nor Black"
    assert board.stack_size < STACK_LENGTH, "the undo stack is full"
    assert_lists(board)
    assert_keys(board)
    assert_castling(board)
    assert_en_passant(board)
    side = int64(board.side)
    assert not is_attacked(board, king_square(board, 1 - side), side), "the side that has just moved is in check"
