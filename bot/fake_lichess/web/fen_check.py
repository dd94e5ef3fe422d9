"""Checks whether a game can start from a FEN, with reasons in plain words."""

from __future__ import annotations

import random

import chess

from ..world.variants import find_variant, start_board

#: Problems of a position that python-chess reports, the most helpful first.
FAULTS = (
    (chess.STATUS_EMPTY, "the board is empty"),
    (chess.STATUS_NO_WHITE_KING, "White has no king"),
    (chess.STATUS_NO_BLACK_KING, "Black has no king"),
    (chess.STATUS_TOO_MANY_KINGS, "there are more than two kings"),
    (chess.STATUS_PAWNS_ON_BACKRANK, "a pawn is on the first or last rank"),
    (chess.STATUS_TOO_MANY_WHITE_PAWNS, "White has more than eight pawns"),
    (chess.STATUS_TOO_MANY_BLACK_PAWNS, "Black has more than eight pawns"),
    (chess.STATUS_TOO_MANY_WHITE_PIECES, "White has more than sixteen pieces"),
    (chess.STATUS_TOO_MANY_BLACK_PIECES, "Black has more than sixteen pieces"),
    (chess.STATUS_OPPOSITE_CHECK, "the side that is not to move is in check"),
    (chess.STATUS_BAD_CASTLING_RIGHTS, "castling is allowed although king or rook have moved"),
    (chess.STATUS_INVALID_EP_SQUARE, "no pawn can be captured en passant there"),
    (chess.STATUS_IMPOSSIBLE_CHECK, "the check is impossible"),
    (chess.STATUS_TOO_MANY_CHECKERS, "too many pieces give check"),
)


def fen_fault(variant_key: str, fen: str) -> str | None:
    """Return a sentence with the reason why no game can start from the FEN; None if one can."""
    variant = find_variant(variant_key)
    if variant is None:
        return f"There is no variant {variant_key[:40]!r}."
    if not fen.strip():
        return "Enter a position as FEN."
    try:
        board = variant.board_class(fen, chess960=variant_key == "chess960")
    except ValueError as error:
        return f"This is not a position: {str(error)[:160]}."
    try:
        start_board(variant, fen, random.Random(0))
    except ValueError:
        return f"No game can begin here: {_fault(board)}."
    return None


def _fault(board: chess.Board) -> str:
    status = board.status()
    found = [words for flag, words in FAULTS if status & flag]
    return found[0] if found else "the side to move has no move" if not status else "the position is impossible"
