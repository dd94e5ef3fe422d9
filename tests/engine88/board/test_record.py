"""The record: pieces come and go, and `restore_piece` undoes `remove_piece` exactly."""

from __future__ import annotations

from engine88.board.defs import EMPTY, KING, NO_SQUARE, PAWN, WHITE
from engine88.board.record import LIST_LENGTH, SHADOW, copy_board, new_board, put_piece, remove_piece, restore_piece
from engine88.board.squares import SQUARES, piece_of
from engine88.rules.position import Position


def test_a_new_board_is_empty() -> None:
    board = new_board()
    assert not board.squares.any()
    assert not board.list_sizes.any()
    assert board.en_passant == NO_SQUARE
    assert board.side == WHITE


def test_put_and_remove() -> None:
    board = new_board()
    put_piece(board, 0x04, piece_of(WHITE, KING))
    put_piece(board, 0x10, piece_of(WHITE, PAWN))
    assert list(board.pieces[WHITE, :2]) == [0x04, 0x10]
    assert int(board.squares[0x10 + SHADOW]) == 1
    assert remove_piece(board, 0x10) == 1
    assert board.squares[0x10] == EMPTY
    assert int(board.list_sizes[WHITE]) == 1
    assert int(board.counts[piece_of(WHITE, PAWN)]) == 0


def test_restore_undoes_remove_for_every_piece() -> None:
    board = copy_board(Position.start().board)
    before = board.tobytes()
    for square in SQUARES:
        piece = int(board.squares[square])
        if piece != EMPTY and piece & 7 != KING:
            place = remove_piece(board, square)
            assert board.tobytes() != before
            restore_piece(board, square, piece, place)
            assert board.tobytes() == before


def test_the_shadow_half_is_off_the_board() -> None:
    assert all((square + SHADOW) & 0x88 and square + SHADOW < 128 for square in SQUARES)
    assert LIST_LENGTH == 16


def test_a_copy_is_independent() -> None:
    board = Position.start().board
    copy = copy_board(board)
    assert copy.tobytes() == board.tobytes()
    copy.squares[0] = EMPTY
    assert board.squares[0] != EMPTY
