"""A finished game as PGN (Portable Game Notation, Edwards 1994), with what is known about each move."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import MappingProxyType

import chess
import chess.engine
import chess.pgn

from bot.archive.store import SearchNote
from bot.events import GameFull, GameState
from bot.events.outcome import Outcome, outcome_of
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
    """What is known about one move besides the move.

    `clock_ms` is the mover's time left after the move, `source` names what chose it, such as "book" or "engine".
    """

    clock_ms: int | None = None
    score: chess.engine.PovScore | None = None
    depth: int | None = None
    source: str = ""


NO_NOTES: Mapping[int, MoveNote] = MappingProxyType({})


def move_notes(board: chess.Board, searched: Iterable[SearchNote], clocks_ms: Mapping[int, int]) -> dict[int, MoveNote]:
    """Return the notes of a game by ply, counted from 1.

    `board` is the last position with all moves on the stack. Search notes of other moves than those are left out: such
    moves were taken back or not played. `clocks_ms` is the mover's time left after each move, by ply.
    """
    moves = {ply: move.uci() for ply, move in enumerate(board.move_stack, 1)}
    notes = {ply: MoveNote(clock_ms=clock_ms) for ply, clock_ms in clocks_ms.items() if ply in moves}
    for ply, uci, score_cp, mate_in, depth, source in searched:
        if moves.get(ply) == uci:
            mover = board.root().turn if ply % 2 else not board.root().turn
            score = score_of(score_cp, mate_in, mover)
            notes[ply] = replace(notes.get(ply, MoveNote()), score=score, depth=depth, source=source)
    return notes


def score_of(score_cp: int | None, mate_in: int | None, side: chess.Color) -> chess.engine.PovScore | None:
    """Return the score of a side from centipawns or moves to mate; None without either."""
    if mate_in is not None:
        return chess.engine.PovScore(chess.engine.Mate(mate_in), side)
    return None if score_cp is None else chess.engine.PovScore(chess.engine.Cp(score_cp), side)


def engines_of(notes: Mapping[int, MoveNote]) -> str:
    """Return the names of the engines that gave scores, "" for none."""
    return ", ".join(sorted({note.source for note in notes.values() if note.depth is not None and note.source}))


def pgn_of(
    full: GameFull, state: GameState, board: chess.Board, url: str, notes: Mapping[int, MoveNote] = NO_NOTES
) -> str:
    """Return the game as PGN.

    `board` is its last position, with all moves on the stack. `notes` are by ply, counted from 1. They become `[%clk]`
    and `[%eval]` commands and the source of the move.
    """
    game = chess.pgn.Game.from_board(board)
    for ply, node in enumerate(game.mainline(), 1):
        if ply in notes:
            _annotate(node, notes[ply])
    opening = opening_of_board(board)
    name = {"ECO": opening.eco, "Opening": opening.name} if opening else {}
    for key, value in (_headers(full, state, url) | name | {"Annotator": engines_of(notes)}).items():
        if value not in (None, ""):
            game.headers[key] = _tag_value(str(value))
    return str(game)


def _headers(full: GameFull, state: GameState, url: str) -> dict[str, object]:
    white, black = full.white, full.black
    begun = _moment(full.created_at_ms)
    return {
        "Event": f"{'Rated' if full.rated else 'Casual'} {full.speed} game",
        "Site": f"{url}/{full.game_id}",
        "Date": begun.strftime("%Y.%m.%d"),
        "Round": "-",
        "White": white.name or white.label,
        "Black": black.name or black.label,
        "Result": _result_of(state),
        "UTCDate": begun.strftime("%Y.%m.%d"),
        "UTCTime": begun.strftime("%H:%M:%S"),
        "WhiteElo": white.rating,
        "BlackElo": black.rating,
        "WhiteTitle": white.title,
        "BlackTitle": black.title,
        "TimeControl": _time_control(full),
        "Termination": _TERMINATIONS.get(state.status, "normal"),
    }


def _result_of(state: GameState) -> str:
    white = outcome_of(state.status, state.winner, "white")
    return {None: "*", Outcome.WIN: "1-0", Outcome.DRAW: "1/2-1/2", Outcome.LOSS: "0-1"}[white]


def _annotate(node: chess.pgn.ChildNode, note: MoveNote) -> None:
    node.comment = clean(note.source).replace("{", "(").replace("}", ")")
    if note.score is not None:
        node.set_eval(note.score, note.depth)
    if note.clock_ms is not None:
        node.set_clock(max(0, note.clock_ms) / 1000)


def _tag_value(value: str) -> str:
    """Replace quotes by apostrophes and backslashes by slashes, so that the value cannot end its tag."""
    return clean(value).replace('"', "'").replace("\\", "/")


def _moment(epoch_ms: int) -> datetime:
    """Return the time in UTC; the present time for 0 and for a time outside of the calendar."""
    try:
        return datetime.fromtimestamp(epoch_ms / 1000 or time.time(), UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.now(UTC)


def _time_control(full: GameFull) -> str:
    if full.initial_ms is not None:
        return f"{full.initial_ms // 1000}+{(full.increment_ms or 0) // 1000}"
    return f"1/{full.days_per_turn * 86_400}" if full.days_per_turn else "-"
