"""Takes, queues and declines challenges: one thread, which alone talks to the server about them.

The account's reader hands challenges over and goes on; a limited, failing or hanging answer delays other challenges and
nothing else.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Protocol

import structlog

from bot.account.challenge_rules import LATER, Crowd, WaitingChallenges, decline_reason
from bot.account.slots import Slots, SlotUse
from bot.errors import LichessError, RateLimited, Rejected
from bot.events import Challenge
from bot.settings import Settings

FAILED_AGAIN_S = 1.0
ACCEPT_TRIES = 5
LONG_LIMIT_S = 120.0  # nobody waits longer for an opponent
DECLINE_TRIES = 2
IDLE_S = 1.0  # the thread looks at its queue this often without being woken

log = structlog.get_logger(__name__)


class ChallengeServer(Protocol):
    """The part of the gateway that the queue needs; all methods raise LichessError alone."""

    def accept_challenge(self, challenge_id: str, *, against_bot: bool = False) -> None:
        """Accept."""

    def decline_challenge(self, challenge_id: str, reason: str = "generic") -> None:
        """Decline with a reason."""


class ChallengeQueue:
    """`games_today(opponent_id)` counts games begun with them in the last day, for the limit against bots."""

    def __init__(
        self,
        server: ChallengeServer,
        slots: Slots,
        settings: Settings,
        games_today: Callable[[str], int] = lambda _opponent: 0,
    ) -> None:
        self._server = server
        self._slots = slots
        self._settings = settings
        self._games_today = games_today
        self._condition = threading.Condition()
        self._room = WaitingChallenges(settings.challenges)
        self._declines: deque[tuple[Challenge, str, int]] = deque()
        self._tries: dict[str, int] = {}
        self._again: list[tuple[float, Challenge]] = []  # acceptances that nobody answered, and when to repeat them
        self._not_before_s = 0.0
        self._open = True
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="challenge-queue", daemon=True)

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def receive(self, challenge: Challenge, playable: bool = True) -> None:
        """A challenge to us; one that is known already (the stream repeats them) changes nothing."""
        with self._condition:
            if challenge.id in self._room or self._slots.get(challenge.id) is not None:
                return
            if any(challenge.id == waiting.id for waiting, _reason, _tries in self._declines):
                return
            reason = self._reason(challenge, playable)
            if reason is None and not self._room.enter(challenge):
                reason = LATER
            if reason is not None:
                self._declines.append((challenge, reason, 0))
            log.info("challenge", challenge_id=challenge.id, by=challenge.challenger.label, decline=reason)
            self._condition.notify()

    def canceled(self, challenge_id: str) -> None:
        """The challenger took it back."""
        with self._condition:
            self._room.leave(challenge_id)
            self._tries.pop(challenge_id, None)

    def wake(self) -> None:
        """A slot may have become free."""
        with self._condition:
            self._condition.notify()

    def stop_accepting(self) -> None:
        """Decline what waits and what comes, with "later"."""
        with self._condition:
            self._open = False
            for challenge in self._room.queue():
                self._room.leave(challenge.id)
                self._declines.append((challenge, LATER, 0))
            self._condition.notify()

    def close(self) -> None:
        """End the thread; what waits stays unanswered."""
        with self._condition:
            self._closed = True
            self._condition.notify()

    def waiting(self) -> tuple[Challenge, ...]:
        """The queue, next one first."""
        with self._condition:
            return tuple(self._room.queue())

    def _reason(self, challenge: Challenge, playable: bool) -> str | None:
        if not self._open:
            return LATER
        opponent = challenge.challenger.id
        running = sum(bool(opponent) and record.opponent_id == opponent for record in self._slots.records())
        crowd = Crowd(running, self._room.of(opponent), self._games_today(opponent))
        return decline_reason(challenge, self._settings, crowd, playable=playable)

    # -- the queue's thread --------------------------------------------------------------------------------------

    def _work(self) -> None:
        while True:
            with self._condition:
                task = self._next()
                while task is None and not self._closed:
                    self._condition.wait(IDLE_S)
                    task = self._next()
                if self._closed or task is None:
                    return
            try:
                task()
            except Exception:  # a challenge that trips us must not end the taking of challenges
                log.exception("front_desk_fault")

    def _next(self) -> Callable[[], None] | None:
        """The next thing to do, its slot already taken; None to wait."""
        now = time.monotonic()
        for due in self._again:
            if now >= due[0]:
                self._again.remove(due)
                record = self._slots.get(due[1].id)
                if record is not None and record.use is SlotUse.ACCEPTED:
                    return partial(self._accept, due[1])
        if now >= self._not_before_s:
            for challenge in self._room.queue():
                bot = challenge.challenger.is_bot
                keep_free = self._settings.challenges.reserved_for_humans if bot else 0
                if self._slots.reserve(challenge.id, challenge.challenger.id, bot, keep_free):
                    self._room.leave(challenge.id)
                    return partial(self._accept, challenge)
        if self._declines:
            challenge, reason, tries = self._declines.popleft()
            return partial(self._decline, challenge, reason, tries)
        return None

    def _accept(self, challenge: Challenge) -> None:
        try:
            self._server.accept_challenge(challenge.id, against_bot=challenge.challenger.is_bot)
        except LichessError as error:
            log.warning("challenge_not_accepted", challenge_id=challenge.id, error=str(error))
            self._accept_failed(challenge, error)
        else:
            self._tries.pop(challenge.id, None)
            log.info("challenge_accepted", challenge_id=challenge.id)

    def _accept_failed(self, challenge: Challenge, error: LichessError) -> None:
        """A limit or a refusal frees the slot. Without an answer it may have arrived: the slot stays taken."""
        with self._condition:
            tries = self._tries.pop(challenge.id, 0) + 1
            now = time.monotonic()
            if isinstance(error, RateLimited):
                self._slots.release_if(challenge.id, SlotUse.ACCEPTED)
                if error.retry_after_s > LONG_LIMIT_S or not self._room.enter(challenge):
                    self._declines.append((challenge, LATER, 0))
                else:
                    self._not_before_s = now + error.retry_after_s
            elif isinstance(error, Rejected):
                if tries == 1:
                    self._slots.release_if(challenge.id, SlotUse.ACCEPTED)
            elif tries < ACCEPT_TRIES:
                self._tries[challenge.id] = tries
                self._again.append((now + FAILED_AGAIN_S, challenge))

    def _decline(self, challenge: Challenge, reason: str, tries: int) -> None:
        try:
            self._server.decline_challenge(challenge.id, reason)
        except LichessError as error:
            log.info("challenge_not_declined", challenge_id=challenge.id, error=str(error))
            if not isinstance(error, Rejected) and tries < DECLINE_TRIES and not isinstance(error, RateLimited):
                with self._condition:
                    self._declines.append((challenge, reason, tries + 1))
