"""One picture of the whole bot at a moment, taken at most once a second however many ask for it."""

from __future__ import annotations

import itertools
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from bot.account.dispatcher import Snapshot
from bot.account.visibility import Visibility
from bot.archive.game_record import GameRecord
from bot.archive.review.values import GameReview
from bot.dashboard.games import GameView, GameViews, SearchNotes
from bot.dashboard.history import History
from bot.dashboard.log_tail import LoggedError, LogLine, LogTail
from bot.engine_pool.values import EntrySnapshot
from bot.events.game import Outcome
from bot.log import Redactor

STALE_AFTER_S = 20.0  # Lichess sends a keep-alive every 7 s; almost three are missing
LOOK_EVERY_S = 1.0
DAY_S = 86_400.0
RECENT_GAMES = 10


@dataclass(frozen=True, slots=True)
class Health:
    """`reasons`: why the bot is unwell, empty when it is well. `ready`: it accepts new games."""

    reasons: tuple[str, ...]
    ready: bool

    @property
    def well(self) -> bool:
        """Whether nothing is wrong."""
        return not self.reasons


def assess(snapshot: Snapshot | None, *, engine_processes: int, ending: bool = False) -> Health:
    """Judge the bot's health. A stream that was cut is reopened at once; the bot is unwell once that fails twice."""
    if snapshot is None:
        return Health(("it is starting",), ready=False)
    age_s = snapshot.stream_age_s
    reasons = []
    if snapshot.token_rejected:
        reasons.append("Lichess rejects the token")
    if snapshot.token_used_twice:
        reasons.append("another program uses the same token")
    if snapshot.unreachable:
        reasons.append("the server does not answer")
    elif age_s is None:
        reasons.append("the event stream has not been opened yet")
    elif age_s > STALE_AFTER_S:
        reasons.append("the event stream is silent")
    if engine_processes == 0:
        reasons.append("no engine answers")
    return Health(tuple(reasons), ready=not reasons and snapshot.connected and not ending)


@dataclass(frozen=True)
class Sources:
    """Where the picture comes from; each function returns at once, or after reading the store.

    `account()` is None until it is known, `snapshot()` until games are played.
    `secrets` are never shown, whatever an engine may have written. `notes` holds what the searches of the running games
    found. `paused()`: no new games are wanted. `played(epoch_s)` lists the games that ended since then, oldest first;
    `game(game_id)` is one with its PGN, None if there is none. These two raise StoreError. `review(game_id)` is its
    review, if `bot88 review` has made one.
    """

    server_url: str
    account: Callable[[], str | None]
    snapshot: Callable[[], Snapshot | None]
    engines: Callable[[], Sequence[EntrySnapshot]]
    limits: Callable[[], Mapping[str, float]]
    limited: Callable[[], Mapping[str, int]]
    ending: Callable[[], bool] = lambda: False
    secrets: tuple[str, ...] = ()
    notes: SearchNotes = field(default_factory=SearchNotes)
    paused: Callable[[], bool] = lambda: False
    played: Callable[[float], Sequence[GameRecord]] = lambda _since_s: ()
    game: Callable[[str], GameRecord | None] = lambda _game_id: None
    review: Callable[[str], GameReview | None] = lambda _game_id: None
    visibility: Callable[[], Visibility | None] = lambda: None


@dataclass(frozen=True, slots=True)
class Waiting:
    """A challenge in the queue."""

    challenger: str
    terms: str


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that the pages show. Times in seconds, `taken_s` in epoch seconds, memory in bytes.

    `results`: the games that ended since midnight UTC, by how they ended for us; None where the store cannot be read,
    like `recent`, the latest finished games, newest first. `ratings`: see history.ratings.
    """

    taken_s: float
    account: str
    server_url: str
    health: Health
    last_error: LoggedError | None
    games: tuple[GameView, ...]
    uses: Mapping[str, int]
    free_slots: int
    waiting: tuple[Waiting, ...]
    limits: Mapping[str, float]
    limited: Mapping[str, int]
    engines: tuple[EntrySnapshot, ...]
    results: Mapping[Outcome, int] | None
    stream_age_s: float | None
    stream_openings: int
    challenge_outcomes: Mapping[str, int]
    memory: Mapping[str, int] = field(default_factory=dict)
    paused: bool = False
    recent: tuple[GameRecord, ...] | None = ()
    ratings: Mapping[str, tuple[tuple[float, int], ...]] = field(default_factory=dict)
    log: tuple[LogLine, ...] = ()
    visibility: Visibility | None = None

    @property
    def started(self) -> bool:
        """Whether games are played: from the start of the account's stream on."""
        return self.stream_openings > 0

    @property
    def results_by_word(self) -> dict[str, int] | None:
        """The results under "won", "drawn" and "lost", for people and for JSON."""
        return None if self.results is None else {one.word: self.results.get(one, 0) for one in Outcome}

    @property
    def version(self) -> int:
        """Differs from another picture's when the page has something new to show; clocks run by themselves."""
        games = tuple((game.game_id, game.ply, game.last_uci, len(game.scores)) for game in self.games)
        limits = tuple(sorted(self.limits))
        results = tuple(sorted((self.results or {}).items()))
        words = (self.health.reasons, self.waiting, self.free_slots, self.last_error, self.paused, self.visibility)
        latest = (self.recent[:1] if self.recent else self.recent, self.log[-1:])
        return hash((games, limits, results, words, latest))


