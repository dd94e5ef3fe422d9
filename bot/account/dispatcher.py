"""All games of the account: starts one loop per game id, keeps the slots, resumes, parks, reconciles, drains.

Owns the threads that serve all games: the account's reader, the challenge queue, the reconciler and the ticker. Each
survives the failure of any request.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import structlog

from bot.account.account_reader import AccountReader, AccountStream
from bot.account.challenge_queue import ChallengeQueue, ChallengeServer
from bot.account.game_registry import LIST_AGE_S, GameRegistry
from bot.account.reconciler import EVERY_S, CrossCheck, Reconciler
from bot.account.slots import OUTGOING_S, OUTGOING_SLOW_S, Record, Slots, SlotUse
from bot.events import (
    AccountEvent,
    Challenge,
    ChallengeCanceled,
    ChallengeDeclined,
    ChallengeReceived,
    GameFinished,
    GameInfo,
    GameStarted,
    Player,
)
from bot.play.game_context import GameContext, Server
from bot.play.game_loop import GameLoop
from bot.settings import Settings

TICK_S = 0.25
QUIET_S = 300.0  # an account stream without any event for so long is opened anew: keep-alives alone prove nothing

log = structlog.get_logger(__name__)


class AccountServer(Server, ChallengeServer, Protocol):
    """The part of the gateway that the dispatcher needs."""

    def stream_events(self) -> AccountStream:
        """Open the account's stream."""


@dataclass(frozen=True)
class Snapshot:
    """What is going on, for pages and logs."""

    connected: bool
    token_used_twice: bool
    free_slots: int
    records: tuple[Record, ...]
    waiting: tuple[Challenge, ...]
    loops: tuple[GameLoop, ...]
    ended: int


def slots_of(settings: Settings) -> int:
    """Games at once: as configured, but no more than there are slots of engines."""
    engines = sum(entry.slots for entry in settings.engines)
    if engines < settings.concurrency:
        log.warning("fewer_engines_than_games", concurrency=settings.concurrency, slots=engines)
    return min(settings.concurrency, engines)


