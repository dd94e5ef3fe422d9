"""Premoves: where the pieces of the side that is not to move might go next."""

from __future__ import annotations

import chess
import chess.variant

LAST_RANKS = chess.BB_RANK_1 | chess.BB_RANK_8


def premove_targets(board: chess.Board) -> dict[str, list[str]]:
    """Return from square (or "P@" for a drop) to the squares that some reply of the opponent may open to the piece.

    Blockers are ignored, because they may move or be captured. Castling targets are the king's square and the rook.
    """
    mover = not board.turn
    found = {}
    for square in chess.scan_forward(board.occupied_co[mover]):
        piece_type = board.piece_type_at(square)
        if piece_type is not None:
            reach = _reach(board, square, chess.Piece(piece_type, mover)) & ~chess.BB_SQUARES[square]
            found[chess.square_name(square)] = [chess.square_name(target) for target in chess.scan_forward(reach)]
    return found | _drops(board, mover)


def _reach(board: chess.Board, square: chess.Square, piece: chess.Piece) -> chess.Bitboard:
    alone = chess.Board(None)
    alone.set_piece_at(square, piece)
    reach = alone.attacks_mask(square)
    if piece.piece_type == chess.PAWN:
        reach |= _steps(square, piece.color)
    elif piece.piece_type == chess.KING and square == board.king(piece.color):
        reach |= _castling(board, square, piece.color)
    return reach


def _steps(square: chess.Square, color: chess.Color) -> chess.Bitboard:
    forward = 8 if color == chess.WHITE else -8
    rank = chess.square_rank(square) if color == chess.WHITE else 7 - chess.square_rank(square)
    steps = range(1, 3 if rank <= 1 else 2)
    return sum(chess.BB_SQUARES[square + forward * step] for step in steps if 0 <= square + forward * step < 64)


def _castling(board: chess.Board, king: chess.Square, color: chess.Color) -> chess.Bitboard:
    rank = chess.square_rank(king)
    found = 0
    for rook in chess.scan_forward(board.castling_rights & chess.BB_RANKS[rank] & board.occupied_co[color]):
        found |= chess.BB_SQUARES[rook] | chess.BB_SQUARES[chess.square(6 if rook > king else 2, rank)]
    return found


def _drops(board: chess.Board, mover: chess.Color) -> dict[str, list[str]]:
    if not isinstance(board, chess.variant.CrazyhouseBoard):
        return {}
    found = {}
    for piece_type in range(chess.PAWN, chess.KING):
        if board.pockets[mover].count(piece_type):
            squares = chess.BB_ALL & ~LAST_RANKS if piece_type == chess.PAWN else chess.BB_ALL
            found[f"{chess.piece_symbol(piece_type).upper()}@"] = [
                chess.square_name(target) for target in chess.scan_forward(squares)
            ]
    return found
