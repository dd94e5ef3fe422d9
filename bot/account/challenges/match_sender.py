"""Sends the challenges of matchmaking, one after the other, and follows what becomes of them."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from bot.account.admission import Admission
from bot.account.challenges.challenge_rules import Listed, by_name_alone
from bot.account.challenges.matchmaking import Matchmaker, Proposal, Situation
from bot.account.slots import OUTGOING_S, Slots, SlotUse
from bot.backoff import Backoff
from bot.errors import LichessError, RateLimited, Rejected
from bot.events import GameInfo
from bot.lichess.server import Server
from bot.settings import Settings
from bot.supervised_loop import SupervisedLoop

LOOK_EVERY_S = 5.0
NOBODY_PAUSE_S = 60.0  # nobody online fits: the list is not asked for again before this
FAILURE_PAUSES_S = (10.0, 600.0)  # first and longest
LONGEST_LIMIT_S = 3600.0  # a limit of a whole day is looked at again after this
REQUEST_ID = "matchmaking"  # holds the slot while the challenge has no id yet
ANSWER_GRACE_S = 10.0  # a challenge taken back may have been accepted at the same moment

log = structlog.get_logger(__name__)


@dataclass
class SentChallenge:
    """A challenge under way; `sent_s` and `canceled_s` in monotonic seconds."""

    proposal: Proposal
    sent_s: float
    canceled_s: float | None = None


class MatchSender:
    """The thread of matchmaking; the dispatcher reports the account's events to it."""

    def __init__(
        self,
        server: Server,
        matchmaker: Matchmaker,
        slots: Slots,
        settings: Settings,
        my_id: str,
        wall_s: Callable[[], float] = time.time,
        admission: Admission | None = None,
        listed: Listed = by_name_alone,
    ) -> None:
        """Prepare the thread; `wall_s` gives epoch seconds for what is remembered over restarts.

        While `admission` is paused nobody is asked, and what was asked is taken back.
        """
        self._server = server
        self._matchmaker = matchmaker
        self._slots = slots
        self._settings = settings.matchmaking
        self._keep_free = settings.challenges.reserved_for_humans
        self._my_id = my_id
        self._wall_s = wall_s
        self._admission = admission or Admission()
        self._listed = listed
        self._events: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._sent: dict[str, SentChallenge] = {}
        self._games: set[str] = set()
        self._busy_s = time.monotonic()
        self._not_before_s = 0.0
        self._backoff = Backoff(*FAILURE_PAUSES_S)
        self._loop = SupervisedLoop("matchmaking", self._work)

    def start(self) -> None:
        """Begin, where matchmaking is switched on."""
        if self._settings.enabled:
            self._loop.ensure_started()

    def close(self) -> None:
        """Send no more; a challenge under way lapses by itself."""
        self._loop.stop()

    # -- what the account's events say; these only queue, for the account's reader must not wait for the disk ----------

    def game_begun(self, info: GameInfo) -> None:
        """Count the game if it came from a challenge of ours."""
        if self._settings.enabled:  # else nobody would ever take it out
            self._events.put(lambda: self._on_begun(info.game_id))

    def challenge_declined(self, challenge_id: str, reason_key: str) -> None:
        """Remember the reason if the challenge was ours."""
        if self._settings.enabled:
            self._events.put(lambda: self._on_declined(challenge_id, reason_key))

    # -- the thread of matchmaking -----------------------------------------------------------------------------------

    def _work(self) -> None:
        while not self._loop.wait(LOOK_EVERY_S):
            self.look(time.monotonic())

    def look(self, now_s: float) -> None:
        """Act on the events, take back what nobody answers, and send a challenge where one may be sent."""
        while not self._events.empty():
            self._events.get()()
        self._take_back(now_s)
        situation = self._situation(now_s)
        if self._admission.paused or now_s < self._not_before_s or not self._matchmaker.wants_challenge(situation):
            return
        try:
            bots = self._server.online_bots()
        except LichessError as error:
            self._pause_after(error, now_s)
            return
        my_ratings = next((bot.ratings for bot in bots if bot.id == self._my_id), {})
        wanted = [bot for bot in bots if not self._is_blocked(bot.id)]
        proposal = self._matchmaker.choose(wanted, my_ratings, situation.now_s)
        if proposal is None:
            self._not_before_s = now_s + NOBODY_PAUSE_S
        elif self._slots.reserve(REQUEST_ID, proposal.bot.id, self._keep_free, SlotUse.RESERVED):
            try:
                self._send(proposal, now_s)
            finally:
                self._slots.release(REQUEST_ID)

    def _is_blocked(self, bot_id: str) -> bool:
        return bot_id in self._admission.blocked or self._listed(self._settings.block, bot_id)

    def _on_begun(self, game_id: str) -> None:
        sent = self._sent.pop(game_id, None)
        if sent is not None:
            self._games.add(game_id)
            self._matchmaker.began(sent.proposal, game_id, self._wall_s())

    def _on_declined(self, challenge_id: str, reason_key: str) -> None:
        sent = self._sent.pop(challenge_id, None)
        if sent is not None:
            self._matchmaker.declined(sent.proposal, reason_key, self._wall_s())

    def _situation(self, now_s: float) -> Situation:
        uses = {record.game_id: record.use for record in self._slots.records()}
        games = {game_id for game_id in self._games if game_id in uses}
        others = [use for game_id, use in uses.items() if game_id not in games]
        if SlotUse.PLAYING in others or SlotUse.ACCEPTED in others or games != self._games:
            self._busy_s = now_s
        self._games = games
        free = self._slots.free() - self._keep_free
        own_open = len(games) + len(self._sent)
        return Situation(self._wall_s(), idle_s=now_s - self._busy_s, free_slots=free, own_open=own_open)

    def _send(self, proposal: Proposal, now_s: float) -> None:
        profile, bot = proposal.profile, proposal.bot
        self._matchmaker.asked(proposal, self._wall_s())
        try:
            challenge = self._server.create_challenge(
                bot.name,
                rated=profile.mode == "rated",
                clock_limit_s=profile.limit_s if profile.days is None else None,
                clock_increment_s=profile.increment_s,
                days=profile.days,
                color=profile.color,
                variant=profile.variant,
                against_bot=True,
            )
        except LichessError as error:
            log.info("match_not_sent", bot=bot.id, error=str(error))
            if isinstance(error, Rejected):
                self._matchmaker.declined(proposal, "generic", self._wall_s())
            self._pause_after(error, now_s)
            return
        self._backoff.reset()
        self._sent[challenge.id] = SentChallenge(proposal, now_s)
        self._slots.put_if_absent(challenge.id, SlotUse.OUTGOING, bot.id, OUTGOING_S)
        log.info("match_sent", challenge_id=challenge.id, bot=bot.id, speed=profile.speed, mode=profile.mode)

    def _take_back(self, now_s: float) -> None:
        for challenge_id, challenge in list(self._sent.items()):
            if challenge.canceled_s is not None:
                if now_s - challenge.canceled_s >= ANSWER_GRACE_S:
                    self._on_declined(challenge_id, "later")
            elif self._admission.paused or now_s - challenge.sent_s >= self._settings.cancel_after_s:
                challenge.canceled_s = now_s
                try:
                    self._server.cancel_challenge(challenge_id)
                except LichessError as error:
                    log.info("match_not_taken_back", challenge_id=challenge_id, error=str(error))
                else:
                    self._slots.release_if(challenge_id, SlotUse.OUTGOING)

    def _pause_after(self, error: LichessError, now_s: float) -> None:
        limit_s = min(error.retry_after_s, LONGEST_LIMIT_S) if isinstance(error, RateLimited) else 0.0
        self._not_before_s = now_s + self._backoff.next_s(least_s=limit_s)
