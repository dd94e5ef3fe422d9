"""The way between bot and server: it takes time, loses requests and answers, and cuts streams, by its fault profile."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.errors import LichessError, NetworkError, RateLimited, ServerError, StreamBroken, Unauthorized
from bot.lichess.session import HEADERS_TIMEOUT_S
from tests.simulation.schedule import Schedule, Span
from tests.simulation.scheduler import Scheduler

KEEP_ALIVE_S = 7.0
SILENT_S = 15.0  # without a sign of life for so long the gateway gives a stream up
NOTICED_S = 11.0  # ... and the game's watchdog sooner
LONGEST_HANDLING_S = 1.0  # of one line, by a reader's thread: it waits for locks alone
Line = TypeVar("Line")
Result = TypeVar("Result")


@dataclass(frozen=True)
class FaultProfile:
    """Shares of requests and streams that fare badly; `outage_every_s`: how often nothing works for two seconds."""

    lost: float = 0.0  # requests that never arrive
    answer_lost: float = 0.0  # ... that arrive, and whose answer does not
    refused: float = 0.0  # ... answered with 502
    limited: float = 0.0  # ... answered with 429
    slow: float = 0.0  # ... that take a second instead of some milliseconds
    cut_every_s: float = 0.0  # mean life of a stream that is cut in the end; 0: streams live
    silent: float = 0.0  # cut streams that fall silent, without an end
    list_wrong: float = 0.0  # lists of running games that are empty, partial or old
    outage_every_s: float = 0.0
    no_thread: float = 0.0  # threads that the system cannot start


CALM = FaultProfile()
ROUGH = FaultProfile(0.01, 0.02, 0.01, 0.005, 0.03, 40.0, 0.3, 0.2, 60.0, 0.005)
STORM = FaultProfile(0.04, 0.06, 0.04, 0.02, 0.08, 8.0, 0.4, 0.5, 20.0, 0.02)
PROFILES = {"calm": CALM, "rough": ROUGH, "storm": STORM}

SILENT_OPENING, SLOW_EXPORT, BAD_GATEWAY, REVOKED = "silent-opening", "slow-export", "502", "401"
LOCKED_DISK, FULL_DISK, LAGGING_LIST = "locked-disk", "full-disk", "lagging-list"
SLOW_BOOK, DEAD_ENGINE, FIFTY_GAMES = "slow-book", "dead-engine", "fifty-games"
#: Faults that come on top of a profile, in any combination, with the share of seeds that have each.
FAULTS = dict.fromkeys(
    (SILENT_OPENING, SLOW_EXPORT, BAD_GATEWAY, REVOKED, LOCKED_DISK, FULL_DISK, LAGGING_LIST, SLOW_BOOK, DEAD_ENGINE),
    0.15,
) | {FIFTY_GAMES: 0.005}
SILENT_OPENING_SHARE, SLOW_EXPORT_S = 0.15, 9.0
#: What the server answers to every request during an outage.
_ANSWERS: dict[str, Callable[[], LichessError]] = {
    "no connection": lambda: NetworkError("connection refused"),
    BAD_GATEWAY: lambda: ServerError(502, "Bad Gateway"),
    REVOKED: lambda: Unauthorized(401, "No such token"),
}


class Network:
    """Carries requests; each is one call of `request` in the thread of the bot that makes it."""

    def __init__(self, scheduler: Scheduler, profile: FaultProfile, faults: frozenset[str] = frozenset()) -> None:
        self.scheduler = scheduler
        self.profile = profile
        self.faults = faults
        self.schedule = Schedule(scheduler)
        self.slowest_handling_s = 0.0
        self._outage, self._outage_until_s = "", 0.0

    def fail(self, seconds: float, outage: str = "no connection") -> None:
        """Answer every request alike for so long."""
        self._outage, self._outage_until_s = outage, self.scheduler.now_s + seconds
        self.schedule.add(f"outage: {outage}", until_s=self._outage_until_s)

    def request(self, apply: Callable[[], Result], timeout_s: float = 10.0, *, takes_s: float = 0.0) -> Result:
        """Travel, have it applied at the server, travel back. Raises LichessError."""
        scheduler, profile = self.scheduler, self.profile
        chance = scheduler.random.random
        self._travel()
        if scheduler.now_s < self._outage_until_s:
            raise _ANSWERS[self._outage]()
        if chance() < profile.lost:
            scheduler.sleep(timeout_s)
            raise NetworkError("timed out")
        if chance() < profile.refused:
            raise ServerError(502, "Bad Gateway")
        if chance() < profile.limited:
            raise RateLimited(2.0)
        result = apply()
        if chance() < profile.answer_lost:
            scheduler.sleep(timeout_s)
            raise NetworkError("timed out")
        scheduler.sleep(takes_s)
        self._travel()
        return result

    def open(self, apply: Callable[[], Result]) -> Result:
        """Open a stream; an opening may be accepted and stay silent. Raises LichessError."""
        result = self.request(apply)
        if SILENT_OPENING in self.faults and self.scheduler.random.random() < SILENT_OPENING_SHARE:
            self.scheduler.sleep(HEADERS_TIMEOUT_S)
            raise NetworkError("no headers")
        return result

    def delay_s(self) -> float:
        """How long one way takes."""
        slow = self.scheduler.random.random() < self.profile.slow
        return self.scheduler.random.uniform(0.5, 1.0) if slow else self.scheduler.random.uniform(0.002, 0.04)

    def _travel(self) -> None:
        self.scheduler.sleep(self.delay_s())


class Stream(Generic[Line]):
    """Lines on their way to the bot, in order; iterated by one of its threads, closed by any."""

    def __init__(self, network: Network, about: str) -> None:
        self._network = network
        self._about = about
        self._scheduler = network.scheduler
        #: When each was sent and arrives, and who is informed then.
        self._lines: deque[tuple[float, float, Line, Callable[[], None]]] = deque()
        self._closed = False
        self.ended = False  # by the server, in good order
        profile, now_s = network.profile, self._scheduler.now_s
        life_s = self._scheduler.random.expovariate(1 / profile.cut_every_s) if profile.cut_every_s else float("inf")
        self._cut_s = now_s + life_s
        self._silence: Span | None = None
        if self._scheduler.random.random() < profile.silent:
            self._silence = network.schedule.add(
                "stream silent", "nobody", from_s=self._cut_s, until_s=self._cut_s + NOTICED_S
            )

    def send(self, line: Line, arrived: Callable[[], None] = lambda: None) -> None:
        """A line from the server, lost where the stream is dead; `arrived` is called when the bot reads it."""
        if self.open:
            now_s, last_s = self._scheduler.now_s, self._lines[-1][1] if self._lines else 0.0
            self._lines.append((now_s, max(last_s, now_s + self._network.delay_s()), line, arrived))

    @property
    def open(self) -> bool:
        """Whether the server can still write to it."""
        return not self._closed and not self.ended and self._scheduler.now_s < self._cut_s

    def cut(self) -> None:
        """The connection is gone; the bot learns it by a reset, or by nothing at all."""
        now_s = self._scheduler.now_s
        if now_s < self._cut_s:
            self._cut_s = now_s
            if self._silence is not None:
                self._silence.from_s, self._silence.until_s = now_s, now_s + NOTICED_S

    def close(self) -> None:
        """The bot wants no more."""
        if not self._closed and self._silence is not None:
            self._silence.end(self._scheduler.now_s)
        self._closed = True
        self._scheduler.switch()

    def __iter__(self) -> Iterator[Line | None]:
        """Lines, and None for keep-alives. Raises StreamBroken."""
        silent_since_s = self._scheduler.now_s
        if self._silence is not None:
            self._silence.about = self._about
        while True:
            now_s = self._scheduler.now_s
            if self._closed:
                return
            if self._lines and self._lines[0][1] <= now_s:
                silent_since_s = now_s
                sent_s, _, line, arrived = self._lines.popleft()
                self._network.schedule.add("line on its way", self._about, from_s=sent_s, until_s=now_s)
                arrived()
                yield line
                self._note_handling(now_s)
                continue
            if self.ended and not self._lines:
                return
            if now_s >= self._cut_s and (self._silence is None or now_s - silent_since_s >= SILENT_S):
                raise StreamBroken("reset" if self._silence is None else "silent")
            if self.open and now_s - silent_since_s >= KEEP_ALIVE_S:
                silent_since_s = now_s
                yield None
                continue
            self._scheduler.wait(self._has_news, self._next_s(silent_since_s) - now_s)

    def _note_handling(self, began_s: float) -> None:
        self._network.slowest_handling_s = max(self._network.slowest_handling_s, self._scheduler.now_s - began_s)

    def _has_news(self) -> bool:
        now_s = self._scheduler.now_s
        is_reset = self._silence is None and now_s >= self._cut_s
        return self._closed or is_reset or (self._lines[0][1] <= now_s if self._lines else self.ended)

    def _next_s(self, silent_since_s: float) -> float:
        """When there is something to do without news."""
        times = [silent_since_s + SILENT_S if self._silence is not None else self._cut_s]
        if self._scheduler.now_s < self._cut_s:
            times = [self._cut_s, silent_since_s + KEEP_ALIVE_S]
        if self._lines:
            times.append(self._lines[0][1])
        return max(self._scheduler.now_s + 1e-6, min(times))
