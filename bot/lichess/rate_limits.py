"""What the server has forbidden for now: one state per endpoint class, shared by all threads, kept over restarts.

A window closes one class only. A limit that the server names ("bot.vsBot.day") closes the window of that name instead,
for it hits some requests of a class and not others. A bare 429 follows the table below, doubling while it repeats.
"""

from __future__ import annotations

import random
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from bot.errors import RateLimited


class Endpoint(StrEnum):
    """Classes of requests that are limited together."""

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

#: Seconds after the first bare 429, and the most after repeated ones. A move waits 1 s: the clock runs.
_WAIT_S: dict[Endpoint, tuple[float, float]] = {
    Endpoint.MOVE: (1.0, 1.0),
    Endpoint.GAME_ACTION: (2.0, 60.0),
    Endpoint.CHAT: (60.0, 600.0),
    Endpoint.CHALLENGE: (60.0, 4 * 3600.0),
    Endpoint.ANSWER: (10.0, 60.0),
    Endpoint.ACCOUNT: (60.0, 600.0),
    Endpoint.EVENT_STREAM: (60.0, 600.0),
    Endpoint.GAME_STREAM: (2.0, 10.0),
    Endpoint.OTHER: (60.0, 600.0),
}

#: In a running game the clock is the harder limit: whatever the server asks for, no longer than this.
_PATIENCE_S: dict[Endpoint, float] = {Endpoint.MOVE: 1.0, Endpoint.GAME_STREAM: 10.0}

#: The limiter of the whole network address answers in HTML: what can wait then does, games go on.
_OPTIONAL = (Endpoint.CHAT, Endpoint.CHALLENGE, Endpoint.OTHER)
_NETWORK_WAIT_S = 60.0

#: The server allows 30 opens of the event stream in 10 minutes; two are kept back for another start of the bot.
STREAM_OPENS = 28
STREAM_WINDOW_S = 600.0

#: Shorter windows than this are not worth a write to the disk.
_KEEP_FROM_S = 5.0


@dataclass(frozen=True, slots=True)
class Window:
    """Closed until `until_s` (epoch seconds); `strikes` counts bare 429 in a row."""

    until_s: float
    strikes: int = 0


class WindowStore(Protocol):
    """Where windows survive a restart; `bot.account.store.Store` is one."""

    def windows(self) -> dict[str, Window]:
        """All windows kept, by name."""

    def save_window(self, name: str, window: Window) -> None:
        """Keep one window."""

    def stream_opens(self) -> list[float]:
        """When the event stream was opened lately, epoch seconds, oldest first."""

    def save_stream_opens(self, opens: list[float]) -> None:
        """Keep those times."""


class RateLimits:
    """The shared state; every method may be called from any thread."""

    def __init__(self, store: WindowStore | None = None, now: Callable[[], float] = time.time) -> None:
        self._store = store
        self._now = now
        self._lock = threading.Lock()
        self._windows: dict[str, Window] = store.windows() if store else {}
        self._opens: deque[float] = deque(store.stream_opens() if store else ())

    def seconds_left(self, name: str) -> float:
        """Seconds until the window of an endpoint class or of a named limit opens; 0.0 when it is open."""
        window = self._windows.get(name)
        return max(0.0, window.until_s - self._now()) if window else 0.0

    def check(self, endpoint: Endpoint, key: str = "") -> None:
        """Raise RateLimited while the window of the class, or of the named limit `key`, is closed."""
        for name in (endpoint.value, key):
            left = self.seconds_left(name) if name else 0.0
            if left > 0:
                raise RateLimited(left, key=name if name == key else "", endpoint=endpoint)

    def note_limited(
        self, endpoint: Endpoint, *, retry_after_s: float | None = None, key: str = "", network_wide: bool = False
    ) -> RateLimited:
        """Record a 429 and give the error to raise.

        `retry_after_s`: the server's word if it gave one; `key`: the limit's name if it gave one;
        `network_wide`: the body was HTML, so the limiter of the whole address spoke.
        """
        with self._lock:
            name = key or endpoint.value
            strikes = self._windows[name].strikes + 1 if name in self._windows else 1
            wait_s = retry_after_s if retry_after_s is not None else _bare_wait_s(endpoint, strikes)
            if not key:
                wait_s = min(wait_s, _PATIENCE_S.get(endpoint, wait_s))
            if endpoint is Endpoint.MOVE:
                wait_s = min(wait_s, _WAIT_S[endpoint][1])  # whatever the server says: the clock runs
            self._close(name, wait_s, strikes)
            if network_wide:
                for other in _OPTIONAL:
                    self._close(other.value, _NETWORK_WAIT_S, 0)
        return RateLimited(wait_s, key=key, endpoint=endpoint)

    def note_success(self, endpoint: Endpoint) -> None:
        """A request of the class went through: the next bare 429 starts from the shortest wait again."""
        if endpoint.value in self._windows:
            with self._lock:
                window = self._windows.pop(endpoint.value, None)
                if window and window.strikes and self._store:
                    self._store.save_window(endpoint.value, Window(0.0))

    def note_stream_open(self) -> None:
        """Count one opening of the event stream; raises RateLimited, uncounted, when it would be one too many."""
        with self._lock:
            now = self._now()
            while self._opens and not 0 <= now - self._opens[0] < STREAM_WINDOW_S:
                self._opens.popleft()
            if len(self._opens) >= STREAM_OPENS:
                wait_s = self._opens[0] + STREAM_WINDOW_S - now
                raise RateLimited(wait_s, key="our own budget of openings", endpoint=Endpoint.EVENT_STREAM)
            self._opens.append(now)
            if self._store:
                self._store.save_stream_opens(list(self._opens))

    def snapshot(self) -> dict[str, float]:
        """Closed windows with the seconds left, for logs and pages."""
        left = {name: self.seconds_left(name) for name in list(self._windows)}
        return {name: seconds for name, seconds in left.items() if seconds > 0}

    def _close(self, name: str, wait_s: float, strikes: int) -> None:
        old = self._windows.get(name)
        until_s = max(self._now() + wait_s, old.until_s if old else 0.0)
        self._windows[name] = Window(until_s, strikes or (old.strikes if old else 0))
        if self._store and wait_s >= _KEEP_FROM_S:
            self._store.save_window(name, self._windows[name])


def _bare_wait_s(endpoint: Endpoint, strikes: int) -> float:
    first_s, most_s = _WAIT_S[endpoint]
    return min(most_s, first_s * 2.0 ** min(strikes - 1, 30))


class Backoff:
    """Waits between attempts: doubling from `first_s` to `most_s`, each scattered over half to one and a half of it."""

    def __init__(self, first_s: float = 0.5, most_s: float = 60.0, *, seed: int | None = None) -> None:
        self._first_s = first_s
        self._most_s = most_s
        self._failures = 0
        self._random = random.Random(seed)

    def next_s(self) -> float:
        """Seconds to wait before the next attempt."""
        wait_s = min(self._most_s, self._first_s * 2.0 ** min(self._failures, 30))
        self._failures += 1
        return wait_s * self._random.uniform(0.5, 1.5)

    def reset(self) -> None:
        """An attempt succeeded."""
        self._failures = 0
