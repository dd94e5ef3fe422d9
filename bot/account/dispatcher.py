"""All games of the account: starts one loop per game id, keeps the slots, resumes, parks, reconciles, drains.

Owns the threads that serve all games: the account's reader, the front desk, the reconciler and the ticker. Each
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
from bot.account.challenge_queue import ChallengeServer, FrontDesk
from bot.account.game_registry import LIST_AGE_S, GameBook
from bot.account.reconciler import EVERY_S, CrossCheck, Reconciler
from bot.account.slots import OUTGOING_S, OUTGOING_SLOW_S, Record, Roster, Seat
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
from bot.play.game_context import House, Server
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
        house: House,
        *,
        on_game_over: Callable[[GameLoop], None] = lambda _loop: None,
        games_today: Callable[[str], int] = lambda _opponent: 0,
        reconcile_every_s: float = EVERY_S,
        first_pause_s: float = 0.5,
    ) -> None:
        self._my_id = house.my_id
        self._closed = threading.Event()
        self.roster = Roster(slots_of(house.settings))
        self.desk = FrontDesk(server, self.roster, house.settings, games_today)
        self.book = GameBook(house, self.roster, on_game_over, self._slot_freed)
        self.reader = AccountReader(server.stream_events, self.hear, self._opened, first_pause_s=first_pause_s)
        check = CrossCheck(self.roster, self._listed, self._not_listed)
        every_s = min(reconcile_every_s, house.settings.correspondence.check_in_every_s)
        self.reconciler = Reconciler(server.ongoing_games, check, every_s=every_s)
        self._ticker = threading.Thread(target=self._tick, name="ticker", daemon=True)

    # -- life ---------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Take up all running games, then live from events. Returns at once."""
        self.desk.start()
        self.reader.start()
        self.reconciler.start()
        self.reconciler.poke()
        self._ticker.start()

    def stop_accepting(self) -> None:
        """Take no more challenges; games go on."""
        self.desk.stop_accepting()

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
        self.desk.close()
        self.reader.close()
        self.book.close(timeout_s)

    def snapshot(self) -> Snapshot:
        """A frozen picture."""
        reader = self.reader
        return Snapshot(
            connected=reader.connected,
            token_used_twice=reader.take_over.suspected,
            free_slots=self.roster.free(),
            records=self.roster.records(),
            waiting=self.desk.waiting(),
            loops=self.book.loops(),
            ended=self.book.ended_count,
        )

    def _busy(self) -> bool:
        return any(record.seat in (Seat.PLAYING, Seat.ACCEPTED) for record in self.roster.records())

    # -- events -------------------------------------------------------------------------------------------------

    def hear(self, event: AccountEvent) -> None:
        """One event of the account's stream."""
        if isinstance(event, GameStarted):
            self.desk.canceled(event.game.game_id)
            self.book.begin(event.game)
        elif isinstance(event, GameFinished):
            self.book.over(event.game)
        elif isinstance(event, ChallengeReceived):
            self._challenged(event)
        elif isinstance(event, ChallengeCanceled):
            self.desk.canceled(event.challenge_id)
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
        """A challenge to us goes to the desk; one from us holds a slot, for it may be taken at any moment."""
        challenge = event.challenge
        if challenge.challenger.id != self._my_id:
            self.desk.receive(challenge, event.playable)
        elif challenge.status in ("created", "offline", ""):
            lapse_s = OUTGOING_SLOW_S if challenge.speed == "correspondence" else OUTGOING_S
            other = challenge.dest_user
            if self.roster.get(challenge.id) is None:
                self.roster.put(challenge.id, Seat.OUTGOING, other.id, other.is_bot, lapse_s)

    def _let_go(self, challenge_id: str) -> None:
        if self.roster.release_if(challenge_id, Seat.OUTGOING, Seat.ACCEPTED):
            self.desk.wake()

    def _slot_freed(self) -> None:
        self.desk.wake()
        if any(record.seat is Seat.PARKED for record in self.roster.records()):
            self.reconciler.poke()

    def _listed(self, info: GameInfo) -> None:
        """Play what the server lists, and doubt a stream that has been open and kept it from us."""
        opened_s = self.reader.opened_s
        if self.book.listed(info) and opened_s is not None and time.monotonic() - opened_s > LIST_AGE_S:
            log.warning("game_not_announced", game_id=info.game_id)
            self.reader.reopen("it did not announce a game that runs")

    def _not_listed(self, record: Record) -> None:
        log.warning("game_no_longer_listed", game_id=record.game_id)
        self.book.over(GameInfo(record.game_id, "", Player(record.opponent_id, record.opponent_id)))

    # -- time -----------------------------------------------------------------------------------------------------

    def _tick(self) -> None:
        checked_s = time.monotonic()
        while not self._closed.wait(TICK_S):
            now = time.monotonic()
            for loop in self.book.loops():
                try:
                    loop.tick(now)
                    loop.park_if_idle(now)
                except Exception:  # a fault of ours in one game must not stop the time of the others
                    log.exception("tick_fault", game_id=loop.game_id)
            if now - max(self.reader.last_event_s, checked_s) > QUIET_S:
                checked_s = now
                self.reader.reopen("no event for a while")
