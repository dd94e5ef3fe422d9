"""The games being played, parked and ended: one loop per game id, however often a game is announced."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace

import structlog

from bot.account.slots import Slots, SlotUse
from bot.events import GameInfo
from bot.play.game_context import EndReason, GameContext
from bot.play.game_loop import GameLoop
from bot.settings import Settings

REMEMBERED = 500  # ended games, so that a late gameStart does not open them again
LIST_AGE_S = 5.0  # a list of running games may be so old when we read it

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class GameCallbacks:
    """What the registry tells; all are called outside its lock, and their faults are logged.

    `begun(info)`: a game was taken up or parked. `over(loop)`: a game ended that a loop played, from that game's own
    thread. `over_unseen(game_id)`: a game ended that no loop played at the time. `slot_freed()`: a slot may be free.
    """

    over: Callable[[GameLoop], None] = lambda _loop: None
    begun: Callable[[GameInfo], None] = lambda _info: None
    over_unseen: Callable[[str], None] = lambda _game_id: None
    slot_freed: Callable[[], None] = lambda: None


@dataclass
class Unstarted:
    """A game that runs and for which no thread could be started yet."""

    info: GameInfo
    loop: GameLoop | None = None  # made, but without its thread
    logged: bool = False


class GameRegistry:
    """All games of the account; every method may be called from any thread."""

    def __init__(self, context: GameContext, slots: Slots, callbacks: GameCallbacks) -> None:
        """Start without games."""
        self._context = context
        self._slots = slots
        self._callbacks = callbacks
        self._lock = threading.RLock()
        self._loops: dict[str, GameLoop] = {}
        self._unstarted: dict[str, Unstarted] = {}
        self._ended: OrderedDict[str, float] = OrderedDict()  # when the server said so, monotonic seconds
        self._closed = False
        self.ended_count = 0

    def loops(self) -> tuple[GameLoop, ...]:
        """Return the games being played now."""
        with self._lock:
            return tuple(self._loops.values())

    def plays(self, game_id: str) -> bool:
        """Whether the game is being played, or will be as soon as a thread can be started."""
        with self._lock:
            return game_id in self._loops or game_id in self._unstarted

    def configure(self, settings: Settings) -> None:
        """Play games that begin from now on by other settings."""
        self._context = replace(self._context, settings=settings)

    def begin(self, info: GameInfo, *, certain: bool = False) -> bool:
        """Play the game unless it is being played; returns whether a loop was started.

        `certain`: the list of running games shows it, so it is not over even if we thought so.
        """
        game_id = info.game_id
        if not info.playable:
            log.info("game_not_for_bots", game_id=game_id)
            return False
        with self._lock:
            if self._closed or self.plays(game_id) or (game_id in self._ended and not certain):
                return False
            parked = self._parks(info)
            use = SlotUse.PARKED if parked else SlotUse.PLAYING
            self._slots.put(game_id, use, info.opponent.id, info.opponent.is_bot)
            if not parked:
                self._unstarted[game_id] = Unstarted(info)
        started = not parked and self._start(game_id)
        self._call(lambda: self._callbacks.begun(info), game_id)
        return started

    def begin_unstarted(self) -> None:
        """Try again to start the games for which no thread could be started."""
        with self._lock:
            waiting = tuple(self._unstarted)
        for game_id in waiting:
            self._start(game_id)

    def on_list(self, info: GameInfo) -> bool:
        """Play a game that the server lists as running; returns whether the game is news to us."""
        record = self._slots.get(info.game_id)
        ended_s = self._ended.get(info.game_id)
        began = self.begin(info, certain=ended_s is not None and time.monotonic() - ended_s > LIST_AGE_S)
        return began and (record is None or record.use is not SlotUse.PARKED)

    def over(self, info: GameInfo) -> None:
        """End a game that is over by the word of the server: an event, or the game's export."""
        game_id = info.game_id
        with self._lock:
            self._remember(game_id)
            loop = self._loops.get(game_id)
            if loop is None:
                self._unstarted.pop(game_id, None)
                self._slots.release(game_id)
        if loop is not None:
            loop.expect_end(info)
        else:
            self._call(lambda: self._callbacks.over_unseen(game_id), game_id)
            self._callbacks.slot_freed()

    def close(self, timeout_s: float) -> None:
        """Leave all games, which go on at the server; begin no more."""
        with self._lock:
            self._closed = True
            self._unstarted.clear()
        loops = self.loops()
        for loop in loops:
            loop.leave()
        deadline = time.monotonic() + timeout_s
        for loop in loops:
            loop.join(max(0.0, deadline - time.monotonic()))

    def _start(self, game_id: str) -> bool:
        """Start the loop of a game; where the system can start no thread, the game stays to be started later."""
        with self._lock:
            waiting = self._unstarted.get(game_id)
            if waiting is None:
                return False
            info = waiting.info
            try:
                waiting.loop = waiting.loop or GameLoop(info, self._context, self._loop_ended)
                waiting.loop.start()
            except RuntimeError as error:  # "can't start new thread"
                if not waiting.logged:
                    waiting.logged = True
                    log.error("game_not_started", game_id=game_id, error=str(error), remedy="tried again by itself")
                return False
            del self._unstarted[game_id]
            self._loops[game_id] = waiting.loop
        log.info("game_begins", game_id=game_id, opponent=info.opponent.label, speed=info.speed)
        return True

    def _parks(self, info: GameInfo) -> bool:
        """Whether a correspondence game waits: it is the opponent's turn, or no slot is free."""
        if info.speed != "correspondence":
            return False
        record = self._slots.get(info.game_id)
        if record is not None and record.use in (SlotUse.ACCEPTED, SlotUse.OUTGOING):
            return False
        return not info.is_my_turn or self._slots.free() <= 0

    def _loop_ended(self, loop: GameLoop, reason: EndReason) -> None:
        game_id = loop.game_id
        with self._lock:
            self._loops.pop(game_id, None)
            if reason is EndReason.OVER and loop.game is not None and loop.game.over:
                self._remember(game_id)  # a game given up without the server's word may be taken up again
        if reason is EndReason.OVER:
            self._call(lambda: self._callbacks.over(loop), game_id)
        with self._lock:
            if reason is EndReason.PARKED:
                self._slots.put(game_id, SlotUse.PARKED, loop.info.opponent.id, loop.info.opponent.is_bot)
            elif reason is EndReason.OVER:
                self.ended_count += 1
                if not self.plays(game_id):
                    self._slots.release(game_id)
        self._callbacks.slot_freed()

    def _call(self, callback: Callable[[], None], game_id: str) -> None:
        try:
            callback()
        except Exception:  # records and pages are optional: they fail alone
            log.exception("game_callback_fault", game_id=game_id)

    def _remember(self, game_id: str) -> None:
        self._ended[game_id] = time.monotonic()
        while len(self._ended) > REMEMBERED:
            self._ended.popitem(last=False)
