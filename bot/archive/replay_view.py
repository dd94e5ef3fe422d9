"""`bot88 replay`: a kept game with its scores, as text that fits a terminal of 80 columns, and as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import chess
import chess.engine

from bot.archive.listing import aligned, shortened
from bot.archive.pgn import PlayedGame, PlayedMove
from bot.engine_pool.values import score_text
from bot.errors import ConfigurationError
from bot.play.game_log import clock_text, piece_text

WIDTH = 80
_BARS = "▁▂▃▄▅▆▇█"
_DIGITS = "12345678"
_CURVE_WIDTH = 50
_SOURCE_WIDTH = 12
_PAWNS_TO_THE_EDGE = 4.0  # scores beyond are drawn as the edge
_MATE_CP = 100_000


def replay_text(game: PlayedGame, *, figures: bool = True) -> str:
    """Return the players, the curve of the scores (digits for bars where a terminal has no figures) and all moves."""
    scores = [move.score.white() for move in game.moves if move.score is not None]
    curve = score_curve(scores, _BARS if figures else _DIGITS)
    lines = [*_heading(game), f"score {curve}  (up: White is better)" if curve else "no scores were kept", ""]
    return "\n".join(lines) + "\n" + _moves_table(game)


def board_text(game: PlayedGame, ply: int, *, figures: bool = False) -> str:
    """Return the position after so many half-moves (negative: counted from the end) with the move that led to it.

    Raises ConfigurationError for a ply that the game does not have.
    """
    plies = len(game.moves)
    wanted = ply if ply >= 0 else plies + 1 + ply
    if not 0 <= wanted <= plies:
        raise ConfigurationError(f"--ply {ply}: game {game.game_id} has {plies} half-moves")
    board = _board_after(game, wanted)
    pieces = [piece_text(board.piece_at(square), figures=figures) for square in chess.SQUARES]
    rows = [f"  {rank + 1} {' '.join(pieces[8 * rank : 8 * rank + 8])}" for rank in range(7, -1, -1)]
    lines = [*_heading(game), "", *rows, "    a b c d e f g h", "", board.fen(), ""]
    if wanted:
        lines.append(_in_words(game.moves[wanted - 1]))
    return "\n".join(lines) + "\n"


def replay_json(game: PlayedGame) -> str:
    """Return the tags of the PGN and all that is known about each move as one JSON object."""
    found: dict[str, Any] = {"id": game.game_id, "color": game.record.color, "tags": dict(game.headers)}
    found["moves"] = [_move_json(move) for move in game.moves]
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def _move_json(move: PlayedMove) -> dict[str, Any]:
    """Return all that is known about a move; the score is from White's side."""
    found = {one.name: getattr(move, one.name) for one in fields(move) if one.name != "score"}
    score = None if move.score is None else move.score.white()
    return found | {
        "score_cp": None if score is None else score.score(),
        "mate_in": None if score is None else score.mate(),
    }


def score_curve(scores: Sequence[chess.engine.Score], bars: str = _BARS) -> str:
    """Return scores from White's side as a line of bars, high where White is better; "" without scores."""
    per_bar = max(1, math.ceil(len(scores) / _CURVE_WIDTH))
    return "".join(_bar(scores[start], bars) for start in range(0, len(scores), per_bar))


def _bar(score: chess.engine.Score, bars: str) -> str:
    pawns = score.score(mate_score=_MATE_CP) / 100
    share = (max(-_PAWNS_TO_THE_EDGE, min(_PAWNS_TO_THE_EDGE, pawns)) + _PAWNS_TO_THE_EDGE) / (2 * _PAWNS_TO_THE_EDGE)
    return bars[min(len(bars) - 1, int(share * len(bars)))]


def _heading(game: PlayedGame) -> list[str]:
    tags = game.headers
    players = " - ".join(f"{tags.get(side, '?')} ({tags.get(f'{side}Elo', '?')})" for side in ("White", "Black"))
    opening = f"{tags['ECO']} {tags['Opening']}" if "ECO" in tags and "Opening" in tags else "no named opening"
    lines = (
        f"{players}  {tags.get('Result', '*')} ({game.record.status})",
        f"{tags.get('Event', '?')} {tags.get('TimeControl', '')}, {tags.get('Date', '?')}  {tags.get('Site', '')}",
        opening,
    )
    return [shortened(line, WIDTH) for line in lines]


_COLUMNS = ("move", "clock", "score", "depth", "by")
_NUMBERS = ("", "clock", "score", "depth")


def _moves_table(game: PlayedGame) -> str:
    """Two moves a line; of each side the columns in which anything is known."""
    names = ("", *_COLUMNS, *_COLUMNS)
    rows: dict[int, list[str]] = {}
    for move in game.moves:
        row = rows.setdefault(move.number, [f"{move.number}.", *[""] * (len(names) - 1)])
        first = 1 if move.is_white else 1 + len(_COLUMNS)
        row[first : first + len(_COLUMNS)] = _cells(move)
    kept = [column for column in range(len(names)) if column == 0 or any(row[column] for row in rows.values())]
    right = frozenset(place for place, column in enumerate(kept) if names[column] in _NUMBERS)
    return aligned([tuple(row[column] for column in kept) for row in (names, *rows.values())], right=right)


def _cells(move: PlayedMove) -> tuple[str, ...]:
    """Return what is known of a move, a text for each column."""
    clock = "" if move.clock_ms is None else clock_text(move.clock_ms)
    depth = "" if move.depth is None else str(move.depth)
    return move.san, clock, score_text(move.score), depth, shortened(move.source, _SOURCE_WIDTH)


def _board_after(game: PlayedGame, ply: int) -> chess.Board:
    board = game.last.copy()
    while len(board.move_stack) > ply:
        board.pop()
    return board


def _in_words(move: PlayedMove) -> str:
    clock = "" if move.clock_ms is None else f"clock {clock_text(move.clock_ms)}"
    depth = "" if move.depth is None else f"depth {move.depth}"
    score = f"score {score_text(move.score)}" if score_text(move.score) else ""
    said = ", ".join(part for part in (clock, score, depth, move.source) if part)
    return move.label(" ") + (f"  ({said})" if said else "")