class Dispatcher:
    """`on_game_over(loop)` hears of each game that ended, from that game's own thread."""

    def __init__(
        self,
        server: AccountServer,
        context: GameContext,
        *,
        on_game_over: Callable[[GameLoop], None] = lambda _loop: None,
        games_today: Callable[[str], int] = lambda _opponent: 0,
        reconcile_every_s: float = EVERY_S,
        first_pause_s: float = 0.5,
    ) -> None:
        self._my_id = context.my_id
        self._closed = threading.Event()
        self.slots = Slots(slots_of(context.settings))
        self.queue = ChallengeQueue(server, self.slots, context.settings, games_today)
        self.registry = GameRegistry(context, self.slots, on_game_over, self._slot_freed)
        self.reader = AccountReader(server.stream_events, self.hear, self._opened, first_pause_s=first_pause_s)
        check = CrossCheck(self.slots, self._listed, self._not_listed)
        every_s = min(reconcile_every_s, context.settings.correspondence.check_in_every_s)
        self.reconciler = Reconciler(server.ongoing_games, check, every_s=every_s)
        self._ticker = threading.Thread(target=self._tick, name="ticker", daemon=True)

    # -- life ---------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Take up all running games, then live from events. Returns at once."""
        self.queue.start()
        self.reader.start()
        self.reconciler.start()
        self.reconciler.poke()
        self._ticker.start()

    def stop_accepting(self) -> None:
        """Take no more challenges; games go on."""
        self.queue.stop_accepting()

    def wait_idle(self, timeout_s: float) -> bool:
        """Wait until no game is being played and none is about to begin; parked games do not count."""
        deadline = time.monotonic() + timeout_s
        while self._busy():
            if self._closed.wait(min(TICK_S, max(0.0, deadline - time.monotonic()))) or time.monotonic() >= deadline:
                return not self._busy()
        return True

    def close(self, timeout_s: float = 5.0) -> None:
        """Leave all games, which go on at the server, and end all threads."""
        self._closed.set()
        self.reconciler.close()
        self.queue.close()
        self.reader.close()
        self.registry.close(timeout_s)

    def snapshot(self) -> Snapshot:
        """A frozen picture."""
        reader = self.reader
        return Snapshot(
            connected=reader.connected,
            token_used_twice=reader.take_over.suspected,
            free_slots=self.slots.free(),
            records=self.slots.records(),
            waiting=self.queue.waiting(),
            loops=self.registry.loops(),
            ended=self.registry.ended_count,
        )

    def _busy(self) -> bool:
        return any(record.use in (SlotUse.PLAYING, SlotUse.ACCEPTED) for record in self.slots.records())

    # -- events -------------------------------------------------------------------------------------------------

    def hear(self, event: AccountEvent) -> None:
        """One event of the account's stream."""
        if isinstance(event, GameStarted):
            self.queue.canceled(event.game.game_id)
            self.registry.begin(event.game)
        elif isinstance(event, GameFinished):
            self.registry.over(event.game)
        elif isinstance(event, ChallengeReceived):
            self._challenged(event)
        elif isinstance(event, ChallengeCanceled):
            self.queue.canceled(event.challenge_id)
            self._let_go(event.challenge_id)
        elif isinstance(event, ChallengeDeclined):
            log.info("challenge_declined", challenge_id=event.challenge_id, reason=event.reason_key)
            self._let_go(event.challenge_id)
        else:
            log.info("unknown_event", kind=event.kind)

    def _opened(self) -> None:
        log.info("account_stream_open")
        self.reconciler.poke()

    def _challenged(self, event: ChallengeReceived) -> None:
        """A challenge to us goes to the queue; one from us holds a slot, for it may be taken at any moment."""
        challenge = event.challenge
        if challenge.challenger.id != self._my_id:
            self.queue.receive(challenge, event.playable)
        elif challenge.status in ("created", "offline", ""):
            lapse_s = OUTGOING_SLOW_S if challenge.speed == "correspondence" else OUTGOING_S
            other = challenge.dest_user
            if self.slots.get(challenge.id) is None:
                self.slots.put(challenge.id, SlotUse.OUTGOING, other.id, other.is_bot, lapse_s)

    def _let_go(self, challenge_id: str) -> None:
        if self.slots.release_if(challenge_id, SlotUse.OUTGOING, SlotUse.ACCEPTED):
            self.queue.wake()

    def _slot_freed(self) -> None:
        self.queue.wake()
        if any(record.use is SlotUse.PARKED for record in self.slots.records()):
            self.reconciler.poke()

    def _listed(self, info: GameInfo) -> None:
        """Play what the server lists, and doubt a stream that has been open and kept it from us."""
        opened_s = self.reader.opened_s
        if self.registry.listed(info) and opened_s is not None and time.monotonic() - opened_s > LIST_AGE_S:
            log.warning("game_not_announced", game_id=info.game_id)
            self.reader.reopen("it did not announce a game that runs")

    def _not_listed(self, record: Record) -> None:
        log.warning("game_no_longer_listed", game_id=record.game_id)
        self.registry.over(GameInfo(record.game_id, "", Player(record.opponent_id, record.opponent_id)))

    # -- time -----------------------------------------------------------------------------------------------------

    def _tick(self) -> None:
        checked_s = time.monotonic()
        while not self._closed.wait(TICK_S):
            now = time.monotonic()
            for loop in self.registry.loops():
                try:
                    loop.tick(now)
                    loop.park_if_idle(now)
                except Exception:  # a fault of ours in one game must not stop the time of the others
                    log.exception("tick_fault", game_id=loop.game_id)
            if now - max(self.reader.last_event_s, checked_s) > QUIET_S:
                checked_s = now
                self.reader.reopen("no event for a while")
