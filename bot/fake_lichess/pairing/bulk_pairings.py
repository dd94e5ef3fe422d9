"""Bulk pairings: many games between given players at once, at a given time, their clocks started together."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import chess

from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.world.accounts import Account
from bot.fake_lichess.world.challenges import Terms
from bot.fake_lichess.world.lobby import Lobby

NO_SUCH_BULK = "No such bulk pairing"


def now_ms() -> int:
    """Epoch milliseconds."""
    return time.time_ns() // 1_000_000


@dataclass
class Bulk:
    """Games to come or begun: `games` by id with White and Black. Times are epoch milliseconds."""

    id: str
    owner: Account
    terms: Terms
    games: dict[str, tuple[Account, Account]]
    pair_at_ms: int
    start_clocks_at_ms: int | None
    scheduled_at_ms: int = field(default_factory=now_ms)
    paired_at_ms: int | None = None


class BulkPairings:
    """All bulk pairings of a world."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._world = lobby.world
        self._bulks: dict[str, Bulk] = {}

    def add(
        self,
        owner: Account,
        terms: Terms,
        pairs: list[tuple[Account, Account]],
        pair_at_ms: int | None,
        clocks_at_ms: int | None,
    ) -> Bulk:
        """Schedule games; those of a time that has come begin at once."""
        games = {self._world.new_id(): pair for pair in pairs}
        bulk = Bulk(self._world.new_id(), owner, terms, games, pair_at_ms or now_ms(), clocks_at_ms)
        self._bulks[bulk.id] = bulk
        if bulk.pair_at_ms <= now_ms():
            self._pair(bulk)
        else:
            _call_at(bulk.pair_at_ms, self._pair, bulk)
        return bulk

    def of(self, owner: Account) -> list[Bulk]:
        """One's own, the newest first."""
        return [bulk for bulk in reversed(self._bulks.values()) if bulk.owner is owner]

    def find(self, owner: Account, bulk_id: str) -> Bulk:
        """One of one's own; raises ApiError 404."""
        bulk = self._bulks.get(bulk_id)
        if bulk is None or bulk.owner is not owner:
            raise ApiError(404, NO_SUCH_BULK)
        return bulk

    def cancel(self, bulk: Bulk) -> None:
        """Forget games that have not begun; those that have go on."""
        if bulk.paired_at_ms is None:
            del self._bulks[bulk.id]

    def start_clocks(self, bulk: Bulk) -> None:
        """Start the clocks of games that have begun; harmless before that, and where they run."""
        if bulk.paired_at_ms is None:
            return
        bulk.start_clocks_at_ms = min(bulk.start_clocks_at_ms or now_ms(), now_ms())
        for game_id in bulk.games:
            game = self._world.games.get(game_id)
            if game is not None and game.playable and game.clock.running is None:
                game.clock.start(self._world.now_ms())
                self._world.state_changed(game)

    def _pair(self, bulk: Bulk) -> None:
        if bulk.id not in self._bulks:
            return
        bulk.paired_at_ms = now_ms()
        for game_id, (white, black) in bulk.games.items():
            sides: dict[chess.Color, Account | None] = {chess.WHITE: white, chess.BLACK: black}
            self._world.begin(self._lobby.matchmaker.make(game_id, bulk.terms, sides, "api", None, None))
        if bulk.start_clocks_at_ms is not None:
            _call_at(bulk.start_clocks_at_ms, self.start_clocks, bulk)


def _call_at(at_ms: int, act: Callable[[Bulk], None], bulk: Bulk) -> None:
    asyncio.get_running_loop().call_later(max(0, at_ms - now_ms()) / 1000, act, bulk)
