"""Pictures by python-chess: the empty board, the pieces, small boards for the lobby, the icon."""

from __future__ import annotations

import functools

import chess
import chess.svg

COLORS = {
    "square light": "#e9e7dd",
    "square dark": "#7f96ab",
    "square light lastmove": "#f2e08a",
    "square dark lastmove": "#c9b458",
    "margin": "#00000000",
}
PIECES = {
    f"{color}{symbol}": chess.Piece.from_symbol(symbol if color == "w" else symbol.lower())
    for color in "wb"
    for symbol in "PNBRQK"
}


@functools.lru_cache(maxsize=1)
def empty_board() -> str:
    """The 64 squares, without pieces and margin."""
    return chess.svg.board(None, coordinates=False, colors=COLORS)


@functools.lru_cache(maxsize=16)
def piece(name: str) -> str | None:
    """A piece by colour and letter, such as "wN"; None when there is none of that name."""
    found = PIECES.get(name)
    return None if found is None else chess.svg.piece(found)


def icon() -> str:
    """The page's icon."""
    return chess.svg.piece(chess.Piece.from_symbol("N"))


def small_board(fen: str, last_move: str, flipped: bool) -> str:
    """A position as one picture; raises ValueError for an unreadable FEN."""
    board = chess.Board(None)
    board.set_board_fen(fen.split()[0].split("[")[0].replace("~", "") if fen.strip() else "")
    try:
        move = chess.Move.from_uci(last_move) if last_move else None
    except ValueError:
        move = None
    orientation = chess.BLACK if flipped else chess.WHITE
    return chess.svg.board(board, coordinates=False, colors=COLORS, lastmove=move, orientation=orientation)
