"""Squares and names: proven on all of them."""

from __future__ import annotations

import chess
import pytest

from engine88.board import squares
from engine88.board.defs import BLACK, EMPTY, KING, NO_SQUARE, PAWN, WHITE, is_mate, mate_in, mated_in


def test_the_mask_is_zero_on_the_board_and_not_zero_off_it() -> None:
    for rank in range(-4, 12):
        for file in range(-4, 12):
            inside = 0 <= rank < 8 and 0 <= file < 8
            assert squares.on_board(rank * 16 + file) == inside


def test_rank_file_and_both_indices_agree_on_every_square() -> None:
    for index, square in enumerate(squares.SQUARES):
        assert square == squares.square(index // 8, index % 8)
        assert (squares.rank_of(square), squares.file_of(square)) == divmod(index, 8)
        assert squares.to_64(square) == index
        assert squares.from_64(index) == square


def test_names_agree_with_python_chess_both_ways() -> None:
    for index, square in enumerate(squares.SQUARES):
        assert squares.square_name(square) == chess.square_name(index)
        assert squares.parse_square(chess.square_name(index)) == square


@pytest.mark.parametrize("name", ["", "e", "e9", "i1", "e4e", "E4", "44"])
def test_no_square_has_that_name(name: str) -> None:
    with pytest.raises(ValueError, match="is not a square"):
        squares.parse_square(name)


@pytest.mark.parametrize("square", [-1, 8, 0x88, 128, NO_SQUARE])
def test_off_the_board_there_are_no_names(square: int) -> None:
    with pytest.raises(ValueError, match="not on the board"):
        squares.square_name(square)


def test_pieces_and_letters_both_ways() -> None:
    for color in (WHITE, BLACK):
        for piece_type in range(PAWN, KING + 1):
            piece = squares.piece_of(color, piece_type)
            letter = chess.Piece(piece_type, color == WHITE).symbol()
            assert squares.piece_letter(piece) == letter
            assert squares.parse_piece(letter) == piece


def test_an_empty_square_is_a_dot() -> None:
    assert (squares.piece_letter(EMPTY), squares.parse_piece(".")) == (".", EMPTY)


@pytest.mark.parametrize("piece", [7, 8, 15, -1, 16])
def test_what_is_no_piece_has_no_letter(piece: int) -> None:
    with pytest.raises(ValueError, match="not a piece code"):
        squares.piece_letter(piece)


@pytest.mark.parametrize("letter", ["", " ", "x", "PN", "1"])
def test_what_is_no_letter_is_no_piece(letter: str) -> None:
    with pytest.raises(ValueError, match="is not a piece"):
        squares.parse_piece(letter)


def test_mate_scores_count_plies() -> None:
    assert mate_in(3) == -mated_in(3)
    assert mate_in(1) > mate_in(3)
    assert is_mate(mate_in(100))
    assert is_mate(mated_in(100))
    assert not is_mate(20000)
