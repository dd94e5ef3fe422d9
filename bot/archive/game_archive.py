"""What is kept of a finished game: a row with its PGN in the store, and the PGN in a folder if one is configured.

The store comes first: it holds the PGN and whether the file has it. So a process that is killed between the two, or a
disk that is full, costs nothing but time: the file is completed from the store, and no game is in it twice.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import chess
import structlog

from bot.archive.pgn import NO_NOTES, MoveNote, pgn_of, result_of, site_of
from bot.archive.pgn_file import append_game
from bot.archive.store import GameRecord, Store
from bot.backoff import Backoff
from bot.errors import StoreError
from bot.events import GameFull, GameState
from bot.openings import opening_of_board
from bot.supervised_loop import SupervisedLoop

log = structlog.get_logger(__name__)

#: What shares a file: the games of a month (UTC, by their end), of an opponent, all of them, or none.
Group = Literal["game", "opponent", "month", "all"]
PAUSES_S = (0.5, 60.0)  # first and longest, between attempts to write what could not be written
_FLUSH_S = 1.0
_LONGEST_NAME = 64
_CLOSE_S = 5.0


class GameArchive:
    """Called once for each game that ended. Raises nothing and waits for nothing: the game is over anyway."""

    def __init__(self, store: Store, my_id: str, url: str, folder: Path | None, group: Group = "month") -> None:
        """Begin to complete the PGN of games that an earlier run left out; `folder` None writes none."""
        self._group: Group = group
        self._store = store
        self._my_id = my_id
        self._url = url
        self._folder = folder
        self._backoff = Backoff(*PAUSES_S)
        self._due = threading.Event()
        self._closing = threading.Event()
        self._loop = SupervisedLoop("pgn-writer", self._work)
        self._write_soon()

    def enter(
        self,
        full: GameFull,
        state: GameState,
        board: chess.Board,
        notes: Mapping[int, MoveNote] = NO_NOTES,
        engine: str = "",
    ) -> None:
        """Keep the game, with what is known about its moves (see pgn_of); an aborted game without a move is none."""
        if state.status in ("aborted", "noStart") and not state.moves:
            self._store.note_finished(full.game_id)
            return
        self._store.record_game(self._record(full, state, board), self._pgn(full, state, board, notes, engine))
        self._write_soon()

    def close(self, timeout_s: float = _CLOSE_S) -> None:
        """Write what can be written now; the rest is written after the next start. Call it before Store.close."""
        self._closing.set()
        self._due.set()
        if self._loop.running and not self._loop.join(timeout_s):
            log.warning("pgn_not_written_yet", remedy="it is written after the next start, from the store")
        self._loop.stop()

    def _pgn(
        self, full: GameFull, state: GameState, board: chess.Board, notes: Mapping[int, MoveNote], engine: str
    ) -> str:
        """The PGN; "" for a game whose result is still to come, and for one that python-chess cannot write."""
        if not state.is_over:
            return ""
        try:
            return pgn_of(full, state, board, self._url, notes, engine)
        except Exception:  # such a game still has its row
            log.exception("pgn_not_made", game_id=full.game_id)
            return ""

    def _record(self, full: GameFull, state: GameState, board: chess.Board) -> GameRecord:
        color = full.color_of(self._my_id)
        me, opponent = (full.white, full.black) if color == "white" else (full.black, full.white)
        opening = opening_of_board(board)
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
            my_rating=me.rating,
            opponent_rating=opponent.rating,
            eco=opening.eco if opening else "",
            opening=opening.name if opening else "",
        )

    # -- the writer's thread --------------------------------------------------------------------------------------

    def _write_soon(self) -> None:
        if self._folder is not None:
            self._due.set()
            self._loop.start()

    def _work(self) -> None:
        while True:
            self._due.wait()
            self._due.clear()
            while True:
                is_last_attempt = self._closing.is_set()  # asked before writing: what was entered until then is tried
                if self._write_pending():
                    self._backoff.reset()
                    break
                if is_last_attempt:
                    return
                self._closing.wait(self._backoff.next_s())
            if is_last_attempt:
                return

    def _write_pending(self) -> bool:
        """Write the games whose PGN is missing; returns whether none is left."""
        if not self._store.flush(_FLUSH_S):
            return False
        try:
            for game, pgn in self._store.games_without_pgn():
                self._write(game, pgn)
        except StoreError as error:
            self._say_once("pgn_not_written", error, "the store")
            return False
        except OSError as error:
            self._say_once("pgn_not_written", error, str(self._folder))
            return False
        return True

    def _write(self, game: GameRecord, pgn: str) -> None:
        if self._folder is not None:
            path = self._folder / f"{_file_name(game, self._group)}.pgn"
            append_game(path, pgn, f'[Site "{site_of(self._url, game.game_id)}"]')
            self._store.note_pgn_written(game.game_id)

    def _say_once(self, event: str, error: Exception, where: str) -> None:
        if not self._backoff.failures:
            log.error(event, where=where, error=str(error), remedy="free the disk; it is retried until it is written")


def _file_name(game: GameRecord, group: Group) -> str:
    """The name of a game's PGN file, without the ending."""
    names = {
        "game": game.game_id,
        "opponent": game.opponent_id or "anonymous",
        "month": f"{datetime.fromtimestamp(game.ended_s, UTC):%Y-%m}",
        "all": "games",
    }
    return re.sub(r"[^A-Za-z0-9_-]", "_", names[group])[:_LONGEST_NAME]
