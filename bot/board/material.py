"""What a board shows beside its pieces: captured material, the last move, check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import chess
import chess.variant

Material = dict[str, str | int]

WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
ORDER = (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN)
#: Counting captured pieces is meaningless here: they return, or losing them is the aim.
WITHOUT = (chess.variant.CrazyhouseBoard, chess.variant.AntichessBoard)


def materials(board: chess.Board) -> list[Material | None]:
    """Return the captured pieces after each half-move of a game, the start first; `board` is its last position.

    Each entry has the letters of the pieces that "white" and "black" captured, the most valuable first, and White's
    "lead" in pawns. It is None where pieces return or are to be lost. In atomic chess a piece lost in its own explosion
    counts for the opponent.
    """
    if isinstance(board, WITHOUT):
        return [None] * (len(board.move_stack) + 1)
    return list(_materials(board))


def _materials(board: chess.Board) -> Iterator[Material]:
    taken: dict[chess.Color, Counter[chess.PieceType]] = {chess.WHITE: Counter(), chess.BLACK: Counter()}
    replay = board.root()
    counts = _counts(replay)
    shown = _shown(taken, counts)
    yield shown
    for move in board.move_stack:
        is_capture = replay.is_capture(move)
        replay.push(move)
        if is_capture or move.promotion is not None:
            before, counts = counts, _counts(replay)
            lost = before - counts
            if move.promotion is not None:  # a pawn that promoted was not captured
                lost[not replay.turn, chess.PAWN] -= 1
            for (color, piece_type), number in lost.items():
                taken[not color][piece_type] += number
            shown = _shown(taken, counts)
        yield shown


def _shown(taken: dict[chess.Color, Counter[chess.PieceType]], counts: Counter[tuple[chess.Color, int]]) -> Material:
    lead = sum(WORTH[kind] * number * (1 if color else -1) for (color, kind), number in counts.items())
    white, black = ("".join(chess.piece_symbol(kind) * taken[color][kind] for kind in ORDER) for color in (True, False))
    return {"white": white, "black": black, "lead": lead}


def _counts(board: chess.Board) -> Counter[tuple[chess.Color, chess.PieceType]]:
    return Counter(
        {(color, kind): len(board.pieces(kind, color)) for color in chess.COLORS for kind in chess.PIECE_TYPES}
    )


def last_squares(board: chess.Board) -> list[str]:
    """Return the squares of the last move: two, one after a drop, none at the start."""
    if not board.move_stack:
        return []
    move = board.peek()
    squares = [move.to_square] if move.drop else [move.from_square, move.to_square]
    return [chess.square_name(square) for square in squares]


def checked_king(board: chess.Board) -> str | None:
    """Return the square of the king in check."""
    king = board.king(board.turn)
    return chess.square_name(king) if king is not None and board.is_check() else None
