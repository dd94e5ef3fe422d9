"""Routes the account's events, and owns what all games share: reader, challenge queue, reconciler, ticker."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import structlog

from bot.account.account_reader import AccountReader
from bot.account.challenges.challenge_queue import ChallengeQueue
from bot.account.challenges.challenge_rules import ChallengeJudge, Profiles
from bot.account.game_registry import LIST_AGE_S, GameRegistry
from bot.account.reconciler import EVERY_S, Reconciler
from bot.account.slots import OUTGOING_S, OUTGOING_SLOW_S, SlotRecord, Slots, SlotUse
from bot.archive.look_up import GameLookUp
from bot.events.account import (
    AccountEvent,
    Challenge,
    ChallengeCanceled,
    ChallengeDeclined,
    ChallengeReceived,
    GameFinished,
    GameInfo,
    GameStarted,
)
from bot.events.game import GameExport
from bot.lichess.server import Server
from bot.play.game_context import GameContext
from bot.play.game_loop import GameLoop
from bot.settings import Settings
from bot.supervised_loop import SupervisedLoop

TICK_S = 0.25
LIST_PAUSE_S = 15.0  # between two lists that are fetched because games are quiet
CLOSED_PAUSE_S = 5.0  # ... because the account's stream is closed: after a restart no other request finds our games
FINAL_STATE_WAIT_S = 3.0  # from a finish event to the request for the export
UNREACHABLE_AFTER = 2  # openings of the account's stream that failed in a row
QUIET_S = 300.0  # an account stream without any event for so long is reopened: keep-alives alone prove nothing

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Snapshot:
    """The state of the account at one moment, for pages and logs."""

    connected: bool
    token_used_twice: bool
    token_rejected: bool
    free_slots: int
    records: tuple[SlotRecord, ...]
    waiting: tuple[Challenge, ...]
    loops: tuple[GameLoop, ...]
    ended: int
    stream_age_s: float | None  # since the last line of the account's stream; None before its first opening
    stream_openings: int
    challenge_outcomes: Mapping[str, int]
    unreachable: bool = False  # the account's stream cannot be opened


def slots_of(settings: Settings) -> int:
    """Return how many games may run at once: as configured, but not more than the engines have slots."""
    engines = sum(entry.slots for entry in settings.engines)
    if engines < settings.concurrency:
        log.warning("fewer_engines_than_games", concurrency=settings.concurrency, slots=engines)
    return min(settings.concurrency, engines)


class Dispatcher:
    """Plays all games of the account.

    `on_declined(challenge_id, reason_key)` is called when a challenge of ours was declined; it returns at once.
    """

    def __init__(
        self,
        server: Server,
        context: GameContext,
        *,
        judge: ChallengeJudge | None = None,
        look_up: GameLookUp | None = None,
        on_declined: Callable[[str, str], None] = lambda _challenge_id, _reason_key: None,
        reconcile_every_s: float = EVERY_S,
    ) -> None:
        """Build everything; `start` starts the threads."""
        self._my_id = context.my_id
        self._closed = threading.Event()
        self._on_declined = on_declined
        judge = judge or ChallengeJudge(context.settings, Slots(slots_of(context.settings)), Profiles(server))
        self.slots = judge.slots
        self.queue = ChallengeQueue(server, judge)
        self._look_up = look_up or GameLookUp(server.export_game)
        account = replace(context.account, waiting=self._waiting_names)
        context = replace(context, account=account, look_up=self._look_up.ask)
        self.registry = GameRegistry(context, self.slots, self._slot_freed)
        self.reader = AccountReader(server.stream_events, self.handle_event, self._on_open)
        every_s = min(reconcile_every_s, context.settings.correspondence.check_in_every_s)
        self.reconciler = Reconciler(
            server.ongoing_games, self.slots, self._on_list, self._look_up, self.registry.over, every_s=every_s
        )
        self._ticker = SupervisedLoop("ticker", self._tick)

    def start(self) -> None:
        """Start all threads, which resume the running games and follow the events. Return at once."""
        self._look_up.start()
        self.queue.start()
        self.reader.start()
        self.reconciler.start()
        self.reconciler.poke()
        self._ticker.ensure_started()

    def configure(self, settings: Settings) -> None:
        """Judge challenges and play games that begin from now on by other settings."""
        self.queue.configure(settings)
        self.registry.configure(settings)

    def stop_accepting(self) -> None:
        """Decline challenges from now on, and cancel those that we sent. Running games continue."""
        self.queue.stop_accepting()
        self.queue.cancel(record.game_id for record in self.slots.records() if record.use is SlotUse.OUTGOING)

    def wait_idle(self, timeout_s: float) -> bool:
        """Wait until no game is running or starting. Correspondence games do not count."""
        deadline = time.monotonic() + timeout_s
        while self._busy():
            if self._closed.wait(min(TICK_S, max(0.0, deadline - time.monotonic()))) or time.monotonic() >= deadline:
                return not self._busy()
        return True

    def close(self, timeout_s: float = 5.0) -> None:
        """Leave all games, which continue at the server, and end all threads."""
        self._closed.set()
        self.stop_accepting()
        self._ticker.stop()
        self.reconciler.close()
        self.queue.close()
        self.reader.close()
        self.registry.close(timeout_s)
        self._look_up.close()

    def snapshot(self) -> Snapshot:
        """Return the state of the moment."""
        reader = self.reader
        last_line_s = reader.last_line_s
        return Snapshot(
            connected=reader.connected,
            token_used_twice=reader.token_used_twice,
            token_rejected=reader.token_rejected,
            free_slots=self.slots.free(),
            records=self.slots.records(),
            waiting=self.queue.waiting(),
            loops=self.registry.loops(),
            ended=self.registry.ended_count,
            stream_age_s=None if last_line_s is None else time.monotonic() - last_line_s,
            stream_openings=reader.openings,
            challenge_outcomes=self.queue.outcomes(),
            unreachable=reader.failed_openings >= UNREACHABLE_AFTER,
        )

    def _waiting_names(self) -> tuple[str, ...]:
        return tuple(one.challenger.label for one in self.queue.waiting())

    def _busy(self) -> bool:
        slow = {one.game_id for one in self.registry.loops() if one.info.speed == "correspondence"}
        return any(r.use in (SlotUse.PLAYING, SlotUse.ACCEPTED) for r in self.slots.records() if r.game_id not in slow)

    def handle_event(self, event: AccountEvent) -> None:
        """Act on one event of the account's stream."""
        if isinstance(event, GameStarted):
            self.queue.canceled(event.game.game_id)
            self.registry.begin(event.game)
        elif isinstance(event, GameFinished):
            self._finished(event.game.game_id)
        elif isinstance(event, ChallengeReceived):
            self._challenged(event.challenge)
        elif isinstance(event, ChallengeCanceled):
            self.queue.canceled(event.challenge_id)
            self._release(event.challenge_id)
        elif isinstance(event, ChallengeDeclined):
            log.info("challenge_declined", challenge_id=event.challenge_id, reason=event.reason_key)
            self._on_declined(event.challenge_id, event.reason_key)
            self._release(event.challenge_id)
        else:
            log.info("unknown_event", kind=event.kind)

    def _finished(self, game_id: str) -> None:
        """Expect the end of a game; if its own stream does not show it, its export decides."""
        self.registry.finished(game_id)
        plays = partial(self.registry.plays, game_id)
        self._look_up.ask(game_id, self._looked_up, after_s=FINAL_STATE_WAIT_S, is_wanted=plays)

    def _looked_up(self, export: GameExport) -> None:
        if export.is_over:
            self.registry.over(export)

    def _on_open(self) -> None:
        log.info("account_stream_open")
        self.reconciler.poke()

    def _challenged(self, challenge: Challenge) -> None:
        """Queue a challenge to us. One from us holds a slot, because it may be accepted at any moment."""
        if challenge.challenger.id != self._my_id:
            self.queue.receive(challenge)
        elif challenge.status in ("created", "offline", ""):
            lapse_s = OUTGOING_SLOW_S if challenge.speed == "correspondence" else OUTGOING_S
            self.slots.put_if_absent(challenge.id, SlotUse.OUTGOING, challenge.dest_user.id, lapse_s)

    def _release(self, challenge_id: str) -> None:
        if self.slots.release(challenge_id, SlotUse.OUTGOING, SlotUse.ACCEPTED):
            self._slot_freed()

    def _slot_freed(self) -> None:
        self.registry.begin_due()
        self.queue.wake()

    def _on_list(self, info: GameInfo) -> None:
        """Start a listed game that we do not play yet. Reopen the account's stream if it missed the game."""
        now_s = time.monotonic()
        for loop in self.registry.loops():
            if loop.game_id == info.game_id:
                loop.compare(info, now_s)
        record = self.slots.get(info.game_id)
        since_s = max(self.reader.opened_s or time.monotonic(), 0.0 if record is None else record.since_s)
        if self.registry.on_list(info) and time.monotonic() - since_s > LIST_AGE_S:
            log.warning("game_not_announced", game_id=info.game_id)
            self.reader.reopen("it did not announce a game that runs")

    def _list_pause_s(self, now_s: float) -> float:
        """Return the time between two lists; infinite where the reconciler's own pace is enough."""
        if not self.reader.connected:
            return CLOSED_PAUSE_S
        return LIST_PAUSE_S if any(loop.is_quiet(now_s) for loop in self.registry.loops()) else math.inf

    def _tick(self) -> None:
        checked_s = listed_s = time.monotonic()
        while not self._ticker.wait(TICK_S):
            now = time.monotonic()
            for loop in self.registry.loops():
                try:
                    loop.tick(now)
                    loop.park_if_idle(now)
                except Exception:  # a fault of ours in one game must not stop the time of the others
                    log.exception("tick_fault", game_id=loop.game_id)
            if now - listed_s > self._list_pause_s(now):
                listed_s = now
                self.reconciler.poke()
            self.registry.begin_due()  # a slot may have lapsed
            if now - max(self.reader.last_event_s, checked_s) > QUIET_S:
                checked_s = now
                self.reader.reopen("no event for a while", routine=True)
