"""Sends everything but moves: offers, answers, claims, resignations and chat.

The actions of a game share one thread, which starts with the first of them. Chat has one thread for all games and is
dropped when late. Neither shares anything with the outbox, so nothing here delays a move.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import structlog

from bot.backoff import Backoff
from bot.errors import LichessError, RateLimited, Rejected
from bot.supervised_loop import SupervisedLoop

RETRY_FIRST_S, RETRY_MOST_S = 0.2, 5.0
MAX_LIMIT_S = 60.0
STATE_WAIT_S = 5.0  # for the state after a lost answer, before it is requested again
CHAT_BACKLOG = 50
CHAT_MAX_AGE_S = 30.0  # older lines are dropped: a greeting makes no sense in mid-game

ChatLines = Callable[[], Iterable[str]]  # makes the lines on the chat's thread, and may take its time

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Action:
    """A request that is repeated until the server answers it, be it with a refusal, or until it is no longer wanted.

    `once`: it must not be applied twice, so after a lost answer the game's state is fetched before `wanted` decides
    about a repetition. `fresh`: the state is fetched before the first attempt too, because a silent stream may hide the
    reason not to make it. `answer`: what we answer, for the log.
    """

    name: str
    call: Callable[[], object]
    wanted: Callable[[], bool]
    once: bool
    fresh: bool
    answer: str


class ActionQueue:
    """Performs the actions of one game in order, at most one of each name at a time.

    `refresh(timeout_s)` fetches the game's state and returns whether it arrived in time.
    """

    def __init__(self, game_id: str, refresh: Callable[[float], bool]) -> None:
        self._game_id = game_id
        self._refresh = refresh
        self._lock = threading.Lock()
        self._queue: queue.SimpleQueue[Action | None] = queue.SimpleQueue()
        self._names: set[str] = set()
        self._closed = threading.Event()
        self._loop = SupervisedLoop(f"actions-{game_id}", self._work)

    def run(self, action: Action) -> bool:
        """Queue an action; False if one of that name is not finished, or no thread can be started at the moment."""
        with self._lock:
            if action.name in self._names or self._closed.is_set():
                return False
            if not self._loop.start():
                return False
            self._names.add(action.name)
        self._queue.put(action)
        return True

    def close(self) -> None:
        """Drop waiting actions and end the thread."""
        self._loop.stop()
        self._closed.set()
        self._queue.put(None)

    def _work(self) -> None:
        while (action := self._queue.get()) is not None:
            try:
                self._perform(action)
            finally:
                self._names.discard(action.name)

    def _perform(self, action: Action) -> None:
        backoff = Backoff(RETRY_FIRST_S, RETRY_MOST_S)
        if action.fresh:
            self._await_state(action)
        while action.wanted() and not self._closed.is_set():
            try:
                action.call()
            except Rejected as error:
                log.info("action_refused", game_id=self._game_id, action=action.name, error=str(error))
                return
            except LichessError as error:
                log.warning("action_failed", game_id=self._game_id, action=action.name, error=str(error))
                least_s = min(error.retry_after_s, MAX_LIMIT_S) if isinstance(error, RateLimited) else 0.0
                self._closed.wait(backoff.next_s(least_s))
                if action.once and not isinstance(error, RateLimited):
                    self._await_state(action)
            else:
                answer = {"answer": action.answer} if action.answer else {}
                log.info("action_done", game_id=self._game_id, action=action.name, **answer)
                return

    def _await_state(self, action: Action) -> None:
        """Wait for a state sent from now on; ours may be outdated."""
        while action.wanted() and not self._closed.is_set() and not self._refresh(STATE_WAIT_S):
            log.warning("game_state_not_refreshed", game_id=self._game_id, action=action.name)


class ChatQueue:
    """Sends the chat of all games with one attempt per line; drops lines if the backlog is long or they are old."""

    def __init__(self, post: Callable[[str, str, str], object]) -> None:
        self._post = post  # (game_id, room, text)
        self._queue: queue.Queue[tuple[float, str, str, str | ChatLines] | None] = queue.Queue(CHAT_BACKLOG)
        self._loop = SupervisedLoop("chat", self._work)
        self._loop.ensure_started()

    def say(self, game_id: str, room: str, text: str | ChatLines) -> bool:
        """Queue a line, or a function that makes lines when their turn comes; False if it was dropped."""
        try:
            self._queue.put_nowait((time.monotonic(), game_id, room, text))
        except queue.Full:
            log.info("chat_dropped", game_id=game_id)
            return False
        return True

    def close(self) -> None:
        """End the thread after the queued lines, without waiting for it."""
        try:
            self._queue.put_nowait(None)
        except queue.Full:
            log.info("chat_backlog_dropped")

    def _work(self) -> None:
        while (line := self._queue.get()) is not None:
            queued_s, game_id, room, text = line
            if time.monotonic() - queued_s > CHAT_MAX_AGE_S:
                continue
            try:
                for one in [text] if isinstance(text, str) else text():
                    self._post(game_id, room, one)
            except LichessError as error:
                log.info("chat_not_sent", game_id=game_id, room=room, error=str(error))
