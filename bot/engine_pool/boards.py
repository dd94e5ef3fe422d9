"""A board for the engine, and the move that comes back."""

from __future__ import annotations

import contextlib

import chess


def quick_copy(board: chess.Board) -> chess.Board:
    """Copy the board with its moves, as `board.copy()` does, but share the move objects, which nobody changes.

    python-chess copies each move, which takes 0.1-0.3 ms after 80 plies in front of every search; this takes 2 us.
    """
    copy = board.copy(stack=False)
    copy.move_stack = board.move_stack[:]
    copy._stack = board._stack[:]
    return copy


def legal_bestmove(board: chess.Board, words: list[str]) -> tuple[chess.Move, chess.Move | None] | None:
    """Return the move and the predicted reply of `bestmove MOVE [ponder MOVE]`; None when the move is illegal."""
    try:
        move = board.parse_uci(words[1].lower())
    except (IndexError, ValueError):
        return None
    if not move:
        return None
    reply = None
    if len(words) > 3 and words[2] == "ponder":
        with contextlib.suppress(ValueError):
            reply = chess.Move.from_uci(words[3].lower())
    return move, reply
