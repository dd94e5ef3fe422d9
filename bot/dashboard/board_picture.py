"""A position as a picture, by python-chess."""

from __future__ import annotations

import functools

import chess
import chess.svg

COLORS = {
    "square light": "#e9e7dd",
    "square dark": "#7f96ab",
    "square light lastmove": "#f2e08a",
    "square dark lastmove": "#c9b458",
}


@functools.lru_cache(maxsize=256)
def board_svg(fen: str, last_uci: str, from_white: bool) -> str:
    """Return the position with the last move marked ("" for none); of the FEN only the pieces count.

    Raises ValueError for what is no position.
    """
    board = chess.Board(None)
    board.set_board_fen(fen.split()[0].split("[")[0].replace("~", ""))
    last = chess.Move.from_uci(last_uci) if last_uci and "@" not in last_uci else None
    orientation = chess.WHITE if from_white else chess.BLACK
    return chess.svg.board(board, coordinates=False, colors=COLORS, lastmove=last, orientation=orientation)
