"""Positions as pictures."""

from __future__ import annotations

import chess
import pytest

from bot.dashboard.board_picture import board_svg


def test_the_last_move_is_marked() -> None:
    assert "lastmove" in board_svg(chess.STARTING_FEN, "e2e4", True)
    assert "lastmove" not in board_svg(chess.STARTING_FEN, "", True)
    assert "lastmove" not in board_svg(chess.STARTING_FEN, "P@e4", True)


def test_pockets_and_promoted_pieces_do_not_disturb() -> None:
    assert board_svg("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNQ~[QPp] w KQkq - 0 1", "", False).startswith("<svg")


def test_what_is_no_position_is_an_error() -> None:
    with pytest.raises(ValueError, match="expected"):
        board_svg("nonsense", "", True)


def test_a_side_sees_the_board_from_its_own_end() -> None:
    assert board_svg(chess.STARTING_FEN, "", True) != board_svg(chess.STARTING_FEN, "", False)


def test_a_position_is_drawn_once_however_many_look_at_it() -> None:
    assert board_svg(chess.STARTING_FEN, "d2d4", True) is board_svg(chess.STARTING_FEN, "d2d4", True)
