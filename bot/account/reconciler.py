"""Compares our records with the server's list of running games, again and again.

Streams can be open and deliver nothing, and events can be lost in a restart; the list needs neither. It proves no more
than that a listed game runs: it shows fifty games at most and may lag, so a game missing on it is looked up elsewhere.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import structlog

from bot.account.slots import SlotRecord, Slots, SlotUse
from bot.backoff import Backoff
from bot.errors import LichessError, Unauthorized
from bot.events import GameInfo
from bot.supervised_loop import SupervisedLoop

EVERY_S = 60.0
SOON_S = 3.0  # the next comparison, where a game was missing for the first time
FAILURE_PAUSES_S = (10.0, 600.0)  # first and longest
LONGEST_LIST = 50  # the server lists no more: on such a list games are missing for no reason
NEW_S = 2.0  # a game begun so lately may be missing on a list fetched before
LOOK_UP_AFTER = 2  # lists in a row without the game
LOOK_UPS = 3  # games looked up after one comparison, so that sixty missing games are no flood of requests
FOUND_RUNNING_S = 60.0  # a game found running is not looked up again before this

log = structlog.get_logger(__name__)


class GameListComparison:
    """Compares one list after the other with the slots.

    `on_listed(info)` is called for each listed game. `look_up(record)` is called for a game of ours that two lists in a
    row do not show, the one that has waited longest first; it returns whether the game was found running.
    """

    def __init__(
        self, slots: Slots, on_listed: Callable[[GameInfo], None], look_up: Callable[[SlotRecord], bool]
    ) -> None:
        """Start with no game missing."""
        self._slots = slots
        self._on_listed = on_listed
        self._look_up = look_up
        self._missed: dict[str, int] = {}
        self._found_running_s: dict[str, float] = {}

    def __call__(self, games: tuple[GameInfo, ...]) -> bool:
        """Compare one list; returns whether to compare again soon."""
        for info in games:
            self._on_listed(info)
        now = time.monotonic()
        missing = self._missing({info.game_id for info in games}, now)
        self._missed = {game_id: self._missed.get(game_id, 0) + 1 for game_id in missing}
        self._found_running_s = {key: at_s for key, at_s in self._found_running_s.items() if key in missing}
        due = [record for record in missing.values() if self._is_due(record, now)]
        due.sort(key=lambda record: self._found_running_s.get(record.game_id, 0.0))
        for record in due[:LOOK_UPS]:
            if self._look_up(record):
                self._found_running_s[record.game_id] = time.monotonic()
        return len(games) < LONGEST_LIST and any(game_id not in self._found_running_s for game_id in missing)

    def _missing(self, listed: set[str], now_s: float) -> dict[str, SlotRecord]:
        return {
            record.game_id: record
            for record in self._slots.records()
            if record.use in (SlotUse.PLAYING, SlotUse.PARKED)
            and record.game_id not in listed
            and now_s - record.since_s >= NEW_S
        }

    def _is_due(self, record: SlotRecord, now_s: float) -> bool:
        found_s = self._found_running_s.get(record.game_id)
        fresh = found_s is not None and now_s - found_s < FOUND_RUNNING_S
        return self._missed[record.game_id] >= LOOK_UP_AFTER and not fresh


class Reconciler:
    """Calls `compare(games)` with the server's list every minute, and at once after `poke()`.

    A request that fails changes nothing.
    """

    def __init__(
        self,
        ongoing_games: Callable[[], tuple[GameInfo, ...]],
        compare: Callable[[tuple[GameInfo, ...]], bool],
        *,
        every_s: float = EVERY_S,
        failure_pauses_s: tuple[float, float] = FAILURE_PAUSES_S,
    ) -> None:
        """Prepare the thread; `start` begins."""
        self._ongoing_games = ongoing_games
        self._compare = compare
        self._every_s = every_s
        first_s, longest_s = failure_pauses_s
        self._backoff = Backoff(min(first_s, every_s), longest_s)
        self._pause_s = every_s
        self._poked = threading.Event()
        self._rejected = False
        self._loop = SupervisedLoop("reconciler", self._compare_for_ever, max_pause_s=every_s)

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

    def _compare_for_ever(self) -> None:
        while True:
            self._poked.wait(self._pause_s)
            self._poked.clear()
            if self._loop.stopped:
                return
            self._pause_s = self._compare_once()

    def _compare_once(self) -> float:
        """Fetch the list and compare; returns the pause before the next time."""
        try:
            games = self._ongoing_games()
        except Unauthorized as error:
            if not self._rejected:  # the account's reader has named the remedy
                log.warning("ongoing_games_unknown", error=str(error))
            self._rejected = True
            return max(self._every_s, self._backoff.next_s())
        except LichessError as error:
            log.warning("ongoing_games_unknown", error=str(error))
            return min(self._every_s, self._backoff.next_s())
        self._rejected = False
        self._backoff.reset()
        return min(SOON_S, self._every_s) if self._compare(games) else self._every_s
