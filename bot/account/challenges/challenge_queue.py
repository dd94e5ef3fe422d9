"""Accepts, queues and declines challenges on one thread, the only one that talks to the server about them.

The account's reader hands challenges over and goes on; a limited, failing or hanging answer delays other challenges and
nothing else. Acceptances come first; refusals are sent at a pace; beyond a bound challenges stay unanswered and lapse.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import structlog

from bot.account.admission import Admission
from bot.account.challenges.challenge_judge import ChallengeJudge, Profiles, RecentGames, no_games
from bot.account.challenges.challenge_rules import LATER, Listed, Verdict, WaitingChallenges, by_name_alone
from bot.account.challenges.refusals import Refusal, RefusalQueue, tell_refusal
from bot.account.slots import ACCEPTED_S, CONFIRMED_S, Slots, SlotUse
from bot.backoff import Backoff
from bot.errors import LichessError, RateLimited, Rejected
from bot.events import Challenge
from bot.lichess.server import Server
from bot.settings import Settings
from bot.supervised_loop import SupervisedLoop

RETRY_PAUSES_S = (1.0, 4.0)  # first and longest, between attempts to accept
ACCEPT_TRIES = 5
MOST_UNJUDGED = 50  # challengers whose accounts are still to be looked at
LONG_LIMIT_S = 120.0  # nobody waits longer for an opponent
IDLE_S = 1.0  # the thread looks at its queue this often without being woken

log = structlog.get_logger(__name__)


@dataclass
class Acceptance:
    """An acceptance that got no answer, and when to repeat it (monotonic seconds)."""

    challenge: Challenge
    backoff: Backoff = field(default_factory=lambda: Backoff(*RETRY_PAUSES_S))
    due_s: float = 0.0


class ChallengeQueue:
    """`recent_games(opponent_id, seconds)` counts games with them, `listed` tells who is in a list of users.

    What `admission` forbids is declined, also where it waits already.
    """

    def __init__(
        self,
        server: Server,
        slots: Slots,
        settings: Settings,
        recent_games: RecentGames = no_games,
        admission: Admission | None = None,
        listed: Listed = by_name_alone,
    ) -> None:
        """Prepare the thread; `start` begins to answer."""
        self._server = server
        self._slots = slots
        self._judge = ChallengeJudge(
            settings, slots, Profiles(server), recent_games=recent_games, admission=admission, listed=listed
        )
        self._condition = threading.Condition()
        self._waiting = WaitingChallenges(settings.challenges)
        self._refusals = RefusalQueue()
        self._unanswered: dict[str, Acceptance] = {}
        self._accept_after_s = 0.0
        self._outcomes: Counter[str] = Counter(accepted=0, declined=0, failed=0)
        self._unjudged: dict[str, tuple[Challenge, bool]] = {}  # until the challenger's account has been looked at
        self._loop = SupervisedLoop("challenge-queue", self._work)

    def start(self) -> None:
        """Begin to answer."""
        self._loop.ensure_started()

    def configure(self, settings: Settings) -> None:
        """Judge challenges that come from now on by other settings."""
        with self._condition:
            self._judge.settings = settings
            self._waiting.rules = settings.challenges

    def receive(self, challenge: Challenge, playable: bool = True) -> None:
        """Take in a challenge to us; one that is known already (the stream repeats them) changes nothing."""
        with self._condition:
            known = challenge.id in self._waiting or challenge.id in self._refusals or challenge.id in self._unjudged
            if known or self._slots.get(challenge.id) is not None:
                return
            verdict = self._judge.judge(challenge, self._waiting_from(challenge), playable=playable)
            if not verdict.needs_profile:
                self._take_in(challenge, verdict)
            elif len(self._unjudged) < MOST_UNJUDGED:
                self._unjudged[challenge.id] = challenge, playable
            else:
                self._take_in(challenge, Verdict(LATER, verdict.key))
            self._condition.notify()

    def canceled(self, challenge_id: str) -> None:
        """Forget a challenge that was taken back or has become a game."""
        with self._condition:
            self._waiting.remove(challenge_id)
            self._refusals.remove(challenge_id)
            self._unjudged.pop(challenge_id, None)
            self._unanswered.pop(challenge_id, None)

    def wake(self) -> None:
        """Look at the queue now: a slot may have become free."""
        with self._condition:
            self._condition.notify()

    def stop_accepting(self) -> None:
        """Decline what waits and what comes, with "later"."""
        with self._condition:
            self._judge.open = False
            self._condition.notify()

    def close(self) -> None:
        """End the thread; what waits stays unanswered."""
        with self._condition:
            self._loop.stop()
            self._condition.notify()

    def waiting(self) -> tuple[Challenge, ...]:
        """Return the queue, the next one first."""
        with self._condition:
            return tuple(self._waiting.in_order())

    def outcomes(self) -> dict[str, int]:
        """Count what was answered so far: accepted, declined, and acceptances that failed (each attempt counts)."""
        with self._condition:
            return dict(self._outcomes)

    def _waiting_from(self, challenge: Challenge) -> int:
        user_id = challenge.challenger.id
        unjudged = sum(other.challenger.id == user_id for other, _ in self._unjudged.values())
        return self._waiting.count_from(user_id) + unjudged - (challenge.id in self._unjudged)

    def _take_in(self, challenge: Challenge, verdict: Verdict) -> None:
        """Let a challenge wait for a slot, or for its refusal."""
        reason, key = verdict.reason, verdict.key
        if reason is None and not self._waiting.add(challenge):
            reason, key = LATER, "challenges.queue"
        if reason is None:
            log.info("challenge_queued", challenge_id=challenge.id, by=challenge.challenger.label)
        else:
            self._refusals.add(challenge, reason)
            tell_refusal(challenge, reason, key)

    # -- the queue's thread --------------------------------------------------------------------------------------

    def _work(self) -> None:
        while True:
            with self._condition:
                task = self._next()
                while task is None and not self._loop.stopped:
                    self._condition.wait(IDLE_S)
                    task = self._next()
                if self._loop.stopped or task is None:
                    return
            task()

    def _next(self) -> Callable[[], None] | None:
        """Return the next thing to do, its slot already taken; None to wait."""
        now = time.monotonic()
        for acceptance in tuple(self._unanswered.values()):
            if now >= acceptance.due_s:
                record = self._slots.get(acceptance.challenge.id)
                if record is not None and record.use is SlotUse.ACCEPTED:
                    acceptance.due_s = float("inf")
                    return partial(self._accept, acceptance)
                del self._unanswered[acceptance.challenge.id]
        for challenge in self._waiting.in_order():
            if (verdict := self._judge.not_admitted(challenge)) is not None and verdict.reason is not None:
                self._waiting.remove(challenge.id)
                self._refusals.add(challenge, verdict.reason)
                tell_refusal(challenge, verdict.reason, verdict.key)
        if now >= self._accept_after_s:
            for challenge in self._waiting.in_order():
                bot = challenge.challenger.is_bot
                keep_free = self._judge.settings.challenges.reserved_for_humans if bot else 0
                if self._slots.reserve(challenge.id, challenge.challenger.id, keep_free):
                    self._waiting.remove(challenge.id)
                    return partial(self._accept, Acceptance(challenge))
        if self._unjudged:
            return partial(self._look_up, next(iter(self._unjudged.values()))[0])
        refusal = self._refusals.take(now)
        return None if refusal is None else partial(self._decline, refusal)

    def _look_up(self, challenge: Challenge) -> None:
        """Ask who the challenger is, then judge; a server that does not tell means "later"."""
        profile = self._judge.profiles.ask(challenge.challenger.id)
        with self._condition:
            if challenge.id not in self._unjudged:
                return  # taken back meanwhile
            waiting, playable = self._waiting_from(challenge), self._unjudged[challenge.id][1]
            verdict = self._judge.judge(challenge, waiting, playable=playable)
            del self._unjudged[challenge.id]
            self._take_in(challenge, Verdict(LATER, verdict.key) if profile is None else verdict)

    def _accept(self, acceptance: Acceptance) -> None:
        challenge = acceptance.challenge
        try:
            self._server.accept_challenge(challenge.id, against_bot=challenge.challenger.is_bot)
        except LichessError as error:
            tell = log.info if isinstance(error, Rejected) else log.warning  # mostly it was taken back meanwhile
            tell("challenge_not_accepted", challenge_id=challenge.id, error=str(error))
            with self._condition:
                self._unanswered.pop(challenge.id, None)
                self._outcomes["failed"] += 1
                self._accept_failed(acceptance, error)
        else:
            with self._condition:
                self._unanswered.pop(challenge.id, None)
                self._outcomes["accepted"] += 1
            self._slots.renew(challenge.id, CONFIRMED_S)
            log.info("challenge_accepted", challenge_id=challenge.id)

    def _accept_failed(self, acceptance: Acceptance, error: LichessError) -> None:
        """Free the slot after a limit or a refusal; without an answer the acceptance may have arrived."""
        challenge, now = acceptance.challenge, time.monotonic()
        if isinstance(error, RateLimited):
            self._slots.release_if(challenge.id, SlotUse.ACCEPTED)
            if error.retry_after_s > LONG_LIMIT_S or not self._waiting.add(challenge):
                self._refusals.add(challenge, LATER)
            else:
                self._accept_after_s = now + error.retry_after_s
        elif isinstance(error, Rejected):
            if acceptance.backoff.failures == 0:
                self._slots.release_if(challenge.id, SlotUse.ACCEPTED)
        elif acceptance.backoff.failures + 1 < ACCEPT_TRIES:
            acceptance.due_s = now + acceptance.backoff.next_s()
            self._slots.renew(challenge.id, ACCEPTED_S)
            self._unanswered[challenge.id] = acceptance

    def _decline(self, refusal: Refusal) -> None:
        challenge = refusal.challenge
        try:
            self._server.decline_challenge(challenge.id, refusal.reason)
        except LichessError as error:
            log.info("challenge_not_declined", challenge_id=challenge.id, error=str(error))
            with self._condition:
                self._refusals.failed(refusal, error, time.monotonic())
        else:
            with self._condition:
                self._outcomes["declined"] += 1
