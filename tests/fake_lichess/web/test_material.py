"""Pieces taken and the count, by its traps."""

from __future__ import annotations

import chess
import chess.variant
import pytest

from bot.fake_lichess.web.position import material

PROMOTION = "e2e4 d7d5 e4d5 c7c6 d5c6 g8f6 c6b7 c8d7 b7a8q"


def after(moves: str, board: chess.Board) -> object:
    """The material after the moves."""
    for uci in moves.split():
        board.push_uci(uci)
    return material(board)


@pytest.mark.parametrize(
    ("moves", "white", "black", "lead"),
    [
        ("", "", "", 0),
        ("e2e4 d7d5 e4d5 d8d5 b1c3", "p", "p", 0),
        ("e2e4 a7a6 e4e5 d7d5 e5d6", "p", "", 1),  # in passing
        (PROMOTION, "rppp", "", 16),  # the pawn has become a queen, nobody took it
        (f"{PROMOTION} d8a5 a8b8 d7c8 b8c8", "rbnppp", "", 22),
    ],
)
def test_what_is_taken(moves: str, white: str, black: str, lead: int) -> None:
    assert after(moves, chess.Board()) == {"white": white, "black": black, "lead": lead}


def test_an_explosion_takes_from_both() -> None:
    board = chess.variant.AtomicBoard("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    assert after("e4d5", board) == {"white": "p", "black": "p", "lead": 0}


def test_taken_pieces_that_come_back_are_not_counted() -> None:
    assert material(chess.variant.CrazyhouseBoard()) is None
    assert material(chess.variant.AntichessBoard()) is None
