"""The end of games and the reasons for refused moves. Rules by python-chess, texts by Lichess."""

from __future__ import annotations

from typing import NamedTuple

import chess
import chess.variant

from ..errors import ApiError

FIFTY_MOVES = 100


class GameEnd(NamedTuple):
    """The end of a game: status name and winner (None for a draw)."""

    status: str
    winner: chess.Color | None


def position_outcome(board: chess.Board) -> GameEnd | None:
    """Return the end by the position itself, None while the game continues (scalachess `Position.status`).

    Draws without a claim: no mating material, fifty moves, fivefold repetition. A threefold repetition does not end
    the game here.
    """
    if board.is_variant_end():
        return GameEnd("draw", None) if board.is_variant_draw() else GameEnd("variantEnd", _variant_winner(board))
    if not any(board.generate_legal_moves()):
        return _without_moves(board)
    if _is_dead(board) or _fifty_moves(board) or board.is_repetition(5):
        return GameEnd("draw", None)
    return None


def _without_moves(board: chess.Board) -> GameEnd:
    """Mate, the win of the side that cannot move in antichess, or stalemate."""
    if board.is_check():
        return GameEnd("mate", not board.turn)
    winner = _variant_winner(board)
    return GameEnd("stalemate", None) if winner is None else GameEnd("variantEnd", winner)


def _is_dead(board: chess.Board) -> bool:
    """Return whether neither side can win; never in crazyhouse, where captured pieces return."""
    return not isinstance(board, chess.variant.CrazyhouseBoard) and board.is_insufficient_material()


def _fifty_moves(board: chess.Board) -> bool:
    """Return the fifty-move rule, which scalachess switches off in crazyhouse."""
    return not isinstance(board, chess.variant.CrazyhouseBoard) and board.halfmove_clock >= FIFTY_MOVES


def _variant_winner(board: chess.Board) -> chess.Color | None:
    if board.is_variant_win():
        return board.turn
    return not board.turn if board.is_variant_loss() else None


def flag_outcome(board: chess.Board, flagged: chess.Color) -> GameEnd:
    """Return the end by time: a draw if the other side could never mate."""
    winner = not flagged
    return GameEnd("outoftime", None if cannot_win(board, winner) else winner)


def cannot_win(board: chess.Board, color: chess.Color) -> bool:
    """Return whether a side lacks the material to mate."""
    return not isinstance(board, chess.variant.CrazyhouseBoard) and board.has_insufficient_material(color)


def parse_move(board: chess.Board, uci: str) -> chess.Move:
    """Return the legal move of a UCI string; castling is taken as king to rook and as the king's own step.

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
