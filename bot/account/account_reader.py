"""Reads the account's stream for ever: opens it again with growing pauses, notices when another program takes it over.

Lichess keeps one event stream per token and closes the older one cleanly. So a take-over looks like this: the stream
opens at once, ends cleanly soon after, and again, and again, while the server answers all the time. A restarting
server closes cleanly too, but then it cannot be reached for a while, or it keeps the next stream open.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Protocol

import structlog

from bot.errors import LichessError, RateLimited, Unauthorized
from bot.events import AccountEvent
from bot.lichess.rate_limits import Backoff

SOON_S = 90.0  # a stream that ends cleanly within this was taken from us, or the server restarts
TAKEN_AFTER = 3  # such ends in a row, nothing else between them, are no accident
HEALTHY_S = 60.0  # a stream that lived so long resets the pauses
FIRST_PAUSE_S = 0.5
MOST_PAUSE_S = 30.0  # 30 openings in ten minutes are allowed
UNAUTHORIZED_PAUSE_S = 60.0

log = structlog.get_logger(__name__)


class AccountStream(Protocol):
    """What the gateway's account stream gives; close() from any thread ends it."""

    def __iter__(self) -> Iterator[AccountEvent | None]:
        """Until the clean end; raises StreamBroken."""

    def close(self) -> None:
        """End the iteration at once."""


class TakeOver:
    """Counts the ends of the stream that look like a take-over. Pure."""

    def __init__(self) -> None:
        self._ends = 0

    @property
    def suspected(self) -> bool:
        """Whether another program with our token is the only good explanation left."""
        return self._ends >= TAKEN_AFTER

    def ended_cleanly(self, lived_s: float) -> None:
        """The server closed the stream in good order."""
        self._ends = self._ends + 1 if lived_s < SOON_S else 1

    def failed(self) -> None:
        """The stream broke, or could not be opened: the server has troubles of its own."""
        self._ends = 0

    def lived(self, lived_s: float) -> None:
        """The stream is open and has been for so long."""
        if lived_s >= SOON_S:
            self._ends = 0


class AccountReader:
    """Feeds `hear(event)`; `opened()` is called after each opening, from the reader's thread."""

    def __init__(
        self,
        open_stream: Callable[[], AccountStream],
        hear: Callable[[AccountEvent], None],
        opened: Callable[[], None],
        *,
        first_pause_s: float = FIRST_PAUSE_S,
        most_pause_s: float = MOST_PAUSE_S,
    ) -> None:
        self._open_stream = open_stream
        self._hear = hear
        self._opened = opened
        self._backoff = Backoff(first_pause_s, most_pause_s)
        self._stopped = threading.Event()
        self._wake = threading.Event()
        self._stream: AccountStream | None = None
        self._reopening = False
        self.take_over = TakeOver()
        self.opened_s: float | None = None  # monotonic; None while there is no stream
        self.last_event_s = time.monotonic()  # the last line that was an event
        self.last_line_s = time.monotonic()  # the last line or keep-alive
        self._thread = threading.Thread(target=self._run, name="account-stream", daemon=True)

    def start(self) -> None:
        """Begin reading."""
        self._thread.start()

    def reopen(self, why: str) -> None:
        """Open the stream anew: it has missed something."""
        stream = self._stream
        if stream is not None and not self._reopening:
            log.warning("account_stream_reopened", why=why)
            self._reopening = True
            stream.close()

    def close(self) -> None:
        """End the thread at once."""
        self._stopped.set()
        self._wake.set()
        stream = self._stream
        if stream is not None:
            stream.close()

    @property
    def connected(self) -> bool:
        """Whether the stream is open."""
        return self.opened_s is not None

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                pause_s = self._read_once()
            except Exception:  # a fault of ours must not make us deaf for ever
                log.exception("account_stream_fault")
                pause_s = self._backoff.next_s()
            self._wake.wait(pause_s)

    def _read_once(self) -> float:
        """Open, read to the end; returns the pause before the next attempt."""
        try:
            stream = self._open_stream()
        except LichessError as error:
            return self._not_opened(error)
        began_s = time.monotonic()
        self._stream, self.opened_s, self._reopening = stream, began_s, False
        try:
            self._opened()
            self._read(stream, began_s)
        except LichessError as error:
            self.take_over.failed()
            log.warning("account_stream_broken", error=str(error))
        else:
            self._ended(time.monotonic() - began_s)
        finally:
            self._stream, self.opened_s = None, None
            stream.close()
        if self._stopped.is_set() or self._reopening:
            return 0.0
        if time.monotonic() - began_s >= HEALTHY_S:
            self._backoff.reset()
        return self._backoff.next_s()

    def _read(self, stream: AccountStream, began_s: float) -> None:
        for event in stream:
            now = time.monotonic()
            self.last_line_s = now
            self.take_over.lived(now - began_s)
            if event is not None:
                self.last_event_s = now
                try:
                    self._hear(event)
                except Exception:  # a fault of ours in one event must not cost us the others
                    log.exception("account_event_fault", kind=type(event).__name__)

    def _ended(self, lived_s: float) -> None:
        if self._stopped.is_set() or self._reopening:
            return
        self.take_over.ended_cleanly(lived_s)
        if self.take_over.suspected:
            log.error(
                "token_used_twice",
                remedy="another program reads the event stream of this account: stop it, or give each its own account",
            )
        else:
            log.warning("account_stream_ended", lived_s=round(lived_s, 1))

    def _not_opened(self, error: LichessError) -> float:
        self.take_over.failed()
        log.warning("account_stream_not_opened", error=str(error))
        if isinstance(error, RateLimited):
            return error.retry_after_s + self._backoff.next_s()
        return UNAUTHORIZED_PAUSE_S if isinstance(error, Unauthorized) else self._backoff.next_s()
