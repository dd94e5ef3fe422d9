"""What is kept of a finished game: a row in the store, and its PGN in a folder if one is configured."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import structlog

from bot.account.store import GameRecord, Store
from bot.events import GameFull, GameState

log = structlog.get_logger(__name__)

_TERMINATIONS = {
    "outoftime": "time forfeit",
    "timeout": "abandoned",
    "cheat": "rules infraction",
    "aborted": "unterminated",
}


def result_of(state: GameState) -> str:
    """ "1-0", "0-1", "1/2-1/2", or "*" for a game without result."""
    if state.winner:
        return "1-0" if state.winner == "white" else "0-1"
    return "1/2-1/2" if state.is_over and state.status not in ("aborted", "noStart", "unknownFinish") else "*"


def pgn_of(full: GameFull, state: GameState, board: chess.Board, url: str) -> str:
    """The game as PGN; `board` is its last position, with all moves on the stack."""
    game = chess.pgn.Game.from_board(board)
    white, black = full.white, full.black
    begun = datetime.fromtimestamp(full.created_at_ms / 1000 or time.time(), UTC)
    headers: dict[str, Any] = {
        "Event": f"{'Rated' if full.rated else 'Casual'} {full.speed} game",
        "Site": f"{url}/{full.game_id}",
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
            game.headers[key] = str(value)
    return str(game)


def _time_control(full: GameFull) -> str:
    if full.initial_ms is not None:
        return f"{full.initial_ms // 1000}+{(full.increment_ms or 0) // 1000}"
    return f"1/{full.days_per_turn * 86_400}" if full.days_per_turn else "-"


class GameArchive:
    """Called once for each game that ended, from that game's thread. Raises nothing: the game is over anyway."""

    def __init__(self, store: Store, my_id: str, url: str, folder: Path | None) -> None:
        self._store = store
        self._my_id = my_id
        self._url = url
        self._folder = folder
        self._lock = threading.Lock()

    def enter(self, full: GameFull, state: GameState, board: chess.Board) -> None:
        """Keep the game."""
        try:
            self._store.record_game(self._record(full, state))
            if self._folder:
                self._write(full, state, board)
        except Exception:
            log.exception("game_not_kept", game_id=full.game_id)

    def _record(self, full: GameFull, state: GameState) -> GameRecord:
        color = full.color_of(self._my_id)
        opponent = full.black if color == "white" else full.white
        return GameRecord(
            game_id=full.game_id,
            opponent_id=opponent.id,
            opponent_is_bot=opponent.is_bot,
            color=color,
            variant=full.variant,
            speed=full.speed,
            rated=full.rated,
            status=state.status,
            result=result_of(state),
            plies=len(state.moves),
            ended_s=time.time(),
        )

    def _write(self, full: GameFull, state: GameState, board: chess.Board) -> None:
        """One file a month, each game appended in one write."""
        folder = self._folder
        if folder is None:
            return
        text = pgn_of(full, state, board, self._url) + "\n\n"
        with self._lock:
            folder.mkdir(parents=True, exist_ok=True)
            with (folder / f"{datetime.now(UTC):%Y-%m}.pgn").open("a", encoding="utf-8") as file:
                file.write(text)
