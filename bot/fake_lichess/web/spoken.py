"""Moves in words, for those who hear the page instead of seeing it."""

from __future__ import annotations

import chess


def last_move_in_words(board: chess.Board) -> str:
    """The last move, such as "knight takes on f 6, check"; empty before the first."""
    if not board.move_stack:
        return ""
    before = board.copy()
    move = before.pop()
    end = ", checkmate" if board.is_checkmate() else ", check" if board.is_check() else ""
    return _words(before, move) + end


def _square(square: chess.Square) -> str:
    """File and rank apart, so that "a 4" is not read as an article."""
    return f"{chess.FILE_NAMES[chess.square_file(square)]} {chess.square_rank(square) + 1}"


def _words(before: chess.Board, move: chess.Move) -> str:
    if move.drop:
        return f"{chess.piece_name(move.drop)} dropped on {_square(move.to_square)}"
    if before.is_castling(move):
        return f"castles {'kingside' if before.is_kingside_castling(move) else 'queenside'}"
    piece_type = before.piece_type_at(move.from_square) or chess.PAWN
    how = "takes on" if before.is_capture(move) else "to"
    words = f"{chess.piece_name(piece_type)} {how} {_square(move.to_square)}"
    if before.is_en_passant(move):
        words += " en passant"
    return words + (f", becomes a {chess.piece_name(move.promotion)}" if move.promotion else "")
