"""The phases of a game."""

from __future__ import annotations

import chess

PHASES = ("opening", "middlegame", "endgame")
#: Half-moves that can belong to the opening.
OPENING_PLIES = 20
#: Queens, rooks, bishops and knights on the board: with more it may be the opening, with so many or fewer the endgame.
OPENING_PIECES = 10
ENDGAME_PIECES = 6


def phase_of(board: chess.Board, ply: int) -> str:
    """Return the phase in which the `ply`-th half-move of a game, counted from 1, is made from this position."""
    heavy_and_light = chess.popcount(board.occupied & ~(board.pawns | board.kings))
    if heavy_and_light <= ENDGAME_PIECES:
        return "endgame"
    return "opening" if ply <= OPENING_PLIES and heavy_and_light > OPENING_PIECES else "middlegame"
