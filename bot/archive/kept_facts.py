"""The opening of a kept game; of games kept before schema 4 the PGN knows it."""

from __future__ import annotations

import io

import chess.pgn

from bot.archive.kept_games import KeptGame
from bot.openings import opening_of_board
from bot.openings.lookup import MOST_PLIES

UNKNOWN_OPENING = "unknown"


def opening_family(game: KeptGame) -> str:
    """Return the name of the opening without its variations; for other games than standard chess their variant."""
    if game.record.variant != "standard":
        return game.record.variant
    name = game.record.opening or _opening_in(game.pgn)
    return name.partition(":")[0] or UNKNOWN_OPENING


def _opening_in(pgn: str) -> str:
    game = chess.pgn.read_game(io.StringIO(pgn)) if pgn else None
    if game is None:
        return ""
    board = game.board()
    for move in list(game.mainline_moves())[:MOST_PLIES]:
        board.push(move)
    opening = opening_of_board(board)
    return opening.name if opening else ""
