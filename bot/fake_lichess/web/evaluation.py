"""Evaluations for the page, for spectators and for finished games. A player gets none during the game."""

from __future__ import annotations

from collections.abc import Mapping

import chess
import chess.engine

from ..errors import ApiError
from ..opponents.analyst import Analyst, Evaluation
from ..world.accounts import Account
from ..world.json_objects import Json
from ..world.world import World
from .position import read_board

MIN_MS, DEFAULT_MS, MAX_MS = 20, 300, 2000
MOST_LINES = 3
MOST_MOVES = 10  # of a line that is shown
#: Positions of the first plies do not identify a game.
OPENING_PLIES = 8
PLAYING = "You are playing this game. The engine is for spectators, and for everybody after the end."


def refuse_players(world: World, account: Account | None, game_id: str, board: chess.Board) -> None:
    """Raise ApiError 403 if the account asks about a game that it plays, by its id or by its position."""
    for game in [] if account is None else world.ongoing(account):
        same = game.board.epd() == board.epd() and len(game.moves) > OPENING_PLIES
        if game.id == game_id[:8] or same:
            raise ApiError(403, PLAYING)


async def evaluate(world: World, analyst: Analyst, account: Account | None, fields: Mapping[str, object]) -> Json:
    """Evaluate a position; `fields` as for `read_board`, with `gameId`, `millis` to think and the number of `lines`.

    Raises ValueError for an invalid position, ApiError 403 for a player of the game, AnalystError.
    """
    board, _ = read_board(fields)
    refuse_players(world, account, str(fields.get("gameId") or ""), board)
    over = _result(board)
    if over is not None:
        return over
    millis = _bounded(fields.get("millis"), DEFAULT_MS, MIN_MS, MAX_MS)
    lines = _bounded(fields.get("lines"), 1, 1, MOST_LINES)
    return evaluation_json(board, await analyst.evaluate(board, millis / 1000, lines))


def _bounded(value: object, default: int, least: int, most: int) -> int:
    return max(least, min(most, value)) if isinstance(value, int) else default


def _result(board: chess.Board) -> Json | None:
    """Return the score of a finished game, mate in 0 for the loser; None if the game continues."""
    outcome = board.outcome()
    if outcome is None:
        return None
    score: Json = {"cp": 0} if outcome.winner is None else {"mate": 0, "winner": "white" if outcome.winner else "black"}
    return {"score": score, "depth": 0, "lines": []}


def evaluation_json(board: chess.Board, found: Evaluation) -> Json:
    """Return scores from White's view: `cp`, or `mate` in moves (negative: Black mates)."""
    return {
        "score": _score(found.lines[0].score),
        "depth": found.depth,
        "lines": [
            {"score": _score(line.score), "moves": [board.uci(move) for move in line.moves[:1]], "text": text}
            for line in found.lines
            if (text := _text(board, line.moves))
        ],
    }


def _score(score: chess.engine.Score) -> Json:
    mate = score.mate()
    return {"cp": score.score()} if mate is None else {"mate": mate}


def _text(board: chess.Board, moves: tuple[chess.Move, ...]) -> str:
    """Return the legal part of a line in notation."""
    after = board.copy(stack=False)
    good = []
    for move in moves[:MOST_MOVES]:
        if not after.is_legal(move):
            break
        good.append(move)
        after.push(move)
    return board.variation_san(good) if good else ""
