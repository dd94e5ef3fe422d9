"""Compares what we think is going on with the server's list of running games, again and again.

Streams can be open and deliver nothing, events can be lost in a restart; the list is a cross-check that needs neither.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import structlog

from bot.account.slots import Record, Slots, SlotUse
from bot.errors import LichessError
from bot.events import GameInfo

EVERY_S = 60.0
AFTER_FAILURE_S = 10.0
SOON_S = 3.0
LONGEST_LIST = 50  # the server lists no more: such a list proves nothing about games that are not on it
NEW_S = 2.0  # a game begun so lately may be missing from a list fetched before
MISSED_TWICE = 2  # a game must be missing so often before it counts as over

log = structlog.get_logger(__name__)


class CrossCheck:
    """`listed(info)` hears of each game on the list, `not_listed(record)` of each of ours that was missing twice."""

    def __init__(self, slots: Slots, listed: Callable[[GameInfo], None], not_listed: Callable[[Record], None]) -> None:
        self._slots = slots
        self._listed = listed
        self._not_listed = not_listed
        self._missed: dict[str, int] = {}

    def __call__(self, games: tuple[GameInfo, ...]) -> bool:
        """Compare; True when it should be done again soon, for something did not fit."""
        on_list = {info.game_id for info in games}
        for info in games:
            self._listed(info)
        ours = {
            record.game_id: record
            for record in self._slots.records()
            if record.use in (SlotUse.PLAYING, SlotUse.PARKED) and record.game_id not in on_list
        }
        self._missed = {game_id: count for game_id, count in self._missed.items() if game_id in ours}
        if len(games) >= LONGEST_LIST:
            return False
        for game_id, record in ours.items():
            if time.monotonic() - record.since_s < NEW_S:
                continue
            self._missed[game_id] = self._missed.get(game_id, 0) + 1
            if self._missed[game_id] >= MISSED_TWICE:
                del self._missed[game_id]
                self._not_listed(record)
        return bool(ours)


class Reconciler:
    """Calls `compare(games)` with the server's list every minute, and soon after `poke()`.

    A failing request changes nothing.
    """

    def __init__(
        self,
        ongoing_games: Callable[[], tuple[GameInfo, ...]],
        compare: Callable[[tuple[GameInfo, ...]], bool],
        *,
        every_s: float = EVERY_S,
        after_failure_s: float = AFTER_FAILURE_S,
    ) -> None:
        self._ongoing_games = ongoing_games
        self._compare = compare
        self._every_s = every_s
        self._after_failure_s = min(after_failure_s, every_s)
        self._poked = threading.Event()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="reconciler", daemon=True)

    def start(self) -> None:
        """Begin comparing."""
        self._thread.start()

    def poke(self) -> None:
        """Compare now."""
        self._poked.set()

    def close(self) -> None:
        """End the thread."""
        self._closed.set()
        self._poked.set()

    def _run(self) -> None:
        pause_s = self._every_s
        while True:
            self._poked.wait(pause_s)
            self._poked.clear()
            if self._closed.is_set():
                return
            pause_s = self._once()

    def _once(self) -> float:
        """Compare; returns the pause before the next time."""
        try:
            games = self._ongoing_games()
        except LichessError as error:
            log.warning("ongoing_games_unknown", error=str(error))
            return self._after_failure_s
        try:
            again = self._compare(games)
        except Exception:  # a fault of ours in one comparison must not end all others
            log.exception("reconciler_fault")
            return self._every_s
        return min(SOON_S, self._every_s) if again else self._every_s
