"""Takes part in the configured arenas: joins, asks for games, takes breaks, leaves. Joins the configured teams."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import structlog

from bot.account.admission import Admission
from bot.account.slots import Slots, SlotUse
from bot.backoff import Backoff
from bot.errors import LichessError, NotFound, RateLimited, Rejected, Unauthorized
from bot.lichess.server import Server
from bot.lichess.values import Arena
from bot.play.observer import EndedGame, GameObserver
from bot.settings import ArenaEntry, TeamEntry, TournamentSettings
from bot.supervised_loop import SupervisedLoop

TICK_S = 0.5
JOIN_BEFORE_S = 600.0  # before the start of an arena
LAST_CALL_S = 20.0  # no game begins this shortly before the end of an arena
LOOK_EVERY_S = 120.0  # at an arena in which there is nothing to do
SHORTEST_S = 1.0
SLOT_LAPSE_S = 90.0  # a slot reserved for a game that does not begin is free again after this
RETRY_S = (5.0, 300.0)  # first and longest pause after a refusal or a failure
LONGEST_RETRY_S = 10 * LOOK_EVERY_S
LEAVE_WITHIN_S = 5.0

log = structlog.get_logger(__name__)


@dataclass
class TrackedArena:
    """An arena of the configuration and our state in it; times in monotonic seconds."""

    entry: ArenaEntry
    joined: bool = False
    playing: bool = False
    asked_s: float | None = None
    look_at_s: float = 0.0
    done: bool = False
    refusal: str = ""  # logged once
    backoff: Backoff = field(default_factory=lambda: Backoff(*RETRY_S))

    @property
    def slot_id(self) -> str:
        """The name under which a slot is reserved for its next game."""
        return f"arena-{self.entry.id}"


class ArenaWorker(GameObserver):
    """One thread for all arenas. `running()` returns the tournament ids of the games that are being played."""

    def __init__(
        self,
        server: Server,
        settings: TournamentSettings,
        slots: Slots,
        running: Callable[[], Iterable[str]],
        admission: Admission | None = None,
    ) -> None:
        """Prepare the thread; `start` sends the first request."""
        self._server = server
        self._settings = settings
        self._slots = slots
        self._running = running
        self._admission = admission or Admission()
        self._ending = False
        self.arenas = [TrackedArena(entry) for entry in settings.arenas]
        self._loop = SupervisedLoop("arenas", self._work)

    def start(self) -> None:
        """Begin, if arenas or teams are configured."""
        if self.arenas or self._settings.teams:
            self._loop.ensure_started()

    def join(self, entry: ArenaEntry) -> bool:
        """Take part in one more arena, from any thread. Return False if we do so already."""
        if any(one.entry.id == entry.id and not one.done for one in self.arenas):
            return False
        self.arenas = [*self.arenas, TrackedArena(entry)]
        self._loop.ensure_started()
        return True

    def ended(self, ended: EndedGame) -> None:
        """Reserve a slot when an arena's game ends, before another game gets it: the arena may pair us at once."""
        tournament_id = ended.tournament_id
        for one in self.arenas:
            if one.entry.id == tournament_id and one.joined and not one.done and self._wanted:
                self._slots.put(one.slot_id, SlotUse.RESERVED, "", SLOT_LAPSE_S)

    def close(self) -> None:
        """Leave all arenas, or take a break from those that run. Wait a few seconds at most."""
        self._ending = True
        self._loop.stop()
        self._loop.join(LEAVE_WITHIN_S)

    def _work(self) -> None:
        join_teams(self._server, self._settings.teams)
        while not self._loop.wait(TICK_S):
            self.look(time.monotonic())
        self.look(time.monotonic())  # to leave

    def look(self, now_s: float) -> None:
        """Do what is due."""
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
        """Free the reserved slot when a game begins; ask for the next one as soon as it has ended."""
        if playing and not one.playing:
            self._slots.release(one.slot_id, SlotUse.RESERVED)
        elif one.playing and not playing:
            one.asked_s = None
            one.look_at_s = now_s
        one.playing = playing

    def _attend(self, one: TrackedArena, now_s: float) -> None:
        """Fetch the arena and do what is due."""
        try:
            look_in_s = self._step(one, self._server.arena(one.entry.id), now_s)
        except LichessError as error:
            self._failed(one, error, now_s)
        else:
            one.look_at_s = now_s + min(LOOK_EVERY_S, max(SHORTEST_S, look_in_s))

    def _step(self, one: TrackedArena, arena: Arena, now_s: float) -> float:
        """Join, ask for a game or leave. Return the seconds until the next look."""
        if arena.finished:
            one.done = True
            self._slots.release(one.slot_id, SlotUse.RESERVED)
            log.info("arena_over", arena=one.entry.id, name=arena.name, joined=one.joined)
            return LOOK_EVERY_S
        if not self._wanted:
            if one.joined:
                self._leave(one, arena)
            return self._settings.ask_again_s
        if arena.starts_in_s is None:
            return self._ask_for_game(one, arena, now_s)
        if not one.joined:
            if arena.starts_in_s > JOIN_BEFORE_S:
                return arena.starts_in_s - JOIN_BEFORE_S
            self._join(one, arena, now_s, pair_now=False)
        return arena.starts_in_s + SHORTEST_S

    def _ask_for_game(self, one: TrackedArena, arena: Arena, now_s: float) -> float:
        again_s = self._settings.ask_again_s
        if arena.finishes_in_s is not None and arena.finishes_in_s < LAST_CALL_S:
            return arena.finishes_in_s + SHORTEST_S
        has_slot = self._slots.get(one.slot_id) is not None or self._slots.free() > 0
        if one.playing or not has_slot:
            return again_s
        if one.joined and one.asked_s is not None and now_s - one.asked_s < again_s:
            return again_s - (now_s - one.asked_s)
        self._slots.put(one.slot_id, SlotUse.RESERVED, "", SLOT_LAPSE_S)
        self._join(one, arena, now_s, pair_now=True)
        return again_s

    def _leave(self, one: TrackedArena, arena: Arena) -> None:
        self._slots.release(one.slot_id, SlotUse.RESERVED)
        one.joined, one.asked_s = False, None
        self._server.withdraw_from_arena(one.entry.id)
        log.info("arena_left", arena=one.entry.id, name=arena.name, started=arena.started)

    def _join(self, one: TrackedArena, arena: Arena, now_s: float, *, pair_now: bool) -> None:
        password = one.entry.password.get_secret_value() if one.entry.password else ""
        self._server.join_arena(one.entry.id, team=one.entry.team or "", password=password, pair_now=pair_now)
        if not one.joined:
            log.info("arena_joined", arena=one.entry.id, name=arena.name, started=arena.started)
        one.joined, one.asked_s, one.refusal = True, now_s, ""
        one.backoff.reset()

    def _failed(self, one: TrackedArena, error: LichessError, now_s: float) -> None:
        """Try again later. Log each reason of a refusal once."""
        self._slots.release(one.slot_id, SlotUse.RESERVED)
        limit_s = error.retry_after_s if isinstance(error, RateLimited) else 0.0
        one.look_at_s = now_s + min(max(one.backoff.next_s(), limit_s), LONGEST_RETRY_S)
        reason = str(error)
        if not isinstance(error, Rejected):
            log.info("arena_not_reached", arena=one.entry.id, error=reason)
        elif reason != one.refusal:
            one.refusal = reason
            log.warning("arena_refused", arena=one.entry.id, reason=reason, remedy=_remedy(error))


def _remedy(error: LichessError) -> str:
    if isinstance(error, NotFound):
        return "correct the id under tournaments.arenas"
    if isinstance(error, Unauthorized):
        return "create a token with the scope tournament:write"
    return "look at the arena's conditions: it must admit bots, and may ask for a team or a password"


def join_teams(server: Server, teams: Iterable[TeamEntry]) -> None:
    """Join each team, unless we are members or have asked already. Log the reason of a refusal."""
    for entry in teams:
        try:
            team = server.team(entry.id)
            if team.joined or team.requested:
                continue
            password = entry.password.get_secret_value() if entry.password else ""
            server.join_team(entry.id, password=password, message=entry.message or "")
        except LichessError as error:
            log.warning(
                "team_not_joined",
                team=entry.id,
                reason=str(error),
                remedy="look at the team's page: it may ask for a password or a message, under tournaments.teams",
            )
        else:
            log.info("team_joined", team=entry.id, name=team.name)
