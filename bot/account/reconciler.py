"""Compares our records with the server's list of running games, again and again.

A stream can be open and deliver nothing, and a restart loses events; the list depends on neither. It proves only that
a listed game runs: it shows fifty games at most and may lag, so a game that it misses is looked up.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial

import structlog

from bot.account.slots import SlotRecord, Slots
from bot.archive.look_up import GameLookUp
from bot.backoff import Backoff
from bot.errors import LichessError, RateLimited, Unauthorized
from bot.events.account import GameInfo
from bot.events.game import GameExport
from bot.supervised_loop import SupervisedLoop

EVERY_S = 60.0
SOON_S = 3.0  # the next comparison, if a game was missing for the first time
#: First and longest. After a restart a game may wait for us, which the account's stream shows, too: its attempts begin
#: half a second apart, and with little jitter those of both alternate.
FAILURE_PAUSES_S, JITTER = (0.75, 600.0), 0.1
NEW_S = 2.0  # a game that began this recently may be missing on a list fetched before
LOOK_UP_AFTER = 2  # lists in a row without the game
LOOK_UP_AGAIN_S = 300.0  # for a game that runs, and that the list still misses

log = structlog.get_logger(__name__)


class Reconciler:
    """Fetches the list every minute, and at once after `poke()`. A request that fails changes nothing.

    `on_listed(info)` is called for each listed game, `on_over(export)` for a game of ours that two lists in a row do
    not show and whose export says that it is over.
    """

    def __init__(
        self,
        ongoing_games: Callable[[], tuple[GameInfo, ...]],
        slots: Slots,
        on_listed: Callable[[GameInfo], None],
        look_up: GameLookUp,
        on_over: Callable[[GameExport], None],
        *,
        every_s: float = EVERY_S,
    ) -> None:
        """Prepare the thread; `start` begins. `ongoing_games()` raises LichessError."""
        self._ongoing_games = ongoing_games
        self._slots = slots
        self._on_listed = on_listed
        self._look_up = look_up
        self._on_over = on_over
        self._every_s = every_s
        first_s, longest_s = FAILURE_PAUSES_S
        self._backoff = Backoff(min(first_s, every_s), longest_s, jitter=JITTER)
        self._missed: dict[str, int] = {}  # lists in a row
        self._looked_up_s: dict[str, float] = {}
        self._pause_s = every_s
        self._poked = threading.Event()
        self._loop = SupervisedLoop("reconciler", self._work, max_pause_s=every_s)

    def start(self) -> None:
        """Begin comparing."""
        self._loop.ensure_started()

    def poke(self) -> None:
        """Compare now."""
        self._poked.set()

    def close(self) -> None:
        """End the thread."""
        self._loop.stop()
        self._poked.set()

    def _work(self) -> None:
        while True:
            self._poked.wait(self._pause_s)
            self._poked.clear()
            if self._loop.stopped:
                return
            self._pause_s = self._fetch_and_compare()

    def _fetch_and_compare(self) -> float:
        """Return the pause before the next time."""
        try:
            games = self._ongoing_games()
        except Unauthorized as error:
            if error.status != 401:  # a rejected token is logged by the gateway, once for all requests
                log.warning("ongoing_games_unknown", error=str(error))
            return max(self._every_s, self._backoff.next_s())
        except LichessError as error:
            log.warning("ongoing_games_unknown", error=str(error))
            least_s = error.retry_after_s if isinstance(error, RateLimited) else 0.0
            return min(self._every_s, self._backoff.next_s(least_s))
        self._backoff.reset()
        return min(SOON_S, self._every_s) if self.compare(games) else self._every_s

    def compare(self, games: tuple[GameInfo, ...]) -> bool:
        """Compare a list with the slots. Return whether to compare again soon."""
        for info in games:
            self._on_listed(info)
        now_s = time.monotonic()
        missing = self._missing({info.game_id for info in games}, now_s)
        self._missed = {game_id: self._missed.get(game_id, 0) + 1 for game_id in missing}
        self._looked_up_s = {game_id: at_s for game_id, at_s in self._looked_up_s.items() if game_id in missing}
        for game_id, record in missing.items():
            looked_up_s = self._looked_up_s.get(game_id)
            fresh = looked_up_s is not None and now_s - looked_up_s < LOOK_UP_AGAIN_S
            if self._missed[game_id] >= LOOK_UP_AFTER and not fresh:
                self._looked_up_s[game_id] = now_s
                self._look_up.ask(game_id, self._answered, is_wanted=partial(self._is_unchanged, record))
        return any(times < LOOK_UP_AFTER for times in self._missed.values())

    def _missing(self, listed: set[str], now_s: float) -> dict[str, SlotRecord]:
        return {
            record.game_id: record
            for record in self._slots.records()
            if record.use.is_game and record.game_id not in listed and now_s - record.since_s >= NEW_S
        }

    def _is_unchanged(self, record: SlotRecord) -> bool:
        return self._slots.get(record.game_id) == record

    def _answered(self, export: GameExport) -> None:
        if export.is_over:
            log.warning("game_ended_unnoticed", game_id=export.game_id, status=export.status)
            self._on_over(export)
