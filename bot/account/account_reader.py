"""Reads the account's event stream for ever: opens it again after each end, with growing pauses."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import structlog

from bot.account.token_conflict import TokenConflict
from bot.backoff import Backoff, is_worth_a_line
from bot.errors import LichessError, RateLimited, Unauthorized
from bot.events import AccountEvent
from bot.lichess.server import Stream
from bot.supervised_loop import SupervisedLoop

HEALTHY_S = 60.0  # a stream that lived so long resets the pauses
FIRST_PAUSE_S = 0.5
MAX_PAUSE_S = 30.0  # 30 openings in ten minutes are allowed
CONFLICT_PAUSES_S = (60.0, 600.0)  # first and longest, while another program uses our token
REMIND_S = 3600.0  # a conflict that goes on is named again after this

log = structlog.get_logger(__name__)


class AccountReader:
    """Calls `on_event(event)` for each event and `on_open()` after each opening, on the reader's thread."""

    def __init__(
        self,
        open_stream: Callable[[], Stream[AccountEvent]],
        on_event: Callable[[AccountEvent], None],
        on_open: Callable[[], None],
        *,
        first_pause_s: float = FIRST_PAUSE_S,
        max_pause_s: float = MAX_PAUSE_S,
        conflict_pauses_s: tuple[float, float] = CONFLICT_PAUSES_S,
    ) -> None:
        """Prepare the reader; `start` opens the stream."""
        self._open_stream = open_stream
        self._on_event = on_event
        self._on_open = on_open
        self._backoff = Backoff(first_pause_s, max_pause_s)
        self._conflict_backoff = Backoff(*conflict_pauses_s)
        self._stopped = threading.Event()
        self._stream: Stream[AccountEvent] | None = None
        self._reopening = False
        self._conflict_named_s: float | None = None
        self.token_conflict = TokenConflict()
        self.token_rejected = False
        self.opened_s: float | None = None  # monotonic; None while there is no stream
        self.last_event_s = time.monotonic()  # the last line that was an event
        self.last_line_s: float | None = None  # the last sign of life: an opening, an event or a keep-alive
        self.openings = 0
        self._loop = SupervisedLoop("account-stream", self._read_for_ever)

    def start(self) -> None:
        """Begin reading."""
        self._loop.ensure_started()

    def reopen(self, why: str) -> None:
        """Open the stream anew because it has missed something."""
        stream = self._stream
        if stream is not None and not self._reopening:
            log.warning("account_stream_reopened", why=why)
            self._reopening = True
            stream.close()

    def close(self) -> None:
        """End the thread at once."""
        self._loop.stop()
        self._stopped.set()
        stream = self._stream
        if stream is not None:
            stream.close()

    @property
    def connected(self) -> bool:
        """Whether the stream is open."""
        return self.opened_s is not None

    def _read_for_ever(self) -> None:
        while not self._stopped.is_set():
            self._stopped.wait(self._read_once())

    def _read_once(self) -> float:
        """Open the stream and read it to its end; returns the pause before the next attempt."""
        try:
            stream = self._open_stream()
        except LichessError as error:
            return self._pause_after_refusal(error)
        began_s = time.monotonic()
        self._stream, self.opened_s, self._reopening = stream, began_s, False
        self.last_line_s = began_s
        self.openings += 1
        self.token_rejected = False
        try:
            if not self._stopped.is_set():  # closed while it was being opened: there was no stream yet to close
                self._on_open()
                self._read(stream, began_s)
        except LichessError as error:
            self.token_conflict.failed()
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
            self.token_conflict.stayed_open(now - began_s)
            if event is not None:
                self.last_event_s = now
                try:
                    self._on_event(event)
                except Exception:  # a fault of ours in one event must not cost us the others
                    log.exception("account_event_fault", kind=type(event).__name__)

    def _pause_after_end(self, lived_s: float) -> float:
        if self._stopped.is_set() or self._reopening:
            return 0.0
        if self.token_conflict.suspected:
            return self._conflict_backoff.next_s()
        self._conflict_backoff.reset()
        if lived_s >= HEALTHY_S:
            self._backoff.reset()
        return self._backoff.next_s()

    def _note_clean_end(self, lived_s: float) -> None:
        if self._stopped.is_set() or self._reopening:
            return
        self.token_conflict.ended_cleanly(lived_s)
        if not self.token_conflict.suspected:
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
        self.token_conflict.failed()
        if isinstance(error, Unauthorized):  # logged, and tried slowly, by the gateway
            self.token_rejected = True
            return self._backoff.next_s()
        tell = log.warning if is_worth_a_line(self._backoff.failures + 1) else log.debug
        tell("account_stream_not_opened", times=self._backoff.failures + 1, error=str(error))
        return self._backoff.next_s(least_s=error.retry_after_s if isinstance(error, RateLimited) else 0.0)
