"""Reads one game's stream in a thread of its own, and reopens it until the game is over."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable

import structlog

from bot.backoff import Backoff, Pacer, is_worth_a_line
from bot.errors import BotError, LichessError, RateLimited, Rejected, Unauthorized
from bot.events.game import GameEvent, GameFull, GameState
from bot.lichess.server import Stream
from bot.supervised_loop import start_thread

log = structlog.get_logger(__name__)

OPENING_S = 4.0  # the first line comes with the opening
SILENT_S = 10.0  # keep-alives come every 7 s


class StreamWatchdog:
    """When the last line came. Pure; times are monotonic seconds.

    Keep-alives do not prove that moves are delivered: that shows in the list of running games (GameLoop.compare).
    """

    def __init__(self, now_s: float) -> None:
        self._line_s = now_s
        self._attempt_s = -math.inf  # about when the latest attempt to open a stream began

    def note_line(self, now_s: float) -> float:
        """Note a line or keep-alive; return when the line before it came."""
        before_s, self._line_s = self._line_s, now_s
        return before_s

    def stale(self, now_s: float, *, opened: bool, pausing: bool) -> bool:
        """Return whether to reopen the stream. Each new stream gets its time before it is stale, too.

        `opened`: whether the game's first line has ever arrived. `pausing`: whether the reader waits before its next
        attempt, which the watchdog does not hurry.
        """
        silent = now_s - max(self._line_s, self._attempt_s) > (SILENT_S if opened else OPENING_S)
        if silent or pausing:
            self._attempt_s = now_s
        return silent and not pausing


RETRY_FIRST_S, RETRY_MOST_S = 0.2, 3.0  # the clock runs meanwhile: no wait is long
RETRY_SHARE, RETRY_LEAST_S = 0.1, 0.5  # ... nor longer than this share of our clock, or half a second
MAX_LIMIT_S = 20.0
LIVED_S = 10.0  # a stream that lived so long was a good one
OPENINGS_WITHOUT_NEWS = 3  # in a row, before (and as often as) the server is asked whether the game still runs
TOKEN_REJECTED = 401
LONGEST_OPENING_S = 4.0  # an opening that takes longer is left behind, and another one is begun

SILENT = "no keep-alive for a while"


class GameReader:
    """Calls `on_event(event, now_s)` for each line until `stop()`; a keep-alive is None.

    `on_event` returns False when the game is over and nothing more is wanted; BotErrors it raises count as a broken
    stream. `ask_whether_over()` has somebody ask the server whether the game still runs, and returns at once.

    A stream that lived is reopened at once. One that ended early waits its turn with those of all games (`pacer`), and
    one without news waits longer each time, as does a failed opening. `clock_s()` returns what may be left on our
    clock, 0 if that is unknown, and None for a game that needs no early turn.
    """

    def __init__(
        self,
        game_id: str,
        open_stream: Callable[[str], Stream[GameEvent]],
        on_event: Callable[[GameEvent | None, float], bool],
        ask_whether_over: Callable[[], None],
        pacer: Pacer,
        clock_s: Callable[[], float | None],
    ) -> None:
        self._game_id = game_id
        self._open_stream = open_stream
        self._on_event = on_event
        self._ask_whether_over = ask_whether_over
        self._pacer = pacer
        self._clock_s = clock_s
        self._stream: Stream[GameEvent] | None = None
        self._last_news: object = None  # the parts of the latest line that can change
        self._stopped = threading.Event()
        self._wake = threading.Event()
        self._backoff = Backoff(RETRY_FIRST_S, RETRY_MOST_S, jitter=0.2)
        self.pausing = False  # whether the thread waits before its next attempt
        self._ended_early = self._reopening = False
        self._without_news = 0  # openings in a row
        self._not_opened_times = 0  # in a row
        self._started = False
        self._lock = threading.Lock()  # of the next two
        self._opening_s: float | None = None  # since when a stream is being opened
        self._turn = 0  # the number of the thread that reads; one with an earlier number ends after its opening
        self._first_lines = 0  # handled
        self._first_line_handled = threading.Condition()

    def start(self) -> bool:
        """Begin reading, once; False where no thread can be started for the moment."""
        self._started = self._started or start_thread("game", self._game_id, lambda: self._run(0))
        return self._started

    def refresh(self, timeout_s: float) -> bool:
        """Reopen the stream and wait for its first line; return whether it arrived. Not for threads that hold locks."""
        with self._first_line_handled:
            before = self._first_lines
            self.reopen("an answer of the server was lost")
            return self._first_line_handled.wait_for(
                lambda: self._first_lines > before or self._stopped.is_set(), timeout_s
            )

    def reopen(self, why: str) -> None:
        """Close the stream, which cannot be trusted, and open another now."""
        log.info("game_stream_reopened", game_id=self._game_id, why=why)
        self._reopening = True
        self._close_stream()
        with self._lock:
            now_s = time.monotonic()
            if self._opening_s is None or now_s - self._opening_s <= LONGEST_OPENING_S:
                return
            self._turn = turn = self._turn + 1
            if start_thread("game", self._game_id, lambda: self._run(turn)):
                self._opening_s = now_s
            else:
                self._turn = turn - 1

    def _close_stream(self) -> None:
        self._wake.set()
        stream = self._stream
        if stream is not None:
            stream.close()

    def stop(self) -> None:
        """End the thread, and `refresh` in other threads, without waiting for the stream."""
        self._stopped.set()
        with self._first_line_handled:
            self._first_line_handled.notify_all()
        self._close_stream()

    def _run(self, turn: int) -> None:
        while not self._stopped.is_set() and turn == self._turn:
            try:
                pause_s = self._read_once(turn)
            except Exception:
                log.exception("game_stream_fault", game_id=self._game_id)
                pause_s, self._ended_early = self._next_pause_s(), True
            if turn != self._turn:
                return
            self.pausing = True
            if not self._stopped.is_set():
                self._wake.wait(pause_s)
            if self._ended_early and not self._stopped.is_set():
                self._stopped.wait(self._pacer.delay_s(time.monotonic(), urgent=self._clock_s() is not None))
            self._wake.clear()
            self.pausing = False

    def _read_once(self, turn: int) -> float:
        """Open the stream, read it to its end; returns the pause before the next attempt."""
        self._ended_early = False
        self._opening_s = time.monotonic()
        try:
            stream = self._open_stream(self._game_id)
        except LichessError as error:
            return self._not_opened(error) if self._is_opened_by(turn) else 0.0
        if not self._is_opened_by(turn):
            stream.close()
            return 0.0
        self._stream, self._reopening, self._not_opened_times = stream, False, 0
        opened_s = time.monotonic()
        self._without_news += 1
        try:
            if self._stopped.is_set() or not self._read(stream):
                self._stopped.set()
            if self._stopped.is_set():
                return 0.0
            if not self._reopening:
                log.info("game_stream_ended", game_id=self._game_id, next="reopened")
            if self._without_news and self._without_news % OPENINGS_WITHOUT_NEWS == 0:
                self._ask_whether_over()
        except BotError as error:
            log.warning("game_stream_broken", game_id=self._game_id, error=str(error), next="reopened")
        finally:
            self._stream = None
            stream.close()
        return self._pause_after(time.monotonic() - opened_s)

    def _is_opened_by(self, turn: int) -> bool:
        """Return whether a thread whose opening has ended still reads for the game."""
        with self._lock:
            if turn != self._turn:
                return False
            self._opening_s = None
            return True

    def _read(self, stream: Stream[GameEvent]) -> bool:
        """False when the game wants no more."""
        for event in stream:
            if not self._on_event(event, time.monotonic()):
                return False
            if isinstance(event, GameFull):
                with self._first_line_handled:
                    self._first_lines += 1
                    self._first_line_handled.notify_all()
            if event is not None and self._is_news(event):
                self._without_news = 0
        return True

    def _is_news(self, event: GameEvent) -> bool:
        """Return whether the line differs from the previous one, of this stream or an earlier one."""
        state = event.state if isinstance(event, GameFull) else event
        if not isinstance(state, GameState):
            return False
        news = (state.moves, state.status, state.wdraw, state.bdraw, state.wtakeback, state.btakeback)
        before, self._last_news = self._last_news, news
        return news != before

    def _pause_after(self, lived_s: float) -> float:
        """Seconds to wait after a stream has ended."""
        self._ended_early = lived_s < LIVED_S
        if self._ended_early and self._without_news:
            return self._next_pause_s()
        self._backoff.reset()
        return 0.0

    def _next_pause_s(self, limit_s: float = 0.0) -> float:
        """Seconds to wait after a failure; `limit_s`: how long the server wants no attempt."""
        pause_s, clock_s = self._backoff.next_s(limit_s), self._clock_s()
        return min(pause_s, limit_s + max(RETRY_LEAST_S, RETRY_SHARE * clock_s)) if clock_s else pause_s

    def _not_opened(self, error: LichessError) -> float:
        self._not_opened_times += 1
        is_logged = isinstance(error, Unauthorized)  # by the gateway, once for all games
        # Retries wait their turn with those of all games. While the token is rejected, the gateway sends next to none.
        self._ended_early = not (isinstance(error, Unauthorized) and error.status == TOKEN_REJECTED)
        tell = log.warning if is_worth_a_line(self._not_opened_times) and not is_logged else log.debug
        tell("game_stream_not_opened", game_id=self._game_id, times=self._not_opened_times, error=str(error))
        if isinstance(error, RateLimited):
            return self._next_pause_s(min(error.retry_after_s, MAX_LIMIT_S))
        if isinstance(error, Rejected) and not is_logged:
            self._ask_whether_over()
        return self._next_pause_s()
