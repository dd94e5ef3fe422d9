"""Reads the account's event stream, and reopens it after each end with growing pauses.

Lichess keeps one event stream per token and closes the older one cleanly. So a second program shows like this: the
stream opens at once and ends cleanly soon after, again and again, while the server answers all the time. A restarting
server closes cleanly too, but then it cannot be reached for a while, or it keeps the next stream open.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import structlog

from bot.backoff import Backoff, is_worth_a_line
from bot.errors import LichessError, RateLimited, Unauthorized
from bot.events.account import AccountEvent
from bot.lichess.server import Stream
from bot.supervised_loop import SupervisedLoop

HEALTHY_S = 60.0  # a stream that lived this long resets the pauses
FIRST_PAUSE_S = 0.5  # the pauses of the list of running games lie between
JITTER = 0.1
MAX_PAUSE_S = 30.0  # 30 openings in ten minutes are allowed
REJECTED_PAUSE_S = 5.0  # while the gateway itself holds back what a rejected token would send
CONFLICT_PAUSES_S = (60.0, 600.0)  # first and longest, while another program uses our token
REMIND_S = 3600.0  # a conflict that continues is logged again after this
SHORT_LIVED_S = 90.0  # a stream that ends cleanly within this was replaced by another one, or the server restarts
CONFLICT_AFTER = 3  # such ends

log = structlog.get_logger(__name__)


class AccountReader:
    """Calls `on_event(event)` for each event and `on_open()` after each opening, on the reader's thread."""

    def __init__(
        self,
        open_stream: Callable[[], Stream[AccountEvent]],
        on_event: Callable[[AccountEvent], None],
        on_open: Callable[[], None],
    ) -> None:
        """Prepare the reader; `start` opens the stream."""
        self._open_stream = open_stream
        self._on_event = on_event
        self._on_open = on_open
        self._backoff = Backoff(FIRST_PAUSE_S, MAX_PAUSE_S, jitter=JITTER)
        self._conflict_backoff = Backoff(*CONFLICT_PAUSES_S)
        self._stream: Stream[AccountEvent] | None = None
        self._reopening = self._routine = False
        self._conflict_named_s: float | None = None
        self._early_ends = 0  # clean, in a row, with nothing else between them
        self.token_rejected = False
        self.opened_s: float | None = None  # monotonic; None while there is no stream
        self.last_event_s = time.monotonic()  # the last line that was an event
        self.last_line_s: float | None = None  # the last sign of life: an opening, an event or a keep-alive
        self.openings = 0  # without routine reopenings
        self.failed_openings = 0  # in a row
        self._loop = SupervisedLoop("account-stream", self._work)

    def start(self) -> None:
        """Begin reading."""
        self._loop.ensure_started()

    def reopen(self, why: str, *, routine: bool = False) -> None:
        """Reopen the stream because it missed something or, with `routine`, because it may have."""
        stream = self._stream
        if stream is not None and not self._reopening:
            (log.debug if routine else log.warning)("account_stream_reopened", why=why)
            self._reopening, self._routine = True, routine
            stream.close()

    def close(self) -> None:
        """End the thread."""
        self._loop.stop()
        stream = self._stream
        if stream is not None:
            stream.close()

    @property
    def token_used_twice(self) -> bool:
        """Whether a second program with our token is the only good explanation of clean, early ends."""
        return self._early_ends >= CONFLICT_AFTER

    @property
    def connected(self) -> bool:
        """Whether the stream is open."""
        return self.opened_s is not None

    def _work(self) -> None:
        while not self._loop.stopped:
            self._loop.wait(self._read_once())

    def _read_once(self) -> float:
        """Open the stream and read it to its end. Return the pause before the next attempt."""
        try:
            stream = self._open_stream()
        except LichessError as error:
            return self._pause_after_refusal(error)
        began_s = time.monotonic()
        self._stream, self.opened_s, self._reopening = stream, began_s, False
        self.last_line_s = began_s
        self.openings += not self._routine
        self._routine = False
        self.failed_openings = 0
        self.token_rejected = False
        try:
            if not self._loop.stopped:  # `close` found no stream while this one was being opened
                self._on_open()
                self._read(stream, began_s)
        except LichessError as error:
            self._early_ends = 0  # the fault is the server's
            log.warning("account_stream_broken", error=str(error))
        else:
            self._note_clean_end(time.monotonic() - began_s)
        finally:
            self._stream, self.opened_s = None, None
            stream.close()
        return self._pause_after_end(time.monotonic() - began_s)

    def _read(self, stream: Stream[AccountEvent], began_s: float) -> None:
        for event in stream:
            now = time.monotonic()
            self.last_line_s = now
            if now - began_s >= SHORT_LIVED_S:
                self._early_ends = 0
            if event is not None:
                self.last_event_s = now
                try:
                    self._on_event(event)
                except Exception:  # a fault of ours in one event must not cost us the others
                    log.exception("account_event_fault", kind=type(event).__name__)

    def _pause_after_end(self, lived_s: float) -> float:
        if self._loop.stopped or self._reopening:
            return 0.0
        if self.token_used_twice:
            return self._conflict_backoff.next_s()
        self._conflict_backoff.reset()
        if lived_s >= HEALTHY_S:
            self._backoff.reset()
        return self._backoff.next_s()

    def _note_clean_end(self, lived_s: float) -> None:
        if self._loop.stopped or self._reopening:
            return
        self._early_ends = self._early_ends + 1 if lived_s < SHORT_LIVED_S else 1
        if not self.token_used_twice:
            log.warning("account_stream_ended", lived_s=round(lived_s, 1))
            return
        now = time.monotonic()
        if self._conflict_named_s is None or now - self._conflict_named_s >= REMIND_S:
            self._conflict_named_s = now
            log.error(
                "token_used_twice",
                remedy="another program reads the event stream of this account: stop it, or give each its own account",
            )

    def _pause_after_refusal(self, error: LichessError) -> float:
        self._early_ends = 0
        if isinstance(error, Unauthorized):  # logged, and tried slowly, by the gateway
            self.token_rejected = True
            return REJECTED_PAUSE_S if error.status == 401 else self._backoff.next_s()
        self.failed_openings += 1
        tell = log.warning if is_worth_a_line(self._backoff.failures + 1) else log.debug
        tell("account_stream_not_opened", times=self._backoff.failures + 1, error=str(error))
        return self._backoff.next_s(least_s=error.retry_after_s if isinstance(error, RateLimited) else 0.0)
