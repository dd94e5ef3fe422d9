"""The finished games of the last weeks, read from the store every few seconds on a thread of the pages."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence

import structlog

from bot.archive.game_record import GameRecord
from bot.errors import StoreError

SHOWN_S = 30 * 86_400.0
MOST_GAMES = 5000
MOST_POINTS = 200  # of a chart
READ_EVERY_S = 10.0
OVERLAP_S = 120.0  # read again each time: a game may reach the store some time after its end

log = structlog.get_logger(__name__)


class History:
    """`read(since_s)` returns the games that ended after a moment (epoch seconds), oldest first; raises StoreError."""

    def __init__(self, read: Callable[[float], Sequence[GameRecord]]) -> None:
        """Read nothing yet; used by one thread at a time."""
        self.ratings: Mapping[str, tuple[tuple[float, int], ...]] = {}
        self._read = read
        self._games: dict[str, GameRecord] = {}
        self._latest: tuple[GameRecord, ...] | None = None
        self._read_until_s = 0.0  # epoch seconds
        self._read_s = -math.inf  # monotonic
        self._next_s = 0.0

    def look(self, now_s: float) -> tuple[GameRecord, ...] | None:
        """Return the games of the last weeks, newest first, None where the store cannot be read; `now_s`: monotonic."""
        if now_s >= self._next_s:
            self._next_s = now_s + READ_EVERY_S
            self._latest = self._renewed(time.time(), now_s)
        return self._latest

    def _renewed(self, wall_s: float, now_s: float) -> tuple[GameRecord, ...] | None:
        oldest_s = wall_s - SHOWN_S
        since_s = min(self._read_until_s, wall_s - (now_s - self._read_s))  # the clock may have been set back meanwhile
        try:
            found = self._read(max(oldest_s, since_s - OVERLAP_S))
        except StoreError as error:
            log.warning("results_not_read", error=str(error), remedy="the pages show no finished games until it can be")
            return None
        self._read_s = now_s
        for game in found:
            self._games[game.game_id] = game
            self._read_until_s = max(self._read_until_s, game.ended_s)
        games = sorted(self._games.values(), key=lambda game: (game.ended_s, game.game_id), reverse=True)[:MOST_GAMES]
        self._games = {game.game_id: game for game in games if game.ended_s > oldest_s}
        latest = tuple(self._games.values())
        if latest != self._latest:
            self.ratings = ratings(latest)
        return latest


def ratings(games: Iterable[GameRecord]) -> dict[str, tuple[tuple[float, int], ...]]:
    """Return moments (epoch seconds) and ratings, oldest first, by what they are for, the most played first."""
    found: dict[str, list[tuple[float, int]]] = {}
    for game in games:
        if game.my_rating is not None and game.perf:
            found.setdefault(game.perf, []).append((game.ended_s, game.my_rating))
    by_count = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    return {perf: _thinned(sorted(points)) for perf, points in by_count}


def _thinned(points: list[tuple[float, int]]) -> tuple[tuple[float, int], ...]:
    """Return as many points as a small chart can show, the last among them."""
    step = -(-len(points) // MOST_POINTS)
    return tuple(points[::-1][::step][::-1])
