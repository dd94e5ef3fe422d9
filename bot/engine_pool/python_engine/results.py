"""What `choose_move` may return, as one value: a move, a tuple with score and line, or a PlayResult."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import chess
import chess.engine

MATE_CP = 100_000


class BadResultError(Exception):
    """What came back cannot be played; the text says why."""


def as_result(value: Any, board: chess.Board) -> chess.engine.PlayResult:
    """Return the result with a legal move (none for a resignation). Raises BadResultError.

    Accepted: a chess.Move; "e2e4" or "Nf3"; (move, score) and (move, score, line) with the score in centipawns for the
    side to move; a chess.engine.PlayResult, whose `info` may hold "score", "depth", "nodes" and "pv".
    """
    if isinstance(value, chess.engine.PlayResult):
        if value.move is None and value.resigned:
            return value
        value.move = _legal(value.move, board)
        return value
    score, line = None, ()
    if isinstance(value, tuple) and 2 <= len(value) <= 3:
        value, score, line = (*value, ()) if len(value) == 2 else value
    info: Any = {} if score is None else {"score": score}
    if line:
        info["pv"] = list(line)
    return chess.engine.PlayResult(_legal(value, board), None, info)


def _legal(value: Any, board: chess.Board) -> chess.Move:
    move = _move(value, board)
    if not board.is_legal(move):
        raise BadResultError(f"{move.uci()} is illegal: {why_illegal(board, move)}")
    return move


def _move(value: Any, board: chess.Board) -> chess.Move:
    if isinstance(value, chess.Move):
        return value
    if value is None:
        raise BadResultError("it returned None: is a `return` missing, or a case without one?")
    if isinstance(value, str):
        for read in (chess.Move.from_uci, board.parse_san):
            try:
                return read(value)
            except ValueError:
                continue
        raise BadResultError(f'it returned {value!r}, which is not a move such as "e2e4" or "Nf3"')
    raise BadResultError(f"it returned {_shown(value)}; return a chess.Move")


def _shown(value: Any) -> str:
    kind = type(value).__name__
    text = repr(value) if not isinstance(value, (list, dict, set)) else f"with {len(value)} entries"
    return f"a {kind} {text[:60]}"


def why_illegal(board: chess.Board, move: chess.Move) -> str:
    """Say in words why a move cannot be played."""
    piece = board.piece_at(move.from_square)
    square, target = chess.square_name(move.from_square), chess.square_name(move.to_square)
    if piece is None:
        return f"there is no piece on {square}"
    name = chess.piece_name(piece.piece_type)
    if piece.color != board.turn:
        return f"the {name} on {square} is the opponent's"
    if board.color_at(move.to_square) == board.turn and not board.is_castling(move):
        return f"{target} holds a piece of the same side"
    if piece.piece_type == chess.PAWN and chess.square_rank(move.to_square) in (0, 7) and not move.promotion:
        return f"a pawn that reaches {target} has to promote, such as {move.uci()}q"
    if board.is_pseudo_legal(move):
        return "the king would be in check"
    return f"the {name} on {square} cannot go to {target}"


def info_line(info: Any, board: chess.Board, spent_ms: int) -> str:
    """Return the UCI line for a result's info: score, depth, nodes, line. Raises BadResultError for a wrong score."""
    words = [f"info depth {int(info.get('depth', 1))}"]
    if "score" in info:
        words.append(f"score {_score(info['score'], board.turn)}")
    if "nodes" in info:
        words.append(f"nodes {int(info['nodes'])}")
    words.append(f"time {spent_ms}")
    line = _line(info.get("pv", ()), board)
    return " ".join([*words, *(["pv", *line] if line else [])])


def _score(score: Any, turn: chess.Color) -> str:
    if isinstance(score, chess.engine.PovScore):
        score = score.pov(turn)
    if isinstance(score, chess.engine.Score):
        return f"mate {score.mate()}" if score.is_mate() else f"cp {score.score()}"
    try:
        return f"cp {round(max(-MATE_CP, min(MATE_CP, score)))}"
    except (TypeError, ValueError):
        raise BadResultError(f"the score {score!r} is not a number of centipawns") from None


def _line(moves: Iterable[Any], board: chess.Board) -> list[str]:
    """Return the moves of a line as far as they are legal."""
    board, words = board.copy(stack=False), []
    for one in moves:
        try:
            move = _legal(one, board)
        except BadResultError:
            break
        words.append(board.uci(move))
        board.push(move)
    return words
