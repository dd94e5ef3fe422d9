"""Which requests are held back: those that the server limits, and those whose token it rejects. Shared by all threads.

A limit applies to one class of endpoints, or to its name if the server names it ("bot.vsBot.day"), because it then
concerns only some requests of a class. A bare 429 has a wait from a table, doubled each time. Limits are kept over
restarts.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from bot.backoff import exponential_s
from bot.errors import LichessError, RateLimited, Rejected, Unauthorized
from bot.log import get_logger

log = get_logger(__name__)


class Endpoint(StrEnum):
    """Classes of endpoints that are limited together."""

    MOVE = "move"
    GAME_ACTION = "game action"
    CHAT = "chat"
    CHALLENGE = "challenge"
    ANSWER = "challenge answer"
    ACCOUNT = "account"
    EVENT_STREAM = "event stream"
    GAME_STREAM = "game stream"
    OTHER = "other"


#: The limit of 100 games a day between bots, under the name the server gives it.
BOT_VS_BOT_DAY = "bot.vsBot.day"

_DAY_S, _MOST_S = 86_400.0, 900.0

#: Seconds after the first bare 429, the most after repeated ones, and the most when the server names a time. That is
#: capped because a wrong one must not keep the bot away, and because in a running game the clock is the harder limit.
_WAITS_S: dict[str, tuple[float, float, float]] = {
    Endpoint.MOVE: (1.0, 1.0, 1.0),
    Endpoint.GAME_ACTION: (2.0, 60.0, _MOST_S),
    Endpoint.CHAT: (60.0, 600.0, _MOST_S),
    Endpoint.CHALLENGE: (60.0, 4 * 3600.0, 4 * 3600.0),
    Endpoint.ANSWER: (10.0, 60.0, _MOST_S),
    Endpoint.ACCOUNT: (60.0, 600.0, _MOST_S),
    Endpoint.EVENT_STREAM: (60.0, 600.0, _MOST_S),
    Endpoint.GAME_STREAM: (2.0, 10.0, 10.0),
    Endpoint.OTHER: (60.0, 600.0, _MOST_S),
}

#: The limiter of the whole network address answers in HTML and asks for a minute without requests. Those that can wait
#: do so. Games go on, but all of them together send one request per turn: a second after each 429, and after a success
#: the rate that the limiter allows in the long run, about 180 requests a minute.
_OPTIONAL = (Endpoint.CHAT, Endpoint.CHALLENGE, Endpoint.OTHER)
_NETWORK_WAIT_S = 60.0
_TURN_S, _SHORT_TURN_S = 1.0, 0.35

#: The server allows 30 opens of the event stream in 10 minutes; two are kept back for another start of the bot.
STREAM_OPENS = 28
STREAM_WINDOW_S = 600.0

#: Limits shorter than this are not written to the disk.
_KEEP_FROM_S = 5.0


@dataclass(frozen=True, slots=True)
class Window:
    """A limit until `until_s`; `strikes` counts 429 in a row.

    `until_s` is in monotonic seconds within the process, and in epoch seconds in the store.
    """

    until_s: float
    strikes: int = 0


class WindowStore(Protocol):
    """Keeps limits over restarts; `bot.archive.store.Store` implements it."""

    def windows(self) -> dict[str, Window]:
        """Return the windows by name."""

    def save_window(self, name: str, window: Window) -> None:
        """Keep one window."""

    def stream_opens(self) -> list[float]:
        """Return the recent openings of the event stream in epoch seconds, oldest first."""

    def save_stream_opens(self, opens: list[float]) -> None:
        """Keep the openings."""


class RateLimits:
    """The shared state. Every method may be called from any thread."""

    def __init__(
        self,
        store: WindowStore | None = None,
        now_s: Callable[[], float] = time.monotonic,
        wall_s: Callable[[], float] = time.time,
    ) -> None:
        """Read the limits of an earlier run. `now_s` measures waits; `wall_s` (epoch seconds) is for the store."""
        self._store = store
        self._now_s = now_s
        self._wall_s = wall_s
        self._lock = threading.Lock()
        self._windows: dict[str, Window] = {}
        self._opens: deque[float] = deque()
        self._limited: Counter[str] = Counter()
        self._network_until_s = 0.0
        self._turn_s = _TURN_S
        self._next_turn_s = 0.0
        self._last_turn_was_move = False
        self._waits_until_s = {True: 0.0, False: 0.0}  # until when a move, or another request, counts as waiting
        if store:
            self._restore(store)

    def _restore(self, store: WindowStore) -> None:
        """Convert kept times from the wall clock to the monotonic one, and cap absurd waits."""
        now_s, wall_s = self._now_s(), self._wall_s()
        for name, window in store.windows().items():
            left_s = window.until_s - wall_s
            self._windows[name] = Window(now_s + _capped_s(left_s, name), window.strikes)
        ages_s = [wall_s - opened_s for opened_s in store.stream_opens()]
        self._opens.extend(sorted(now_s - age_s for age_s in ages_s if 0 <= age_s < STREAM_WINDOW_S))

    def seconds_left(self, name: str) -> float:
        """Return the seconds for which an endpoint class or a named limit stays limited."""
        window = self._windows.get(name)
        return max(0.0, window.until_s - self._now_s()) if window else 0.0

    def check(self, endpoint: Endpoint, key: str = "") -> None:
        """Raise RateLimited while the class, or the named limit `key`, is limited."""
        for name in (endpoint.value, key):
            left = self.seconds_left(name) if name else 0.0
            if left > 0:
                raise RateLimited(left, key=name if name == key else "", endpoint=endpoint)
        if self._now_s() < self._network_until_s:
            self._take_turn(endpoint)

    def _take_turn(self, endpoint: Endpoint) -> None:
        """Take the next turn of all games, or raise RateLimited. Moves get every second turn while one waits."""
        now_s, is_move = self._now_s(), endpoint is Endpoint.MOVE
        with self._lock:
            wait_s = self._next_turn_s - now_s
            alone = now_s >= self._waits_until_s[not is_move]
            if wait_s <= 0 and (alone or is_move is not self._last_turn_was_move):
                self._next_turn_s, self._last_turn_was_move = now_s + self._turn_s, is_move
                return
            self._waits_until_s[is_move] = now_s + 2 * _TURN_S
            raise RateLimited(max(wait_s, self._turn_s), endpoint=endpoint)

    def note_limited(
        self, endpoint: Endpoint, *, retry_after_s: float | None = None, key: str = "", network_wide: bool = False
    ) -> RateLimited:
        """Record a 429 and return the error to raise.

        `retry_after_s` and `key`: the wait and the name of the limit, if the server gave them; `network_wide`: the
        answer was HTML and thus came from the limiter of the whole network address.
        """
        with self._lock:
            self._limited[endpoint.value] += 1
            name = key or endpoint.value
            strikes = self._windows[name].strikes + 1 if name in self._windows else 1
            first_s, most_s, _ = _WAITS_S[endpoint]
            wait_s = retry_after_s if retry_after_s is not None else exponential_s(first_s, most_s, strikes - 1)
            wait_s = _capped_s(wait_s, name)
            self._close(name, wait_s, strikes)
            if network_wide:
                for other in _OPTIONAL:
                    self._close(other.value, _NETWORK_WAIT_S, 0)
                now_s = self._now_s()
                self._network_until_s = now_s + _NETWORK_WAIT_S
                self._turn_s, self._next_turn_s = _TURN_S, now_s + _TURN_S
        return RateLimited(wait_s, key=key, endpoint=endpoint)

    def note_success(self, endpoint: Endpoint) -> None:
        """Note a success: the next 429 of the class starts from the shortest wait again."""
        self._turn_s = _SHORT_TURN_S
        if endpoint.value in self._windows:
            with self._lock:
                window = self._windows.pop(endpoint.value, None)
                if window and window.strikes and self._store:
                    self._store.save_window(endpoint.value, Window(0.0))

    def note_stream_open(self) -> None:
        """Count an opening of the event stream. Raises RateLimited, uncounted, if the server would refuse it."""
        with self._lock:
            now = self._now_s()
            while self._opens and now - self._opens[0] >= STREAM_WINDOW_S:
                self._opens.popleft()
            if len(self._opens) >= STREAM_OPENS:
                wait_s = self._opens[0] + STREAM_WINDOW_S - now
                raise RateLimited(wait_s, key="our own budget of openings", endpoint=Endpoint.EVENT_STREAM)
            self._opens.append(now)
            if self._store:
                wall_s = self._wall_s()
                self._store.save_stream_opens([wall_s - (now - opened_s) for opened_s in self._opens])

    def limited_counts(self) -> dict[str, int]:
        """Count the 429 answers since the start, by class of endpoint."""
        return dict(self._limited)  # no lock: the copy is one step for other threads

    def snapshot(self) -> dict[str, float]:
        """Return the seconds left of the current limits, for logs and pages."""
        left = {name: self.seconds_left(name) for name in list(self._windows)}
        return {name: seconds for name, seconds in left.items() if seconds > 0}

    def _close(self, name: str, wait_s: float, strikes: int) -> None:
        now_s = self._now_s()
        old = self._windows.get(name)
        window = Window(max(now_s + wait_s, old.until_s if old else 0.0), strikes or (old.strikes if old else 0))
        self._windows[name] = window
        if self._store and wait_s >= _KEEP_FROM_S:
            self._store.save_window(name, Window(self._wall_s() + window.until_s - now_s, window.strikes))


def _capped_s(wait_s: float, name: str) -> float:
    """Return the wait, capped for an endpoint class, or for a limit by name to the day that the longest one lasts."""
    most_s = _WAITS_S[name][2] if name in _WAITS_S else _DAY_S
    if wait_s > max(most_s, _MOST_S):  # shorter caps are normal in running games
        log.warning("rate_limit_capped", limit=name, asked_s=round(wait_s, 1), wait_s=most_s)
    return min(wait_s, most_s)


#: Seconds until the first retry and the most between later ones. A server that only errs costs a game five seconds.
FIRST_S, MOST_S = 5.0, 900.0


class TokenState:
    """After a 401, requests of the rejected classes fail without being sent, except one at growing intervals.

    Classes that still work are not held back: a server may reject the token in one place only. Requests of the class
    OTHER read public pages, so their answers say nothing about the token.
    """

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._lock = threading.Lock()
        self._rejected: set[Endpoint] = set()
        self._next_s = 0.0  # when the next of the rejected requests may be sent
        self._retries = 0

    @contextmanager
    def asking(self, endpoint: Endpoint) -> Iterator[None]:
        """Wrap one request: raise Unauthorized if it must wait, and note what its answer says about the token."""
        is_retry = self.check(endpoint)
        try:
            yield
        except Unauthorized as error:
            if error.status == 401:
                self.note_rejected(endpoint, str(error))
            raise
        except Rejected:  # by a server that knows who asks
            if is_retry:
                self.note_accepted(endpoint)
            raise
        except LichessError:
            if is_retry:  # no answer about the token: it is soon tried again
                self._next_s = min(self._next_s, self._now_s() + FIRST_S)
            raise
        if is_retry:
            self.note_accepted(endpoint)

    def check(self, endpoint: Endpoint) -> bool:
        """Return whether the request tries a rejected token again. Raises Unauthorized if it must wait.

        The success of any other request says nothing: it may have been sent before the token was revoked.
        """
        if not self._rejected:
            return False
        with self._lock:
            is_public = endpoint is Endpoint.OTHER
            if not self._rejected or not (is_public or endpoint in self._rejected):
                return False
            now_s = self._now_s()
            if is_public or now_s < self._next_s:
                raise Unauthorized(401, f"the token is rejected; retry in {max(0.0, self._next_s - now_s):.0f} s")
            self._retries += 1
            self._next_s = now_s + exponential_s(FIRST_S, MOST_S, self._retries)
            return True

    def note_rejected(self, endpoint: Endpoint, reason: str) -> None:
        """Note a 401. Logs the first one only, until the token is accepted again."""
        if endpoint is Endpoint.OTHER:
            return
        with self._lock:
            is_news = not self._rejected
            self._rejected.add(endpoint)
            if is_news:
                self._retries, self._next_s = 0, self._now_s() + FIRST_S
        if is_news:
            log.error(
                "token_rejected",
                error=reason,
                remedy="create a new token, give it to the bot and start it again; the old one is retried now and then",
            )

    def note_accepted(self, endpoint: Endpoint) -> None:
        """Note that a request that tried the token again succeeded."""
        if endpoint not in self._rejected:
            return
        with self._lock:
            self._rejected.clear()
        log.info("token_accepted")
