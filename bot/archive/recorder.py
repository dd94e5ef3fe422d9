"""Sees to it that every game that began ends in the archive, once, with its true result.

A game is remembered in the store when it begins. Where its stream told the end, that is kept; where it did not (the
last line was late or lost, or the bot was down), the server's export is asked until it knows the result, if need be
after the next start. All of this happens on one thread of its own: no game waits for the disk.
"""

from __future__ import annotations

import queue
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import chess
import structlog

from bot.archive.exported_game import finished_game
from bot.archive.game_archive import GameArchive
from bot.archive.move_notes import engines_of, move_notes
from bot.archive.search_note import search_note
from bot.archive.store import Store
from bot.backoff import Backoff
from bot.engine_pool import Answer
from bot.errors import LichessError, NotFound, StoreError
from bot.events import GameExport, GameFull, GameInfo, GameState
from bot.play.game import ABORTABLE_PLIES, UnplayableGameError
from bot.play.observer import EndedGame, GameObserver
from bot.supervised_loop import SupervisedLoop

FIRST_LOOK_UP_S = 2.0  # the last line of the stream may still come
START_LOOK_UP_S = 10.0  # after the start: games that still run are taken up first
PAUSES_S = (2.0, 600.0)  # first and longest, between questions about one game
BETWEEN_LOOK_UPS_S = 1.0  # no flood of requests after a long absence
NOT_FOUND_ENDS = 3  # answers "no such game" before we stop asking
IDLE_S = 3600.0
REMEMBERED = 500  # games settled lately: a late gameFinish raises no question about them

log = structlog.get_logger(__name__)


@dataclass
class LookUp:
    """A game whose result has to be asked for, and when (monotonic seconds)."""

    due_s: float
    backoff: Backoff = field(default_factory=lambda: Backoff(*PAUSES_S))
    not_found: int = 0


class GameRecorder(GameObserver):
    """`is_played(game_id)` tells whether a loop plays the game or it is parked: then its end is still to come."""

    def __init__(
        self,
        archive: GameArchive,
        store: Store,
        export_game: Callable[[str], GameExport],
        is_played: Callable[[str], bool],
    ) -> None:
        """Prepare the thread; `start` begins with the games left unfinished by an earlier run."""
        self._archive = archive
        self._store = store
        self._export_game = export_game
        self._is_played = is_played
        self._tasks: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._look_ups: dict[str, LookUp] = {}
        self._settled: deque[str] = deque(maxlen=REMEMBERED)
        self._next_look_up_s = 0.0
        self._store_backoff = Backoff(1.0, 60.0)
        self._loop = SupervisedLoop("game-recorder", self._work)

    def start(self) -> None:
        """Begin, with the games left unfinished by an earlier run."""
        self._tasks.put(self._take_up_unfinished)
        self._loop.ensure_started()

    def started(self, info: GameInfo) -> None:
        """Remember a game that began."""
        self._tasks.put(lambda: self._store.note_begun(info.game_id))

    def answered(self, game_id: str, ply: int, answer: Answer) -> None:
        """Keep what is known about a move of ours."""
        self._tasks.put(lambda: self._keep_search_note(game_id, ply, answer))

    def ended(self, ended: EndedGame) -> None:
        """Keep a game whose final state is known; look up the result of any other."""
        game, game_id = ended.final_game, ended.game_id
        if game is not None:
            self._tasks.put(lambda: self._keep(game.full, game.state, game.board, game.clocks.after_moves()))
        else:
            due_s = time.monotonic() + FIRST_LOOK_UP_S
            self._tasks.put(lambda: self._add_look_up(game_id, due_s))

    def close(self, timeout_s: float = 5.0) -> None:
        """Keep what was handed over, then end the thread; open questions are asked after the next start."""
        self._tasks.put(None)
        if self._loop.running and not self._loop.join(timeout_s):
            log.warning("games_not_kept_yet", remedy="their results are asked for after the next start")
        self._loop.stop()

    # -- the recorder's thread -----------------------------------------------------------------------------------

    def _work(self) -> None:
        while True:
            try:
                task = self._tasks.get(timeout=self._wait_s(time.monotonic()))
            except queue.Empty:
                self._look_up_next(time.monotonic())
                continue
            if task is None:
                return
            try:
                task()
            except StoreError as error:
                pause_s = self._store_backoff.next_s()
                log.error("game_not_kept_yet", error=str(error), again_in_s=round(pause_s, 1))
                self._tasks.put(task)
                self._loop.wait(pause_s)
            else:
                self._store_backoff.reset()

    def _wait_s(self, now_s: float) -> float:
        due_s = min((look_up.due_s for look_up in self._look_ups.values()), default=now_s + IDLE_S)
        return max(0.0, max(due_s, self._next_look_up_s) - now_s)

    def _take_up_unfinished(self) -> None:
        due_s = time.monotonic() + START_LOOK_UP_S
        for game_id in self._store.unfinished_games():
            self._add_look_up(game_id, due_s)

    def _add_look_up(self, game_id: str, due_s: float) -> None:
        if game_id not in self._settled and not self._store.has_finished_game(game_id):
            self._look_ups.setdefault(game_id, LookUp(due_s))

    def _look_up_next(self, now_s: float) -> None:
        due = [(look_up.due_s, game_id) for game_id, look_up in self._look_ups.items() if look_up.due_s <= now_s]
        if not due:
            return
        self._next_look_up_s = now_s + BETWEEN_LOOK_UPS_S
        game_id = min(due)[1]
        look_up = self._look_ups[game_id]
        look_up.due_s = now_s + look_up.backoff.next_s()
        if self._is_played(game_id) or self._is_settled(game_id, look_up):
            self._look_ups.pop(game_id, None)

    def _is_settled(self, game_id: str, look_up: LookUp) -> bool:
        """Ask for the result and keep it; returns whether there is nothing more to ask."""
        if self._store.has_finished_game(game_id):
            return True
        try:
            export = self._export_game(game_id)
            if not export.is_over:
                return False
            self._keep(*finished_game(export), dict(enumerate(export.clocks_ms, 1)))
        except NotFound:
            look_up.not_found += 1
            if look_up.not_found < NOT_FOUND_ENDS:
                return False
            log.warning("game_without_result", game_id=game_id, reason="the server knows no such game")
            self._store.note_finished(game_id)
        except LichessError as error:
            log.info("result_unknown", game_id=game_id, error=str(error))
            return False
        except UnplayableGameError as error:
            log.warning("game_without_result", game_id=game_id, reason=str(error))
            self._store.note_finished(game_id)
        return True

    def _keep_search_note(self, game_id: str, ply: int, answer: Answer) -> None:
        note = search_note(ply, answer)
        if note is not None and game_id not in self._settled:
            self._store.keep_search_note(game_id, note)

    def _keep(self, full: GameFull, state: GameState, board: chess.Board, clocks_ms: Mapping[int, int]) -> None:
        """Keep a finished game, once; an aborted game without a move by each side is no game."""
        self._settled.append(full.game_id)
        aborted = state.status in ("aborted", "noStart") and len(state.moves) < ABORTABLE_PLIES
        if not aborted and not self._store.has_finished_game(full.game_id):
            notes = move_notes(board, self._store.search_notes(full.game_id), clocks_ms)
            self._archive.enter(full, state, board, notes, engines_of(notes))
        if aborted or self._store.has_finished_game(full.game_id):
            self._store.note_finished(full.game_id)
