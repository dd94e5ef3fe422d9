"""Slow obvious twins: attacks, pins and exchanges told by python-chess's board alone, square by square."""

from __future__ import annotations

import chess

from engine88.board.squares import from_64, to_64
from engine88.rules.see import SEE_VALUE

VALUES = [int(value) for value in SEE_VALUE]


def attackers(board: chess.Board, square: int, color: int) -> set[int]:
    """0x88 squares of the pieces of `color` (WHITE 0, BLACK 1) that attack a 0x88 square."""
    return {from_64(index) for index in board.attackers(color == 0, to_64(square))}


def exchange(board: chess.Board, move: chess.Move) -> int:
    """Centipawns that `move` and the best captures on its square after it win; pins do not count."""
    if board.is_castling(move):
        return 0
    board = board.copy(stack=False)
    gain = VALUES[1] if board.is_en_passant(move) else VALUES[board.piece_type_at(move.to_square) or 0]
    if move.promotion:
        gain += VALUES[move.promotion] - VALUES[1]
    if board.is_en_passant(move):
        board.remove_piece_at(chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square)))
    piece = board.remove_piece_at(move.from_square)
    assert piece is not None
    board.set_piece_at(move.to_square, chess.Piece(move.promotion or piece.piece_type, piece.color))
    return gain - _best_reply(board, move.to_square, not piece.color)


def _best_reply(board: chess.Board, target: int, color: bool) -> int:
    """The most that `color` wins by capturing on `target` with its cheapest piece, or 0 by letting it be."""
    squares = board.attackers(color, target)
    if not squares:
        return 0
    cheapest = min(squares, key=lambda square: board.piece_type_at(square) or 0)
    piece = board.piece_at(cheapest)
    victim = board.piece_at(target)
    assert piece is not None
    assert victim is not None
    board = board.copy(stack=False)
    board.remove_piece_at(cheapest)
    board.set_piece_at(target, piece)
    if piece.piece_type == chess.KING and board.attackers(not color, target):
        return 0
    return max(0, VALUES[victim.piece_type] - _best_reply(board, target, not color))
