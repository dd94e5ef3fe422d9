"""A finished game as PGN (Portable Game Notation, Edwards 1994)."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import chess
import chess.pgn

from bot.events import GameFull, GameState
from bot.events.reading import clean

_TERMINATIONS = {
    "outoftime": "time forfeit",
    "timeout": "abandoned",
    "cheat": "rules infraction",
    "aborted": "unterminated",
}


def result_of(state: GameState) -> str:
    """Return "1-0", "0-1" or "1/2-1/2", or "*" for a game without result."""
    if state.winner:
        return "1-0" if state.winner == "white" else "0-1"
    return "1/2-1/2" if state.is_over and state.status not in ("aborted", "noStart", "unknownFinish") else "*"


def site_of(url: str, game_id: str) -> str:
    """The game's address, which no other game has."""
    return _tag_value(f"{url}/{game_id}")


def pgn_of(full: GameFull, state: GameState, board: chess.Board, url: str) -> str:
    """The game as PGN; `board` is its last position, with all moves on the stack."""
    game = chess.pgn.Game.from_board(board)
    white, black = full.white, full.black
    begun = _moment(full.created_at_ms)
    headers: dict[str, object] = {
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
    for key, value in headers.items():
        if value not in (None, ""):
            game.headers[key] = _tag_value(str(value))
    return str(game)


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
