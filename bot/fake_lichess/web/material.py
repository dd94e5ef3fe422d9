"""What each side has taken, and who is ahead by the usual count."""

from __future__ import annotations

from collections import Counter

import chess
import chess.variant

from bot.fake_lichess.world.json_objects import Json

WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
ORDER = (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN)
#: Where pieces taken come back, or are to be lost, counting them says nothing.
WITHOUT = (chess.variant.CrazyhouseBoard, chess.variant.AntichessBoard)


def material(board: chess.Board) -> Json | None:
    """Letters of the pieces that each side has taken, the dearest first, and White's lead in pawns; None if pointless.

    In atomic chess a piece that its own explosion took counts for the opponent.
    """
    if isinstance(board, WITHOUT):
        return None
    taken: dict[chess.Color, Counter[chess.PieceType]] = {chess.WHITE: Counter(), chess.BLACK: Counter()}
    replay = board.root()
    for move in board.move_stack:
        if not replay.is_capture(move):
            replay.push(move)
            continue
        before = _counts(replay)
        replay.push(move)
        after = _counts(replay)
        if move.promotion is not None:  # the pawn was not taken, it became something
            color = not replay.turn
            after[color, chess.PAWN] += 1
            after[color, move.promotion] -= 1
        for (color, piece_type), lost in (before - after).items():
            taken[not color][piece_type] += lost
    counts = _counts(board)
    lead = sum(WORTH[kind] * number * (1 if color else -1) for (color, kind), number in counts.items())
    return {"white": _letters(taken[chess.WHITE]), "black": _letters(taken[chess.BLACK]), "lead": lead}


def _counts(board: chess.Board) -> Counter[tuple[chess.Color, chess.PieceType]]:
    return Counter(
        {(color, kind): len(board.pieces(kind, color)) for color in chess.COLORS for kind in chess.PIECE_TYPES}
    )


def _letters(taken: Counter[chess.PieceType]) -> str:
    return "".join(chess.piece_symbol(kind) * taken[kind] for kind in ORDER)
