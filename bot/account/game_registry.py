"""The games that are played, parked and ended: one loop per game id, however often a game is announced."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace

import structlog

from bot.account.slots import Slots, SlotUse
from bot.events.account import GameInfo
from bot.events.game import GameExport
from bot.play.game_context import EndReason, GameContext
from bot.play.game_loop import GameLoop
from bot.play.observer import EndedGame
from bot.settings import Settings

REMEMBERED = 500  # ended games, so that a late gameStart does not open them again
LIST_AGE_S = 5.0  # a list of running games may be this old when we read it

log = structlog.get_logger(__name__)


class GameRegistry:
    """All games of the account; every method may be called from any thread.

    `slot_freed()` is called, outside the lock, when a slot may have become free.
    """

    def __init__(self, context: GameContext, slots: Slots, slot_freed: Callable[[], None] = lambda: None) -> None:
        """Start without games."""
        self._context = context
        self._slots = slots
        self._slot_freed = slot_freed
        self._lock = threading.Lock()
        self._loops: dict[str, GameLoop] = {}
        self._due: dict[str, GameInfo] = {}  # correspondence games in which it is our turn, without a slot
        self._ended: OrderedDict[str, float] = OrderedDict()  # proved by a final state or an export; monotonic seconds
        self._finishes: OrderedDict[str, float] = OrderedDict()  # announced by the account's stream, not yet proved
        self._closed = False
        self.ended_count = 0

    def loops(self) -> tuple[GameLoop, ...]:
        """Return the games being played now."""
        return tuple(self._loops.values())  # no lock: the copy is one step for other threads

    def plays(self, game_id: str) -> bool:
        """Return whether a game is being played now."""
        return game_id in self._loops

    def configure(self, settings: Settings) -> None:
        """Play games that begin from now on by other settings."""
        self._context = replace(self._context, settings=settings)

    def begin(self, info: GameInfo) -> bool:
        """Play the game unless it is being played or is over. Return whether a loop was started."""
        game_id = info.game_id
        if not info.playable:
            log.info("game_not_for_bots", game_id=game_id)
            return False
        with self._lock:
            if self._closed or game_id in self._loops or game_id in self._ended:
                return False
            record = self._slots.get(game_id)
            loop = GameLoop(info, self._context, self._loop_ended) if self._take_slot(info) else None
            if loop is not None:
                self._loops[game_id] = loop
        if loop is not None:
            log.info("game_begins", game_id=game_id, opponent=info.opponent.label, speed=info.speed)
            loop.start()
        if loop is not None or record is None or not record.use.is_game:
            self._context.observers.started(info)
        return loop is not None

    def _take_slot(self, info: GameInfo) -> bool:
        """Record the game. Return whether it is played now.

        Only a correspondence game waits: for its opponent, or for a free slot.
        """
        game_id, opponent_id = info.game_id, info.opponent.id
        record = self._slots.get(game_id)
        self._due.pop(game_id, None)
        agreed = record is not None and record.use in (SlotUse.ACCEPTED, SlotUse.OUTGOING)
        if info.speed != "correspondence" or agreed:
            self._slots.put(game_id, SlotUse.PLAYING, opponent_id)
            return True
        if not info.is_my_turn:
            self._slots.put(game_id, SlotUse.PARKED, opponent_id)
            return False
        if self._slots.begin_if_free(game_id, opponent_id):
            return True
        self._due[game_id] = info
        return False

    def begin_due(self) -> None:
        """Begin games in which it is our turn, if slots are free."""
        with self._lock:
            ready = [info for info in self._due.values() if self._slots.begin_if_free(info.game_id, info.opponent.id)]
        for info in ready:
            self.begin(info)

    def on_list(self, info: GameInfo) -> bool:
        """Play a game that the server lists as running. Return whether it is news to us."""
        record = self._slots.get(info.game_id)
        finished_s = self._finishes.get(info.game_id)
        if finished_s is not None and time.monotonic() - finished_s <= LIST_AGE_S:
            return False
        waited = record is not None and record.use in (SlotUse.PARKED, SlotUse.DUE)
        return self.begin(info) and not waited

    def finished(self, game_id: str) -> None:
        """Expect the end of a game that the account's stream reports as finished.

        Only the game's own stream or its export proves the end: such a report may be late or wrong.
        """
        self._expect_end(game_id, self._finishes, certain=False)

    def over(self, export: GameExport) -> None:
        """End a game whose export is over. One that the server did not find may still be announced again."""
        self._expect_end(export.game_id, self._ended if export.proves_end else self._finishes, certain=True)

    def _expect_end(self, game_id: str, ends: OrderedDict[str, float], *, certain: bool) -> None:
        with self._lock:
            _remember(ends, game_id)
            loop = self._loops.get(game_id)
            if loop is None:
                self._due.pop(game_id, None)
                self._slots.release(game_id)
        if loop is not None:
            loop.expect_end(certain=certain)
        else:
            self._context.observers.ended(EndedGame(game_id))
            self._slot_freed()

    def close(self, timeout_s: float) -> None:
        """Leave all games, which continue at the server; begin no more."""
        with self._lock:
            self._closed = True
        loops = self.loops()
        for loop in loops:
            loop.leave()
        deadline = time.monotonic() + timeout_s
        for loop in loops:
            loop.join(max(0.0, deadline - time.monotonic()))

    def _loop_ended(self, loop: GameLoop, reason: EndReason) -> None:
        game_id = loop.game_id
        if reason is EndReason.OVER:
            self._context.observers.ended(EndedGame(game_id, loop.game, loop.info.tournament_id, played=True))
        with self._lock:  # one step: the game may be announced again at any moment, and then holds a slot
            self._loops.pop(game_id, None)
            if reason is EndReason.OVER:
                self.ended_count += 1
                self._slots.release(game_id)
                _remember(self._ended if loop.end_proved else self._finishes, game_id)
            elif reason is EndReason.PARKED:
                self._slots.put(game_id, SlotUse.PARKED, loop.info.opponent.id)
        self._slot_freed()


def _remember(games: OrderedDict[str, float], game_id: str) -> None:
    games[game_id] = time.monotonic()
    while len(games) > REMEMBERED:
        games.popitem(last=False)
