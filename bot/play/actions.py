"""Everything a game says to the server besides moves: offers, answers, claims, resignation and, last of all, chat.

ActionQueue of a game share one thread, started with the first of them; chat has one thread for all games and is dropped
when late. Neither shares anything with the outbox, so whatever hangs here delays no move.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from bot.errors import LichessError, RateLimited, Rejected

RETRIES_S = (0.2, 1.0, 2.0, 5.0)
MAX_LIMIT_S = 60.0
CHAT_BACKLOG = 50
CHAT_FRESH_S = 30.0  # a greeting that comes later is none

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Action:
    """A request repeated until the server has answered it or it is no longer wanted; a refusal is an answer."""

    name: str
    call: Callable[[], object]
    wanted: Callable[[], bool]


class ActionQueue:
    """The actions of one game, in order, each named at most once at a time."""

    def __init__(self, game_id: str) -> None:
        self._game_id = game_id
        self._lock = threading.Lock()
        self._queue: queue.SimpleQueue[Action | None] = queue.SimpleQueue()
        self._names: set[str] = set()
        self._started = False
        self._closed = threading.Event()

    def run(self, action: Action) -> bool:
        """Queue it; False where one of that name is still under way."""
        with self._lock:
            if action.name in self._names or self._closed.is_set():
                return False
            self._names.add(action.name)
            if not self._started:
                self._started = True
                threading.Thread(target=self._work, name=f"actions-{self._game_id}", daemon=True).start()
        self._queue.put(action)
        return True

    def close(self) -> None:
        """Drop what waits and end the thread."""
        self._closed.set()
        self._queue.put(None)

    def _work(self) -> None:
        while (action := self._queue.get()) is not None:
            self._carry_out(action)
            with self._lock:
                self._names.discard(action.name)

    def _carry_out(self, action: Action) -> None:
        tries = 0
        while action.wanted() and not self._closed.is_set():
            try:
                action.call()
            except Rejected as error:
                log.info("errand_refused", game_id=self._game_id, action=action.name, error=str(error))
                return
            except LichessError as error:
                pause = RETRIES_S[min(tries, len(RETRIES_S) - 1)]
                if isinstance(error, RateLimited):
                    pause = min(max(error.retry_after_s, pause), MAX_LIMIT_S)
                log.warning("errand_failed", game_id=self._game_id, action=action.name, error=str(error))
                tries += 1
                self._closed.wait(pause)
            else:
                log.info("errand_done", game_id=self._game_id, action=action.name)
                return


class ChatLane:
    """Chat of all games: one thread, one attempt each, dropped when the backlog is long or the line is old."""

    def __init__(self, post: Callable[[str, str, str], object]) -> None:
        self._post = post  # (game_id, room, text)
        self._queue: queue.Queue[tuple[float, str, str, str] | None] = queue.Queue(CHAT_BACKLOG)
        self._thread = threading.Thread(target=self._work, name="chat", daemon=True)
        self._thread.start()

    def say(self, game_id: str, room: str, text: str) -> bool:
        """Queue a line; False when it was dropped instead."""
        try:
            self._queue.put_nowait((time.monotonic(), game_id, room, text))
        except queue.Full:
            log.info("chat_dropped", game_id=game_id)
            return False
        return True

    def close(self) -> None:
        """End the thread after what is queued, without waiting for it."""
        try:
            self._queue.put_nowait(None)
        except queue.Full:
            log.info("chat_backlog_left_behind")

    def _work(self) -> None:
        while (line := self._queue.get()) is not None:
            queued_s, game_id, room, text = line
            if time.monotonic() - queued_s > CHAT_FRESH_S:
                continue
            try:
                self._post(game_id, room, text)
            except LichessError as error:
                log.info("chat_not_sent", game_id=game_id, room=room, error=str(error))
