"""The games being played, parked and ended: one loop per game id, however often a game is said to begin."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

import structlog

from bot.account.slots import Slots, SlotUse
from bot.events import GameInfo
from bot.play.game_context import Ending, GameContext
from bot.play.game_loop import GameLoop

REMEMBERED = 500  # ended games, so that a late gameStart does not open them again
LIST_AGE_S = 5.0  # a list of running games may be so old when we read it

log = structlog.get_logger(__name__)


class GameRegistry:
    """`on_over(loop)` hears of each ended game, from that game's own thread; `freed()` of each freed slot."""

    def __init__(
        self, context: GameContext, slots: Slots, on_over: Callable[[GameLoop], None], freed: Callable[[], None]
    ) -> None:
        self._context = context
        self._slots = slots
        self._on_over = on_over
        self._freed = freed
        self._lock = threading.RLock()
        self._loops: dict[str, GameLoop] = {}
        self._ended: OrderedDict[str, float] = OrderedDict()
        self._closed = False
        self.ended_count = 0

    def loops(self) -> tuple[GameLoop, ...]:
        """The games being played now."""
        with self._lock:
            return tuple(self._loops.values())

    def begin(self, info: GameInfo, *, certain: bool = False) -> bool:
        """Play the game, unless it is being played; True where a loop was started.

        `certain`: the list of running games has it, so it is not over even if we thought so.
        """
        game_id = info.game_id
        if not info.playable:
            log.info("game_not_for_bots", game_id=game_id)
            return False
        with self._lock:
            if self._closed or game_id in self._loops or (game_id in self._ended and not certain):
                return False
            if self._parks(info):
                self._slots.put(game_id, SlotUse.PARKED, info.opponent.id, info.opponent.is_bot)
                return False
            self._slots.put(game_id, SlotUse.PLAYING, info.opponent.id, info.opponent.is_bot)
            loop = self._loops[game_id] = GameLoop(info, self._context, self._loop_ended)
        log.info("game_begins", game_id=game_id, opponent=info.opponent.label, speed=info.speed)
        loop.start()
        return True

    def listed(self, info: GameInfo) -> bool:
        """The server lists it as running: play it. True where that is news to us."""
        record = self._slots.get(info.game_id)
        ended_s = self._ended.get(info.game_id)
        began = self.begin(info, certain=ended_s is not None and time.monotonic() - ended_s > LIST_AGE_S)
        return began and (record is None or record.use is not SlotUse.PARKED)

    def over(self, info: GameInfo) -> None:
        """The server says that it has finished, or lists it no longer."""
        with self._lock:
            loop = self._loops.get(info.game_id)
            if loop is None:
                self._remember(info.game_id)
                self._slots.release(info.game_id)
        if loop is not None:
            loop.told_over(info)
        else:
            self._freed()

    def close(self, timeout_s: float) -> None:
        """Leave all games, which go on at the server; begin no more."""
        with self._lock:
            self._closed = True
        loops = self.loops()
        for loop in loops:
            loop.leave()
        deadline = time.monotonic() + timeout_s
        for loop in loops:
            loop.join(max(0.0, deadline - time.monotonic()))

    def _parks(self, info: GameInfo) -> bool:
        """A correspondence game waits where there is nothing to do in it, or no slot for it yet."""
        if info.speed != "correspondence":
            return False
        record = self._slots.get(info.game_id)
        if record is not None and record.use in (SlotUse.ACCEPTED, SlotUse.OUTGOING):
            return False
        return not info.is_my_turn or self._slots.free() <= 0

    def _loop_ended(self, loop: GameLoop, ending: Ending) -> None:
        game_id = loop.game_id
        with self._lock:
            self._loops.pop(game_id, None)
            if ending is Ending.PARKED:
                self._slots.put(game_id, SlotUse.PARKED, loop.info.opponent.id, loop.info.opponent.is_bot)
            elif ending is Ending.OVER:
                self.ended_count += 1
                self._remember(game_id)
                self._slots.release(game_id)
        self._freed()
        if ending is Ending.OVER:
            try:
                self._on_over(loop)
            except Exception:  # records and pages are optional: they fail alone
                log.exception("after_game_fault", game_id=game_id)

    def _remember(self, game_id: str) -> None:
        self._ended[game_id] = time.monotonic()
        while len(self._ended) > REMEMBERED:
            self._ended.popitem(last=False)
