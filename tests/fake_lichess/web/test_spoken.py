"""Moves in words."""

from __future__ import annotations

import chess
import chess.variant
import pytest

from bot.fake_lichess.web.position import last_move_in_words


@pytest.mark.parametrize(
    ("fen", "uci", "words"),
    [
        (chess.STARTING_FEN, "g1f3", "knight to f 3"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "pawn takes on d 5"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "pawn takes on d 6 en passant"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "pawn to a 8, becomes a queen, check"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "castles kingside"),
        ("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8", "castles queenside"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "rook to a 8, checkmate"),
    ],
)
def test_a_move_in_words(fen: str, uci: str, words: str) -> None:
    board = chess.Board(fen)
    board.push_uci(uci)
    assert last_move_in_words(board) == words


def test_before_the_first_move_there_is_nothing_to_say() -> None:
    assert last_move_in_words(chess.Board()) == ""


def test_a_drop() -> None:
    board = chess.variant.CrazyhouseBoard()
    for uci in ("e2e4", "d7d5", "e4d5", "d8d5", "P@e4"):
        board.push_uci(uci)
    assert last_move_in_words(board) == "pawn dropped on e 4"
