"""When a game is over, and what a refused move is told: python-chess is the judge, the words are the server's."""

from __future__ import annotations

from typing import NamedTuple

import chess

from bot.fake_lichess.errors import ApiError

FIFTY_MOVES = 100


class Verdict(NamedTuple):
    """How a game ended: the status name, and the winner (None for a draw)."""

    status: str
    winner: chess.Color | None


def verdict(board: chess.Board) -> Verdict | None:
    """The end that the position itself makes, None while the game goes on.

    Draws that end a game unasked: no mating material, fifty moves, fivefold repetition. A threefold one does not.
    """
    if board.is_variant_end():
        return Verdict("variantEnd", _variant_winner(board))
    if not any(board.generate_legal_moves()):
        return Verdict("mate", not board.turn) if board.is_check() else Verdict("stalemate", None)
    if board.is_insufficient_material() or board.halfmove_clock >= FIFTY_MOVES or board.is_repetition(5):
        return Verdict("draw", None)
    return None


def _variant_winner(board: chess.Board) -> chess.Color | None:
    if board.is_variant_win():
        return board.turn
    return not board.turn if board.is_variant_loss() else None


def flag_verdict(board: chess.Board, flagged: chess.Color) -> Verdict:
    """The end by time: a draw when the other side could never mate."""
    winner = not flagged
    return Verdict("outoftime", None if board.has_insufficient_material(winner) else winner)


def parse_move(board: chess.Board, uci: str) -> chess.Move:
    """The legal move of a UCI string; castling is taken as king to rook and as the king's own step.

    Raises ApiError 400 with the server's reason.
    """
    try:
        move = chess.Move.from_uci(uci)
    except ValueError as error:
        raise ApiError(400, f"Invalid UCI: {uci[:20]}") from error
    try:
        legal = board.parse_uci(uci)
    except ValueError as error:
        raise ApiError(400, _why_not(board, move)) from error
    if not legal:
        raise ApiError(400, f"Invalid UCI: {uci[:20]}")
    return legal


def _why_not(board: chess.Board, move: chess.Move) -> str:
    to_name = chess.square_name(move.to_square)
    if move.drop is not None:
        return f"Cannot drop {chess.piece_name(move.drop)} on {to_name}"
    from_name = chess.square_name(move.from_square)
    piece = board.piece_at(move.from_square)
    if piece is None:
        return f"No piece on {from_name}"
    if piece.color != board.turn:
        return f"Not my piece on {from_name}"
    return f"Piece on {from_name} cannot move to {to_name}"
