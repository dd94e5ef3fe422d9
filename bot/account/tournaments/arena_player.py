"""Takes part in the configured arenas: joins, asks for games, takes breaks, leaves."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import structlog

from bot.account.admission import Admission
from bot.account.slots import Slots, SlotUse
from bot.account.tournaments.arena_rules import LOOK_EVERY_S, Situation, Step, decide
from bot.account.tournaments.team_joiner import join_teams
from bot.backoff import Backoff
from bot.errors import LichessError, NotFound, RateLimited, Rejected, Unauthorized
from bot.lichess.server import Server
from bot.lichess.values import Arena
from bot.settings import ArenaEntry, TournamentSettings
from bot.supervised_loop import SupervisedLoop

TICK_S = 0.5
SLOT_LAPSE_S = 90.0  # a slot kept for a game that does not come is free again after this
RETRY_S = (5.0, 300.0)  # first and longest pause after a refusal or a failure
LEAVE_WITHIN_S = 5.0
REFUSALS = (Rejected, NotFound, Unauthorized)

log = structlog.get_logger(__name__)


@dataclass
class TrackedArena:
    """An arena of the configuration and how we stand to it; times in monotonic seconds."""

    entry: ArenaEntry
    joined: bool = False
    playing: bool = False
    asked_s: float | None = None
    look_at_s: float = 0.0
    done: bool = False
    refusal: str = ""  # told once
    backoff: Backoff = field(default_factory=lambda: Backoff(*RETRY_S))

    @property
    def slot_id(self) -> str:
        """The name under which a slot is kept for its next game."""
        return f"arena-{self.entry.id}"


class ArenaPlayer:
    """One thread for all arenas; `running()` gives the tournament ids of the games that are being played."""

    def __init__(
        self,
        server: Server,
        settings: TournamentSettings,
        slots: Slots,
        running: Callable[[], Iterable[str]],
        admission: Admission | None = None,
    ) -> None:
        """Prepare the thread; nothing is asked before `start`."""
        self._server = server
        self._settings = settings
        self._slots = slots
        self._running = running
        self._admission = admission or Admission()
        self._ending = False
        self.arenas = [TrackedArena(entry) for entry in settings.arenas]
        self._loop = SupervisedLoop("arenas", self._work)

    def start(self) -> None:
        """Begin, where arenas or teams are configured."""
        if self.arenas or self._settings.teams:
            self._loop.ensure_started()

    def join(self, entry: ArenaEntry) -> bool:
        """Take part in one more arena, from any thread; returns False where we do so already."""
        if any(one.entry.id == entry.id and not one.done for one in self.arenas):
            return False
        self.arenas = [*self.arenas, TrackedArena(entry)]
        self._loop.ensure_started()
        return True

    def note_end(self, tournament_id: str) -> None:
        """Keep the slot of an arena's game that ends, before another game gets it: the arena may pair us at once."""
        for one in self.arenas:
            if one.entry.id == tournament_id and one.joined and not one.done and self._wanted:
                self._slots.put(one.slot_id, SlotUse.RESERVED, "", SLOT_LAPSE_S)

    def leave(self) -> None:
        """Leave all arenas, or take a break from those that run; waits for the server a few seconds at most."""
        self._ending = True
        self._loop.stop()
        self._loop.join(LEAVE_WITHIN_S)

    def close(self) -> None:
        """End the thread."""
        self.leave()

    def _work(self) -> None:
        join_teams(self._server, self._settings.teams)
        while not self._loop.wait(TICK_S):
            self.look(time.monotonic())
        self.look(time.monotonic())  # to leave

    def look(self, now_s: float) -> None:
        """Do what is due; called twice a second."""
        playing = set(self._running())
        for one in self.arenas:
            self._note_playing(one, one.entry.id in playing, now_s)
            if one.joined and not self._wanted:
                one.look_at_s = now_s
            if not one.done and now_s >= one.look_at_s and not (self._ending and not one.joined):
                self._attend(one, now_s)

    @property
    def _wanted(self) -> bool:
        return not self._ending and not self._admission.paused

    def _note_playing(self, one: TrackedArena, playing: bool, now_s: float) -> None:
        """Hand the kept slot over to a game that begins; ask for the next one as soon as it has ended."""
        if playing and not one.playing:
            self._slots.release_if(one.slot_id, SlotUse.RESERVED)
        elif one.playing and not playing:
            one.asked_s = None
            one.look_at_s = now_s
        one.playing = playing

    def _attend(self, one: TrackedArena, now_s: float) -> None:
        """Ask how the arena stands and take the step that follows."""
        try:
            arena = self._server.arena(one.entry.id)
            situation = Situation(
                joined=one.joined,
                playing=one.playing,
                has_slot=self._slots.get(one.slot_id) is not None or self._slots.free() > 0,
                wanted=self._wanted,
                since_asked_s=None if one.asked_s is None else now_s - one.asked_s,
            )
            decision = decide(arena, situation, self._settings)
            self._take(one, arena, decision.step, now_s)
        except LichessError as error:
            self._failed(one, error, now_s)
        else:
            one.look_at_s = now_s + decision.look_in_s

    def _take(self, one: TrackedArena, arena: Arena, step: Step, now_s: float) -> None:
        if step is Step.DONE:
            one.done = True
            self._slots.release_if(one.slot_id, SlotUse.RESERVED)
            log.info("arena_over", arena=one.entry.id, name=arena.name, joined=one.joined)
        elif step is Step.LEAVE:
            self._slots.release_if(one.slot_id, SlotUse.RESERVED)
            one.joined, one.asked_s = False, None
            self._server.withdraw_from_arena(one.entry.id)
            log.info("arena_left", arena=one.entry.id, name=arena.name, started=arena.started)
        elif step in (Step.JOIN, Step.PAIR):
            if step is Step.PAIR:
                self._slots.put(one.slot_id, SlotUse.RESERVED, "", SLOT_LAPSE_S)
            self._join(one, arena, pair_now=step is Step.PAIR)
            one.asked_s = now_s

    def _join(self, one: TrackedArena, arena: Arena, *, pair_now: bool) -> None:
        password = one.entry.password.get_secret_value() if one.entry.password else ""
        self._server.join_arena(one.entry.id, team=one.entry.team or "", password=password, pair_now=pair_now)
        if not one.joined:
            log.info("arena_joined", arena=one.entry.id, name=arena.name, started=arena.started)
        one.joined, one.refusal = True, ""
        one.backoff.reset()

    def _failed(self, one: TrackedArena, error: LichessError, now_s: float) -> None:
        """Try again later; say once why the server refuses."""
        self._slots.release_if(one.slot_id, SlotUse.RESERVED)
        limit_s = error.retry_after_s if isinstance(error, RateLimited) else 0.0
        one.look_at_s = now_s + min(max(one.backoff.next_s(), limit_s), 10 * LOOK_EVERY_S)
        reason = str(error)
        if isinstance(error, REFUSALS) and reason != one.refusal:
            one.refusal = reason
            log.warning("arena_refused", arena=one.entry.id, reason=reason, remedy=_remedy(error))
        elif not isinstance(error, REFUSALS):
            log.info("arena_not_reached", arena=one.entry.id, error=reason)


def _remedy(error: LichessError) -> str:
    if isinstance(error, NotFound):
        return "correct the id under tournaments.arenas"
    if isinstance(error, Unauthorized):
        return "create a token with the scope tournament:write"
    return "look at the arena's conditions: it must admit bots, and may ask for a team or a password"
