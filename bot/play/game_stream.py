"""Reads one game's stream and opens it again until the game is known to be over: one thread per game."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import structlog

from bot.backoff import Backoff
from bot.errors import BotError, LichessError, RateLimited, Rejected
from bot.events import GameEvent
from bot.play.game_context import GameStream

RETRY_FIRST_S, RETRY_MOST_S = 0.2, 3.0  # the clock runs meanwhile: the first retry is made at once, no wait is long
MAX_LIMIT_S = 20.0
OPENINGS_WITHOUT_NEWS = 3  # in a row, before the account's list of games is asked

log = structlog.get_logger(__name__)


class GameReader:
    """Calls `on_event(event, now_s)` for each line until `stop()`; a keep-alive is None.

    `on_event` returns False when the game is over and nothing more is wanted; BotErrors it raises count as a broken
    stream. `is_ongoing()` asks the server's list of running games; `on_gone()` is called when the game is not on it.
    """

    def __init__(
        self,
        game_id: str,
        open_stream: Callable[[str], GameStream],
        on_event: Callable[[GameEvent | None, float], bool],
        is_ongoing: Callable[[str], bool],
        on_gone: Callable[[], None],
    ) -> None:
        self._game_id = game_id
        self._open_stream = open_stream
        self._on_event = on_event
        self._is_ongoing = is_ongoing
        self._on_gone = on_gone
        self._stream: GameStream | None = None
        self._stopped = threading.Event()
        self._wake = threading.Event()
        self._backoff = Backoff(RETRY_FIRST_S, RETRY_MOST_S, immediate=1, jitter=0.2)
        self._without_news = 0  # openings in a row
        self._thread = threading.Thread(target=self._run, name=f"game-{game_id}", daemon=True)

    def start(self) -> None:
        """Begin reading."""
        self._thread.start()

    def reopen(self, why: str) -> None:
        """Close the stream, which cannot be trusted, and open another now."""
        log.info("game_stream_reopened", game_id=self._game_id, why=why)
        self._close_stream()

    def _close_stream(self) -> None:
        self._wake.set()
        stream = self._stream
        if stream is not None:
            stream.close()

    def stop(self) -> None:
        """End the thread, at once where it waits for the stream."""
        self._stopped.set()
        self._close_stream()

    def join(self, timeout_s: float) -> None:
        """Wait for the thread's end, unless it is the calling one."""
        if self._thread is not threading.current_thread():
            self._thread.join(timeout_s)

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                pause_s = self._read_once()
            except Exception:
                log.exception("game_stream_fault", game_id=self._game_id)
                pause_s = self._backoff.next_s()
            if not self._stopped.is_set():
                self._wake.wait(pause_s)
            self._wake.clear()

    def _read_once(self) -> float:
        """Open the stream, read it to its end; returns the pause before the next attempt."""
        try:
            stream = self._open_stream(self._game_id)
        except LichessError as error:
            return self._not_opened(error)
        self._stream = stream
        try:
            if self._stopped.is_set() or not self._read(stream):
                self._stopped.set()
                return 0.0
            log.info("game_stream_ended", game_id=self._game_id)
            self._without_news += 1
            if self._without_news >= OPENINGS_WITHOUT_NEWS:
                self._check()
        except BotError as error:
            log.warning("game_stream_broken", game_id=self._game_id, error=str(error))
        finally:
            self._stream = None
            stream.close()
        return self._backoff.next_s()

    def _read(self, stream: GameStream) -> bool:
        """False when the game wants no more."""
        events = 0
        for event in stream:
            if not self._on_event(event, time.monotonic()):
                return False
            if event is not None:
                events += 1
                if events == 1:
                    self._backoff.reset()
                else:  # the first line is the state we knew; the second is news
                    self._without_news = 0
        return True

    def _not_opened(self, error: LichessError) -> float:
        log.warning("game_stream_not_opened", game_id=self._game_id, error=str(error))
        if isinstance(error, RateLimited):
            return self._backoff.next_s(min(error.retry_after_s, MAX_LIMIT_S))
        if isinstance(error, Rejected):
            self._check()
        return self._backoff.next_s()

    def _check(self) -> None:
        """Ask whether the game still runs; a failing request decides nothing."""
        try:
            ongoing = self._is_ongoing(self._game_id)
        except LichessError as error:
            log.warning("ongoing_games_unknown", game_id=self._game_id, error=str(error))
            return
        if not ongoing:
            self._stopped.set()
            self._on_gone()
