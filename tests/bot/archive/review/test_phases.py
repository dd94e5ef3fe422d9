"""The phases of a game."""

from __future__ import annotations

import chess
import pytest

from bot.archive.review.phases import phase_of


@pytest.mark.parametrize(
    ("fen", "ply", "phase"),
    [
        (chess.STARTING_FEN, 1, "opening"),
        (chess.STARTING_FEN, 20, "opening"),
        (chess.STARTING_FEN, 21, "middlegame"),
        ("r2q1rk1/8/8/8/8/8/8/R2QKB1R w - - 0 1", 12, "middlegame"),
        ("r3k2r/8/8/8/8/8/8/R2QKB2 w - - 0 1", 12, "endgame"),
        ("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", 3, "endgame"),
    ],
)
def test_phases(fen: str, ply: int, phase: str) -> None:
    board = chess.Board(fen)
    assert phase_of(board, ply) == phase
