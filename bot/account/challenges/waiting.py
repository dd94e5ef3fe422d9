"""Challenges that wait: for a free slot, or to be declined. One thread adds them; any may remove one."""

from __future__ import annotations

from dataclasses import dataclass

import structlog

from bot.errors import LichessError, RateLimited, Rejected
from bot.events.account import Challenge
from bot.settings import ChallengeSettings

TRIES = 3
EVERY_S = 1.0
BURST = 5  # declined at once after a quiet time
NO_ANSWER_PAUSE_S = 5.0  # after a request that the server did not answer
MAX_WAITING = 100
LONGEST_PAUSE_S = 120.0  # a challenge has lapsed by then

log = structlog.get_logger(__name__)


class AcceptableChallenges:
    """Challenges that wait for a free slot."""

    def __init__(self, rules: ChallengeSettings) -> None:
        """Start empty. `rules` may be replaced later."""
        self.rules = rules
        self._waiting: dict[str, Challenge] = {}  # in order of arrival

    def __contains__(self, challenge_id: object) -> bool:
        return challenge_id in self._waiting

    def add(self, challenge: Challenge) -> bool:
        """Add a challenge, unless it waits already. Return False if the queue is full."""
        if challenge.id not in self._waiting and len(self._waiting) >= max(1, self.rules.queue):
            return False
        self._waiting.setdefault(challenge.id, challenge)
        return True

    def remove(self, challenge_id: str) -> None:
        """Remove a challenge, if it waits."""
        self._waiting.pop(challenge_id, None)

    def count_from(self, opponent_id: str) -> int:
        """Count the challenges of one user."""
        return sum(challenge.challenger.id == opponent_id for challenge in self._waiting.values())

    def in_order(self) -> list[Challenge]:
        """Return all challenges, the next one first."""
        return sorted(self._waiting.values(), key=self._place)  # stable: then in order of arrival

    def _place(self, challenge: Challenge) -> tuple[int, ...]:
        who = challenge.challenger
        places = {
            "arrival": 0,
            "humans_first": int(who.is_bot),
            "bots_first": int(not who.is_bot),
            "rating": -(who.rating or 0),
        }
        return tuple(places[name] for name in self.rules.order)


@dataclass
class Refusal:
    """A challenge to decline, with the reason as Lichess spells it."""

    challenge: Challenge
    decline_reason: str
    tries: int = 0


class Refusals:
    """Challenges to decline, in order and at a pace. Those beyond a bound stay unanswered and lapse at the server."""

    def __init__(self) -> None:
        """Start empty, with a whole burst allowed."""
        self._waiting: dict[str, Refusal] = {}
        self._due_s = 0.0  # when the next one would be due if they came evenly
        self._left_out = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def __contains__(self, challenge_id: object) -> bool:
        return challenge_id in self._waiting

    def add(self, challenge: Challenge, decline_reason: str) -> None:
        """Queue a challenge, or leave it unanswered if too many wait."""
        if len(self._waiting) < MAX_WAITING:
            self._waiting[challenge.id] = Refusal(challenge, decline_reason)
            return
        if self._left_out == 0:
            log.warning("challenge_flood", refusals_waiting=MAX_WAITING)
        self._left_out += 1

    def remove(self, challenge_id: str) -> None:
        """Remove a challenge that needs no answer any more."""
        self._waiting.pop(challenge_id, None)

    def take(self, now_s: float) -> Refusal | None:
        """Remove and return the challenge to decline now, None if none waits or the pace forbids it."""
        if not self._waiting:
            if self._left_out:
                log.warning("challenges_left_unanswered", count=self._left_out)
                self._left_out = 0
            return None
        if self._due_s - now_s > (BURST - 1) * EVERY_S:
            return None
        self._due_s = max(self._due_s, now_s) + EVERY_S
        return self._waiting.pop(next(iter(self._waiting)))

    def failed(self, refusal: Refusal, error: LichessError, now_s: float) -> None:
        """Queue a challenge again if the request got no answer. A rate limit or a silent server delays all of them."""
        if isinstance(error, Rejected):
            return
        pause_s = min(error.retry_after_s, LONGEST_PAUSE_S) if isinstance(error, RateLimited) else NO_ANSWER_PAUSE_S
        self._due_s = now_s + pause_s + (BURST - 1) * EVERY_S
        refusal.tries += 1
        if refusal.tries < TRIES:
            self._waiting.setdefault(refusal.challenge.id, refusal)
