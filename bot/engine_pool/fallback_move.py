"""The last resort where no engine gives a move: any legal move, the best by a look at material one ply ahead. Pure."""

from __future__ import annotations

import chess

VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
MATE = 1000


def fallback_move(board: chess.Board) -> chess.Move | None:
    """A legal move, None where there is none: mate if it can be given, else the most material kept or won."""
    return max(board.legal_moves, key=lambda move: _gain(board, move), default=None)


def _gain(board: chess.Board, move: chess.Move) -> int:
    """Material won by the move in pawns, less what the opponent's best capture then takes."""
    gain = _captured(board, move) + (VALUES[move.promotion] - 1 if move.promotion else 0)
    board = board.copy(stack=False)
    board.push(move)
    if board.is_checkmate():
        return MATE
    return gain - max([0, *(_net_capture(board, reply) for reply in board.generate_legal_captures())])


def _net_capture(board: chess.Board, move: chess.Move) -> int:
    """What a capture wins, less the capturing piece where it can be taken back."""
    won = _captured(board, move)
    attacker = board.piece_type_at(move.from_square)
    return won - VALUES[attacker] if attacker and board.is_attacked_by(not board.turn, move.to_square) else won


def _captured(board: chess.Board, move: chess.Move) -> int:
    if board.is_en_passant(move):
        return VALUES[chess.PAWN]
    piece = board.piece_type_at(move.to_square)
    return VALUES[piece] if piece and board.is_capture(move) else 0
