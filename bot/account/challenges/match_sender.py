"""Sends the challenges of matchmaking, and follows the answers."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import structlog

from bot.account.admission import Admission
from bot.account.challenges.challenge_rules import Listed, by_name_alone
from bot.account.challenges.matchmaking import Activity, Matchmaker, Proposal
from bot.account.slots import OUTGOING_S, Slots, SlotUse
from bot.backoff import Backoff, exponential_s
from bot.errors import LichessError, OpponentLimited, RateLimited, Rejected
from bot.events.account import GameInfo
from bot.lichess.server import Server
from bot.play.observer import GameObserver
from bot.settings import Settings
from bot.supervised_loop import SupervisedLoop

LOOK_EVERY_S = 5.0
NOBODY_PAUSE_S = 60.0  # if nobody online fits, the list is not fetched again before this
FRUITLESS_PAUSES_S = (60.0, 3600.0)  # first and longest, after challenges in a row that led to no game
FAILURE_PAUSES_S = (10.0, 600.0)  # first and longest
RATINGS_AGE_S = 600.0  # our own ratings are fetched again after this
REQUEST_ID = "matchmaking"  # holds the slot while the challenge has no id yet
ANSWER_GRACE_S = 10.0  # a challenge may have been accepted at the moment when we cancelled it
END_WITHIN_S = 5.0

log = structlog.get_logger(__name__)


@dataclass
class SentChallenge:
    """A challenge without an answer. `sent_s` and `canceled_s` in monotonic seconds."""

    proposal: Proposal
    sent_s: float
    canceled_s: float | None = None


class MatchSender(GameObserver):
    """The thread of matchmaking. The dispatcher reports the account's events to it."""

    def __init__(
        self,
        server: Server,
        matchmaker: Matchmaker,
        slots: Slots,
        settings: Settings,
        wall_s: Callable[[], float] = time.time,
        admission: Admission | None = None,
        listed: Listed = by_name_alone,
    ) -> None:
        """Prepare the thread. `wall_s` gives epoch seconds for what is remembered over restarts.

        While `admission` is paused no challenges are sent, and those without an answer are cancelled.
        """
        self._server = server
        self._matchmaker = matchmaker
        self._slots = slots
        self._settings = settings.matchmaking
        self._keep_free = settings.challenges.reserved_for_humans
        self._wall_s = wall_s
        self._admission = admission or Admission()
        self._listed = listed
        self._events: queue.SimpleQueue[Callable[[float], None]] = queue.SimpleQueue()
        self._sent: dict[str, SentChallenge] = {}
        self._games: set[str] = set()
        self._my_ratings: Mapping[str, int] = {}
        self._ratings_due_s = 0.0  # monotonic
        self._busy_s = time.monotonic()
        self._not_before_s = 0.0
        self._fruitless = 0  # challenges in a row
        self._backoff = Backoff(*FAILURE_PAUSES_S)
        self._loop = SupervisedLoop("matchmaking", self._work)

    def start(self) -> None:
        """Begin, if matchmaking is enabled."""
        if self._settings.enabled:
            self._loop.ensure_started()

    def close(self) -> None:
        """Send no more challenges. The dispatcher cancels those without an answer."""
        self._loop.stop()
        self._loop.join(END_WITHIN_S)

    def started(self, info: GameInfo) -> None:
        """Count a game with a bot, and note that a challenge of ours was accepted."""
        if self._settings.enabled:  # else nobody would ever take the event out of the queue
            self._events.put(lambda now_s: self._on_begun(info, now_s))

    def challenge_declined(self, challenge_id: str, reason_key: str) -> None:
        """Note the answer to a challenge of ours. Return at once."""
        if self._settings.enabled:
            self._events.put(lambda now_s: self._on_declined(challenge_id, reason_key, now_s))

    # The rest runs on the thread of matchmaking.

    def _work(self) -> None:
        while not self._loop.wait(LOOK_EVERY_S):
            self.look(time.monotonic())

    def look(self, now_s: float) -> None:
        """Act on the events, cancel challenges without an answer, and send one if that is allowed now."""
        while not self._events.empty():
            self._events.get()(now_s)
        self._cancel_unanswered(now_s)
        activity = self._activity(now_s)
        if self._admission.paused or now_s < self._not_before_s or not self._matchmaker.wants_challenge(activity):
            return
        try:
            bots = self._server.online_bots()
            self._refresh_ratings(now_s)
        except LichessError as error:
            self._pause_after(error, now_s)
            return
        wanted = [bot for bot in bots if not self._is_blocked(bot.id)]
        proposal = self._matchmaker.choose(wanted, self._my_ratings, activity.now_s)
        if proposal is None:
            self._not_before_s = now_s + NOBODY_PAUSE_S
        elif self._slots.reserve(REQUEST_ID, proposal.bot.id, self._keep_free, SlotUse.RESERVED):
            try:
                self._send(proposal, now_s)
            finally:
                self._slots.release(REQUEST_ID)

    def _refresh_ratings(self, now_s: float) -> None:
        """Fetch our ratings: the list of online bots need not contain us."""
        if now_s >= self._ratings_due_s:
            self._my_ratings = self._server.account().current_ratings
            self._ratings_due_s = now_s + RATINGS_AGE_S

    def _is_blocked(self, bot_id: str) -> bool:
        return bot_id in self._admission.blocked or self._listed(self._settings.block, bot_id)

    def _on_begun(self, info: GameInfo, _now_s: float) -> None:
        if info.opponent.is_bot:
            self._matchmaker.bot_games.add(info.game_id, self._wall_s())
        sent = self._sent.pop(info.game_id, None)
        if sent is not None:
            self._games.add(info.game_id)
            self._fruitless = 0
            self._matchmaker.accepted(sent.proposal, self._wall_s())

    def _on_declined(self, challenge_id: str, reason_key: str, now_s: float) -> None:
        sent = self._sent.pop(challenge_id, None)
        if sent is not None:
            self._matchmaker.declined(sent.proposal, reason_key, self._wall_s())
            self._pause_after_fruitless(now_s)

    def _pause_after_fruitless(self, now_s: float) -> None:
        pause_s = exponential_s(*FRUITLESS_PAUSES_S, self._fruitless)
        self._fruitless += 1
        self._not_before_s = max(self._not_before_s, now_s + pause_s)
        log.info("matchmaking_pauses", fruitless=self._fruitless, pause_s=pause_s)

    def _activity(self, now_s: float) -> Activity:
        uses = {record.game_id: record.use for record in self._slots.records()}
        games = {game_id for game_id in self._games if game_id in uses}
        others = [use for game_id, use in uses.items() if game_id not in games]
        if SlotUse.PLAYING in others or SlotUse.ACCEPTED in others or games != self._games:
            self._busy_s = now_s
        self._games = games
        free = self._slots.free() - self._keep_free
        return Activity(self._wall_s(), now_s - self._busy_s, free, unanswered=len(self._sent), games=len(games))

    def _send(self, proposal: Proposal, now_s: float) -> None:
        profile, bot = proposal.profile, proposal.bot
        self._matchmaker.asked(proposal, self._wall_s())
        try:
            challenge = self._server.create_challenge(proposal.terms, against_bot=True)
        except LichessError as error:
            self._not_sent(proposal, error, now_s)
            return
        self._backoff.reset()
        self._sent[challenge.id] = SentChallenge(proposal, now_s)
        self._slots.put_if_absent(challenge.id, SlotUse.OUTGOING, bot.id, OUTGOING_S)
        log.info("match_sent", challenge_id=challenge.id, bot=bot.id, speed=profile.speed, mode=profile.mode)
        if self._loop.stopped:  # the bot ended meanwhile
            self._cancel(challenge.id)

    def _not_sent(self, proposal: Proposal, error: LichessError, now_s: float) -> None:
        log.info("match_not_sent", bot=proposal.bot.id, error=str(error))
        if isinstance(error, OpponentLimited):
            self._matchmaker.leave_alone(proposal, self._wall_s() + error.retry_after_s)
        elif isinstance(error, Rejected):
            self._matchmaker.declined(proposal, "generic", self._wall_s())
        if isinstance(error, Rejected):
            self._pause_after_fruitless(now_s)
        else:
            self._pause_after(error, now_s)

    def _cancel_unanswered(self, now_s: float) -> None:
        for challenge_id, challenge in list(self._sent.items()):
            if challenge.canceled_s is not None:
                if now_s - challenge.canceled_s >= ANSWER_GRACE_S:
                    self._on_declined(challenge_id, "later", now_s)
            elif self._admission.paused or now_s - challenge.sent_s >= self._settings.cancel_after_s:
                challenge.canceled_s = now_s
                self._cancel(challenge_id)

    def _cancel(self, challenge_id: str) -> None:
        try:
            self._server.cancel_challenge(challenge_id)
        except LichessError as error:
            log.info("match_not_taken_back", challenge_id=challenge_id, error=str(error))
        else:
            self._slots.release(challenge_id, SlotUse.OUTGOING)

    def _pause_after(self, error: LichessError, now_s: float) -> None:
        limit_s = error.retry_after_s if isinstance(error, RateLimited) else 0.0
        self._not_before_s = now_s + max(limit_s, self._backoff.next_s())
