"""A finished game as PGN (Portable Game Notation, Edwards 1994)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType

import chess
import chess.engine
import chess.pgn

from bot.events import GameFull, GameState
from bot.events.reading import clean
from bot.openings import opening_of_board

_TERMINATIONS = {
    "outoftime": "time forfeit",
    "timeout": "abandoned",
    "cheat": "rules infraction",
    "aborted": "unterminated",
}


@dataclass(frozen=True, slots=True)
class MoveNote:
    """What is known about one move besides the move; scores are from White's point of view.

    `clock_ms` is the mover's time left after the move, `mate_in` counts moves and is negative where Black mates,
    `source` names what chose the move, such as "book" or "engine".
    """

    clock_ms: int | None = None
    score_cp: int | None = None
    mate_in: int | None = None
    depth: int | None = None
    source: str = ""


NO_NOTES: Mapping[int, MoveNote] = MappingProxyType({})


def result_of(state: GameState) -> str:
    """Return "1-0", "0-1" or "1/2-1/2", or "*" for a game without result."""
    if state.winner:
        return "1-0" if state.winner == "white" else "0-1"
    return "1/2-1/2" if state.is_over and state.status not in ("aborted", "noStart", "unknownFinish") else "*"


def site_of(url: str, game_id: str) -> str:
    """The game's address, which no other game has."""
    return _tag_value(f"{url}/{game_id}")


def pgn_of(
    full: GameFull,
    state: GameState,
    board: chess.Board,
    url: str,
    notes: Mapping[int, MoveNote] = NO_NOTES,
    engine: str = "",
) -> str:
    """Return the game as PGN.

    `board` is its last position, with all moves on the stack; it also tells the tags `ECO` and `Opening`. `notes` are
    by ply, counted from 1, and become `[%clk]` and `[%eval]` commands and the source of the move; `engine` is the name
    of our engine.
    """
    game = chess.pgn.Game.from_board(board)
    for ply, node in enumerate(game.mainline(), 1):
        if ply in notes:
            _annotate(node, notes[ply])
    opening = opening_of_board(board)
    name = {"ECO": opening.eco, "Opening": opening.name} if opening else {}
    for key, value in (_headers(full, state, url) | name | {"Annotator": engine}).items():
        if value not in (None, ""):
            game.headers[key] = _tag_value(str(value))
    return str(game)


def _headers(full: GameFull, state: GameState, url: str) -> dict[str, object]:
    white, black = full.white, full.black
    begun = _moment(full.created_at_ms)
    return {
        "Event": f"{'Rated' if full.rated else 'Casual'} {full.speed} game",
        "Site": site_of(url, full.game_id),
        "Date": begun.strftime("%Y.%m.%d"),
        "Round": "-",
        "White": white.name or white.label,
        "Black": black.name or black.label,
        "Result": result_of(state),
        "UTCDate": begun.strftime("%Y.%m.%d"),
        "UTCTime": begun.strftime("%H:%M:%S"),
        "WhiteElo": white.rating,
        "BlackElo": black.rating,
        "WhiteTitle": white.title,
        "BlackTitle": black.title,
        "TimeControl": _time_control(full),
        "Termination": _TERMINATIONS.get(state.status, "normal"),
    }


def _annotate(node: chess.pgn.ChildNode, note: MoveNote) -> None:
    node.comment = clean(note.source).replace("{", "(").replace("}", ")")
    if note.mate_in is not None:
        node.set_eval(chess.engine.PovScore(chess.engine.Mate(note.mate_in), chess.WHITE), note.depth)
    elif note.score_cp is not None:
        node.set_eval(chess.engine.PovScore(chess.engine.Cp(note.score_cp), chess.WHITE), note.depth)
    if note.clock_ms is not None:
        node.set_clock(max(0, note.clock_ms) / 1000)


def _tag_value(value: str) -> str:
    """A value that cannot end its tag: quotes become apostrophes, backslashes slashes."""
    return clean(value).replace('"', "'").replace("\\", "/")


def _moment(epoch_ms: int) -> datetime:
    """The time in UTC; now for none, and for one that no calendar has."""
    try:
        return datetime.fromtimestamp(epoch_ms / 1000 or time.time(), UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.now(UTC)


def _time_control(full: GameFull) -> str:
    if full.initial_ms is not None:
        return f"{full.initial_ms // 1000}+{(full.increment_ms or 0) // 1000}"
    return f"1/{full.days_per_turn * 86_400}" if full.days_per_turn else "-"
