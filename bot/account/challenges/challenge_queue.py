"""Judges, accepts, queues and declines challenges on one thread.

The account's reader hands challenges over and continues: a slow store, or an answer of the server that is limited,
fails or hangs, delays other challenges only. Acceptances come first. Challenges are declined at a pace; beyond a bound
they stay unanswered and lapse.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

import structlog

from bot.account.challenges.challenge_rules import LATER, ChallengeJudge, Judgement
from bot.account.challenges.waiting import AcceptableChallenges, Refusal, Refusals
from bot.account.slots import ACCEPTED_S, CONFIRMED_S, SlotUse
from bot.backoff import Backoff
from bot.errors import LichessError, RateLimited, Rejected
from bot.events.account import Challenge
from bot.lichess.server import Server
from bot.settings import Settings
from bot.supervised_loop import SupervisedLoop

RETRY_PAUSES_S = (1.0, 4.0)  # first and longest, between attempts to accept while none of them is answered
ACCEPT_TRIES = 5
CANCEL_TRIES = 3
MOST_UNJUDGED = 2000  # a challenge beyond them stays unanswered
MOST_WITHOUT_PROFILE = 50  # challenges that wait for a request about their challengers
LONG_LIMIT_S = 120.0  # nobody waits longer for an opponent
IDLE_S = 1.0  # the thread looks at its queue this often without being woken
CANCEL_WITHIN_S = 5.0  # at the end

log = structlog.get_logger(__name__)


@dataclass
class Acceptance:
    """An acceptance, and how many attempts got no answer."""

    challenge: Challenge
    unanswered: int = 0


@dataclass
class Candidate:
    """A challenge that has not been judged."""

    challenge: Challenge
    needs_profile: bool = False


class ChallengeQueue:
    """What the judge does not admit is declined, even if it waits already."""

    def __init__(self, server: Server, judge: ChallengeJudge) -> None:
        """Prepare the thread; `start` begins to answer."""
        self._server = server
        self._judge = judge
        self._slots = judge.slots
        #: Held where a thread would miss a wake-up, and where it looks at a challenge and then acts on what it saw.
        self._condition = threading.Condition()
        self._unjudged: dict[str, Candidate] = {}
        self._waiting = AcceptableChallenges(judge.settings.challenges)
        self._refusals = Refusals()
        self._unanswered: dict[str, Acceptance] = {}
        self._to_cancel: dict[str, int] = {}  # challenges that we sent, with the attempts left
        self._accept_after_s = 0.0  # for what has not been tried yet
        self._retry = Backoff(*RETRY_PAUSES_S)
        self._retry_after_s = 0.0  # for all acceptances: a server that does not answer is asked about one at a time
        self._outcomes: Counter[str] = Counter(accepted=0, declined=0, failed=0)
        self._loop = SupervisedLoop("challenge-queue", self._work)

    def start(self) -> None:
        """Begin to answer."""
        self._loop.ensure_started()

    def configure(self, settings: Settings) -> None:
        """Judge challenges that come from now on by other settings."""
        self._judge.settings = settings
        self._waiting.rules = settings.challenges

    def receive(self, challenge: Challenge) -> None:
        """Take in a challenge to us, unless it is known already: the stream repeats them. Return at once."""
        with self._condition:
            known = challenge.id in self._waiting or challenge.id in self._refusals or challenge.id in self._unjudged
            if known or self._slots.get(challenge.id) is not None or len(self._unjudged) >= MOST_UNJUDGED:
                return
            self._unjudged[challenge.id] = Candidate(challenge)
            self._condition.notify_all()

    def canceled(self, challenge_id: str) -> None:
        """Forget a challenge that was cancelled or has become a game."""
        with self._condition:
            self._waiting.remove(challenge_id)
            self._refusals.remove(challenge_id)
            self._unjudged.pop(challenge_id, None)
            self._unanswered.pop(challenge_id, None)

    def wake(self) -> None:
        """Look at the queue now: a slot may have become free."""
        with self._condition:
            self._condition.notify_all()

    def stop_accepting(self) -> None:
        """Decline all challenges to us from now on, including those that wait."""
        with self._condition:
            self._judge.open = False
            self._condition.notify_all()

    def cancel(self, challenge_ids: Iterable[str]) -> None:
        """Cancel challenges that we sent. Return at once; `close` waits for it."""
        with self._condition:
            self._to_cancel |= dict.fromkeys(challenge_ids, CANCEL_TRIES)
            self._condition.notify_all()

    def close(self) -> None:
        """End the thread after what is to be cancelled. Challenges to us that wait stay unanswered."""
        with self._condition:
            if self._loop.running:
                self._condition.wait_for(lambda: not self._to_cancel, CANCEL_WITHIN_S)
            self._loop.stop()
            self._condition.notify_all()

    def waiting(self) -> tuple[Challenge, ...]:
        """Return the challenges that wait for a slot, the next one first."""
        return tuple(self._waiting.in_order())

    def outcomes(self) -> dict[str, int]:
        """Count the challenges accepted and declined so far, and the failed attempts to accept one."""
        return dict(self._outcomes)  # no lock: the copy is one step for other threads

    # The rest runs on the queue's thread; the tasks that `_next` returns run without the lock.

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
        """Return the next thing to do, None to wait."""
        now_s = time.monotonic()
        if self._to_cancel:
            return partial(self._cancel, next(iter(self._to_cancel)))
        return self._next_acceptance(now_s) or self._next_judgement() or self._next_refusal(now_s)

    def _next_acceptance(self, now_s: float) -> Callable[[], None] | None:
        """Repeat an acceptance that got no answer, or accept the next challenge if a slot can be taken for it."""
        while self._unanswered and now_s >= self._retry_after_s:
            acceptance = self._unanswered.pop(next(iter(self._unanswered)))
            record = self._slots.get(acceptance.challenge.id)
            if record is not None and record.use is SlotUse.ACCEPTED:
                return partial(self._accept, acceptance)
        for challenge in self._waiting.in_order():
            if (judgement := self._judge.not_admitted(challenge)) is not None:
                self._waiting.remove(challenge.id)
                self._take_in(challenge, judgement)
        if now_s >= max(self._accept_after_s, self._retry_after_s):
            for challenge in self._waiting.in_order():
                bot = challenge.challenger.is_bot
                keep_free = self._judge.settings.challenges.reserved_for_humans if bot else 0
                if self._slots.reserve(challenge.id, challenge.challenger.id, keep_free):
                    self._waiting.remove(challenge.id)
                    return partial(self._accept, Acceptance(challenge))
        return None

    def _next_judgement(self) -> Callable[[], None] | None:
        """Judge a challenge; those that need a request about the challenger come last."""
        if not self._unjudged:
            return None
        candidate = min(self._unjudged.values(), key=lambda one: one.needs_profile)
        user_id = candidate.challenge.challenger.id
        others = [one for one in self._unjudged.values() if one.needs_profile and one is not candidate]
        waiting = self._waiting.count_from(user_id) + sum(one.challenge.challenger.id == user_id for one in others)
        return partial(self._judge_one, candidate, waiting, len(others))

    def _next_refusal(self, now_s: float) -> Callable[[], None] | None:
        refusal = self._refusals.take(now_s)
        return None if refusal is None else partial(self._decline, refusal)

    def _judge_one(self, candidate: Candidate, waiting: int, without_profile: int) -> None:
        challenge = candidate.challenge
        if candidate.needs_profile:
            self._judge.profiles.fetch(challenge.challenger.id)
        judgement = self._judge.judge(challenge, waiting)
        with self._condition:
            if challenge.id not in self._unjudged:
                return  # cancelled meanwhile
            if judgement.needs_profile and not candidate.needs_profile and without_profile < MOST_WITHOUT_PROFILE:
                candidate.needs_profile = True
                return
            del self._unjudged[challenge.id]
            self._take_in(challenge, Judgement(LATER, judgement.rule) if judgement.needs_profile else judgement)

    def _take_in(self, challenge: Challenge, judgement: Judgement) -> None:
        """Let a challenge wait for a slot, or to be declined."""
        reason, rule, by = judgement.decline_reason, judgement.rule, challenge.challenger.label
        if reason is None and not self._waiting.add(challenge):
            reason, rule = LATER, "challenges.queue"
        if reason is None:
            log.info("challenge_queued", challenge_id=challenge.id, by=by)
        else:
            self._refusals.add(challenge, reason)
            log.info("challenge_refused", challenge_id=challenge.id, by=by, reason=reason, by_key=rule)

    def _accept(self, acceptance: Acceptance) -> None:
        challenge = acceptance.challenge
        try:
            self._server.accept_challenge(challenge.id, against_bot=challenge.challenger.is_bot)
        except LichessError as error:
            tell = log.info if isinstance(error, Rejected) else log.warning  # mostly it was cancelled meanwhile
            tell("challenge_not_accepted", challenge_id=challenge.id, error=str(error))
            self._outcomes["failed"] += 1
            self._accept_failed(acceptance, error)
        else:
            self._retry.reset()
            self._outcomes["accepted"] += 1
            self._slots.renew(challenge.id, CONFIRMED_S)
            log.info("challenge_accepted", challenge_id=challenge.id)

    def _accept_failed(self, acceptance: Acceptance, error: LichessError) -> None:
        """Free the slot after a rate limit or a refusal; without an answer the acceptance may have arrived."""
        challenge, now_s = acceptance.challenge, time.monotonic()
        if not isinstance(error, RateLimited | Rejected):
            self._retry_after_s = now_s + self._retry.next_s()
            acceptance.unanswered += 1
            if acceptance.unanswered < ACCEPT_TRIES:
                self._slots.renew(challenge.id, ACCEPTED_S)
                self._unanswered[challenge.id] = acceptance
            return
        self._retry.reset()
        if isinstance(error, RateLimited):
            self._slots.release(challenge.id, SlotUse.ACCEPTED)
            if error.retry_after_s > LONG_LIMIT_S or not self._waiting.add(challenge):
                self._refusals.add(challenge, LATER)
            else:
                self._accept_after_s = now_s + error.retry_after_s
        elif not acceptance.unanswered:
            self._slots.release(challenge.id, SlotUse.ACCEPTED)

    def _decline(self, refusal: Refusal) -> None:
        challenge = refusal.challenge
        try:
            self._server.decline_challenge(challenge.id, refusal.decline_reason)
        except LichessError as error:
            log.info("challenge_not_declined", challenge_id=challenge.id, error=str(error))
            self._refusals.failed(refusal, error, time.monotonic())
        else:
            self._outcomes["declined"] += 1

    def _cancel(self, challenge_id: str) -> None:
        try:
            self._server.cancel_challenge(challenge_id)
        except LichessError as error:
            log.info("challenge_not_canceled", challenge_id=challenge_id, error=str(error))
            answered = isinstance(error, Rejected)  # mostly it was answered meanwhile
        else:
            log.info("challenge_canceled", challenge_id=challenge_id)
            self._slots.release(challenge_id, SlotUse.OUTGOING)
            answered = True
        with self._condition:
            left = self._to_cancel.pop(challenge_id, 0) - 1
            if left > 0 and not answered:
                self._to_cancel[challenge_id] = left
            self._condition.notify_all()
