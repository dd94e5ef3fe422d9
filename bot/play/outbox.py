"""Posts a move until the server's state shows it, the position has changed, or the game is over.

One thread per game waits for moves, so that a move leaves the moment it is known. A POST that gets no answer is not
waited for: a second thread posts again, for a move posted twice is refused by the server without harm and a move not
posted loses on time.
"""

from __future__ import annotations

import queue
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog

from bot.errors import LichessError, NetworkError, RateLimited, Rejected

CONFIRM_S = 2.0  # after an accepted POST the stream shows the move within this, or the stream is not to be trusted
LIMITED_S = 1.0  # a limited move is tried again after about this, whatever the limit says: the clock runs
RETRIES_S = (0.0, 0.1, 0.3, 1.0)  # after failures of network or server; the last repeats
REFUSED_S = (0.5, 1.0, 2.0, 5.0)  # after refusals: mostly the move has landed and the stream is about to show it
PATIENCE_S = 1.5  # a POST without an answer for so long gets a rival
MAX_RIVALS = 4  # threads that may hang on one move at once

Post = Callable[[str, bool], object]

log = structlog.get_logger(__name__)


@dataclass(eq=False)
class Delivery:
    """One move on its way; `settled` is set when the server shows it or no longer wants it."""

    revision: int
    uci: str
    offering_draw: bool = False
    settled: threading.Event = field(default_factory=threading.Event)
    posted_s: float | None = None  # monotonic start of the latest POST
    accepted: bool = False  # some POST was answered with success
    posts: int = 0
    failures: int = 0
    refusals: int = 0
    rivals: int = 0


class Outbox:
    """The moves of one game on their way to the server.

    `post(uci, offering_draw)` raises LichessError. `on_doubt()` is called, from the posting thread, when the stream
    should have shown the move and has not: open it again. `on_round_trip(ms)` hears how long each answered POST took.
    """

    def __init__(
        self, game_id: str, post: Post, on_doubt: Callable[[], None], on_round_trip: Callable[[float], None]
    ) -> None:
        self._game_id = game_id
        self._post = post
        self._on_doubt = on_doubt
        self._on_round_trip = on_round_trip
        self._lock = threading.Lock()
        self._threads = 0
        self._closed = False
        self._in_post = 0
        self._current: Delivery | None = None
        self._queue: queue.SimpleQueue[Delivery | None] = queue.SimpleQueue()
        self._hire()

    def send(self, delivery: Delivery) -> None:
        """Start delivering; an earlier delivery must have been settled. Returns at once."""
        with self._lock:
            self._current = delivery
            busy = self._in_post > 0
        if busy:  # the thread still waits for an answer about an earlier move: it must not hold this one
            self._hire()
        self._queue.put(delivery)

    def tick(self, now_s: float) -> None:
        """Give a POST that hangs a rival."""
        with self._lock:
            delivery = self._current
            if self._closed or delivery is None or delivery.settled.is_set() or delivery.posted_s is None:
                return
            hangs = self._in_post > 0 and now_s - delivery.posted_s > PATIENCE_S
            if not hangs or delivery.rivals >= MAX_RIVALS:
                return
            delivery.rivals += 1
        log.warning("move_post_hangs", game_id=self._game_id, move=delivery.uci, rival=delivery.rivals)
        self._hire()
        self._queue.put(delivery)

    def close(self) -> None:
        """Drop what is under way and end the threads; one in a POST ends when the answer comes."""
        with self._lock:
            self._closed = True
            if self._current is not None:
                self._current.settled.set()
            threads = self._threads
        for _ in range(threads):
            self._queue.put(None)

    def _hire(self) -> None:
        with self._lock:
            self._threads += 1
        threading.Thread(target=self._work, name=f"outbox-{self._game_id}", daemon=True).start()

    def _work(self) -> None:
        while (delivery := self._queue.get()) is not None:
            while not delivery.settled.is_set():
                delivery.settled.wait(self._attempt(delivery))
            if self._surplus():
                return

    def _surplus(self) -> bool:
        """Whether this thread, having finished, is one more than the game needs."""
        with self._lock:
            if self._threads > 1 and not self._closed:
                self._threads -= 1
                return True
        return False

    def _attempt(self, delivery: Delivery) -> float:
        """Post once; returns the seconds to wait for the state to show the move before the next attempt."""
        if delivery.accepted or delivery.refusals > 1:
            self._on_doubt()
        started_s = time.monotonic()
        delivery.posted_s = started_s
        delivery.posts += 1
        with self._lock:
            self._in_post += 1
        try:
            self._post(delivery.uci, delivery.offering_draw)
        except LichessError as error:
            return self._pause_after(delivery, error)
        except Exception as error:  # a fault of ours or of a library: the move must go out all the same
            log.exception("move_post_fault", game_id=self._game_id, move=delivery.uci)
            return self._pause_after(delivery, NetworkError(f"{type(error).__name__}: {error}"))
        finally:
            with self._lock:
                self._in_post -= 1
        self._on_round_trip((time.monotonic() - started_s) * 1000)
        delivery.accepted = True
        return CONFIRM_S

    def _pause_after(self, delivery: Delivery, error: LichessError) -> float:
        if delivery.settled.is_set():
            return 0.0
        log.warning(
            "move_not_taken", game_id=self._game_id, move=delivery.uci, attempt=delivery.posts, error=str(error)
        )
        if isinstance(error, RateLimited):
            pause = min(max(error.retry_after_s, LIMITED_S / 2), LIMITED_S)
        elif isinstance(error, Rejected):
            pause = REFUSED_S[min(delivery.refusals, len(REFUSED_S) - 1)]
            delivery.refusals += 1
        else:  # NetworkError, ServerError
            pause = RETRIES_S[min(delivery.failures, len(RETRIES_S) - 1)]
            delivery.failures += 1
        return pause * random.uniform(0.9, 1.1)
