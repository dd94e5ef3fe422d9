"""Reads one game's stream and opens it again until the game is known to be over: one thread a game."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable

import structlog

from bot.errors import BotError, LichessError, RateLimited, Rejected
from bot.events import GameEvent
from bot.play.game_context import GameStream

PAUSES_S = (0.0, 0.2, 0.5, 1.0, 2.0, 3.0)  # between attempts; the clock runs meanwhile, so the last is short
MAX_LIMIT_S = 20.0
BARREN_OPENINGS = 3  # openings in a row that brought no news, before the account's list of games is asked

log = structlog.get_logger(__name__)


class GameReader:
    """Feeds `hear(event, now_s)` until `stop()`.

    `hear` returns False when the game is over and nothing more is wanted; BotErrors it raises count as a broken stream.
    `is_ongoing()` asks the server's list of running games; `vanished()` is called when the game is not on it.
    """

    def __init__(
        self,
        game_id: str,
        open_stream: Callable[[str], GameStream],
        hear: Callable[[GameEvent | None, float], bool],
        is_ongoing: Callable[[str], bool],
        vanished: Callable[[], None],
    ) -> None:
        self._game_id = game_id
        self._open_stream = open_stream
        self._hear = hear
        self._is_ongoing = is_ongoing
        self._vanished = vanished
        self._stream: GameStream | None = None
        self._stopped = threading.Event()
        self._hurry = threading.Event()
        self._failures = 0
        self._barren = 0
        self._thread = threading.Thread(target=self._run, name=f"game-{game_id}", daemon=True)

    def start(self) -> None:
        """Begin reading."""
        self._thread.start()

    def reopen(self) -> None:
        """The stream is not to be trusted: open another now."""
        self._hurry.set()
        stream = self._stream
        if stream is not None:
            stream.close()

    def stop(self) -> None:
        """End the thread, at once where it waits for the stream."""
        self._stopped.set()
        self.reopen()

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
                pause_s = self._next_pause()
            if not self._stopped.is_set():
                self._hurry.wait(pause_s)
            self._hurry.clear()

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
            self._barren += 1
            if self._barren >= BARREN_OPENINGS:
                self._check()
        except BotError as error:
            log.warning("game_stream_broken", game_id=self._game_id, error=str(error))
        finally:
            self._stream = None
            stream.close()
        return self._next_pause()

    def _read(self, stream: GameStream) -> bool:
        """False when the game wants no more."""
        events = 0
        for event in stream:
            if not self._hear(event, time.monotonic()):
                return False
            if event is not None:
                events += 1
                if events == 1:
                    self._failures = 0
                else:  # the first line is the state we knew; the second is news
                    self._barren = 0
        return True

    def _not_opened(self, error: LichessError) -> float:
        log.warning("game_stream_not_opened", game_id=self._game_id, error=str(error))
        if isinstance(error, RateLimited):
            return min(error.retry_after_s, MAX_LIMIT_S) * random.uniform(1.0, 1.2)
        if isinstance(error, Rejected):
            self._check()
        return self._next_pause()

    def _check(self) -> None:
        """Ask whether the game still runs; a failing request decides nothing."""
        try:
            ongoing = self._is_ongoing(self._game_id)
        except LichessError as error:
            log.warning("ongoing_games_unknown", game_id=self._game_id, error=str(error))
            return
        if not ongoing:
            self._stopped.set()
            self._vanished()

    def _next_pause(self) -> float:
        pause_s = PAUSES_S[min(self._failures, len(PAUSES_S) - 1)]
        self._failures += 1
        return pause_s * random.uniform(0.8, 1.2)