class Observer:
    """Takes the pictures; `look` may be called from any thread but never from a game's.

    `tail` keeps the latest lines of the log while it is installed.
    """

    def __init__(self, sources: Sources, history: History | None = None) -> None:
        """Take no picture yet."""
        self.tail = LogTail(*sources.secrets)
        self._redactor = Redactor(*sources.secrets)
        self.sources = sources
        self._history = history or History(sources.played)
        self._views = GameViews(sources.server_url, sources.notes)
        self._lock = threading.Lock()
        self._latest: tuple[float, Picture] | None = None

    def look(self) -> Picture:
        """Return a picture that is at most a second old."""
        with self._lock:
            now_s = time.monotonic()
            if self._latest is None or now_s - self._latest[0] >= LOOK_EVERY_S:
                self._latest = (now_s, self._take(now_s))
            return self._latest[1]

    def played(self) -> tuple[GameRecord, ...] | None:
        """Return the finished games of the last weeks, newest first; None where the store cannot be read."""
        with self._lock:
            return self._history.look(time.monotonic())

    def _take(self, now_s: float) -> Picture:
        sources = self.sources
        snapshot, engines = sources.snapshot(), self._engines()
        processes = sum(len(entry.pids) for entry in engines)
        played = self._history.look(now_s)
        uses = Counter(record.use.value for record in snapshot.records) if snapshot is not None else Counter()
        return Picture(
            taken_s=time.time(),
            account=sources.account() or "",
            server_url=sources.server_url,
            health=assess(snapshot, engine_processes=processes, ending=sources.ending()),
            last_error=self.tail.last_error,
            games=self._views.look(snapshot.loops, now_s) if snapshot is not None else (),
            uses={use: uses.get(use, 0) for use in ("playing", "parked", "accepted", "outgoing")},
            free_slots=snapshot.free_slots if snapshot is not None else 0,
            waiting=_waiting(snapshot),
            limits=dict(sources.limits()),
            limited=dict(sources.limited()),
            engines=engines,
            results=_results_of_the_day(played),
            stream_age_s=snapshot.stream_age_s if snapshot is not None else None,
            stream_openings=snapshot.stream_openings if snapshot is not None else 0,
            challenge_outcomes=dict(snapshot.challenge_outcomes) if snapshot is not None else {},
            memory=_memory(engines),
            paused=sources.paused(),
            visibility=sources.visibility(),
            recent=None if played is None else played[:RECENT_GAMES],
            ratings=self._history.ratings,
            log=self.tail.lines(),
        )

    def _engines(self) -> tuple[EntrySnapshot, ...]:
        """The entries of engines, without secrets in what a failing engine wrote."""
        entries = self.sources.engines()
        return tuple(replace(one, last_error=self._redactor.clean(one.last_error)) for one in entries)


def _results_of_the_day(games: tuple[GameRecord, ...] | None) -> Mapping[Outcome, int] | None:
    """Count the games, newest first, that ended since midnight UTC."""
    if games is None:
        return None
    midnight_s = time.time() // DAY_S * DAY_S
    counts = Counter(game.outcome for game in itertools.takewhile(lambda game: game.ended_s > midnight_s, games))
    return {outcome: counts[outcome] for outcome in Outcome}


def _waiting(snapshot: Snapshot | None) -> tuple[Waiting, ...]:
    if snapshot is None:
        return ()
    return tuple(
        Waiting(one.challenger.label, f"{one.time_control} {one.variant} {'rated' if one.rated else 'casual'}")
        for one in snapshot.waiting
    )


def _memory(engines: Sequence[EntrySnapshot]) -> dict[str, int]:
    """Return the memory of the bot and of its engines, nothing without /proc."""
    own = resident_bytes("self")
    if own is None:
        return {}
    return {"bot": own, "engines": sum(resident_bytes(pid) or 0 for entry in engines for pid in entry.pids)}


def resident_bytes(pid: int | Literal["self"]) -> int | None:
    """Return the resident memory of a process, None without /proc or such a process."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
    except (OSError, IndexError):
        return None
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
