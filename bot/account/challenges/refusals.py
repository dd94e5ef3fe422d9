"""Challenges to decline: in order, at a pace, and no more of them than a bound. Not thread-safe."""

from __future__ import annotations

from dataclasses import dataclass

import structlog

from bot.errors import LichessError, RateLimited, Rejected
from bot.events import Challenge

TRIES = 3
EVERY_S = 1.0
BURST = 5  # refusals at once after a quiet time
MAX_WAITING = 100
LONGEST_PAUSE_S = 120.0  # a challenge has lapsed by then

log = structlog.get_logger(__name__)


@dataclass
class Refusal:
    """A challenge to decline, with the reason as Lichess spells it."""

    challenge: Challenge
    reason: str
    tries: int = 0


def tell_refusal(challenge: Challenge, reason: str, key: str) -> None:
    """Log a refusal; `key`: the setting or command that decided."""
    by = challenge.challenger.label
    log.info("challenge_refused", challenge_id=challenge.id, by=by, reason=reason, by_key=key)


class RefusalQueue:
    """Refusals that wait to be sent; challenges beyond the bound stay unanswered and lapse at the server."""

    def __init__(self) -> None:
        """Start empty, with a whole burst allowed."""
        self._waiting: dict[str, Refusal] = {}
        self._due_s = 0.0  # when the next refusal would be due if they came evenly
        self._left_out = 0

    def __len__(self) -> int:
        """Count the refusals that wait."""
        return len(self._waiting)

    def __contains__(self, challenge_id: object) -> bool:
        """Whether the challenge waits to be declined."""
        return challenge_id in self._waiting

    def add(self, challenge: Challenge, reason: str) -> None:
        """Queue a refusal, or leave the challenge unanswered where too many wait."""
        if len(self._waiting) < MAX_WAITING:
            self._waiting[challenge.id] = Refusal(challenge, reason)
            return
        if self._left_out == 0:
            log.warning("challenge_flood", refusals_waiting=MAX_WAITING)
        self._left_out += 1

    def remove(self, challenge_id: str) -> None:
        """Forget a challenge that needs no answer any more."""
        self._waiting.pop(challenge_id, None)

    def take(self, now_s: float) -> Refusal | None:
        """Remove and return the refusal to send now, None where none waits or the pace forbids it."""
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
        """Queue a refusal again that got no answer; a limit delays all of them."""
        refusal.tries += 1
        if isinstance(error, RateLimited):
            pause_s = min(error.retry_after_s, LONGEST_PAUSE_S)
            self._due_s = now_s + pause_s + (BURST - 1) * EVERY_S
        if not isinstance(error, Rejected) and refusal.tries < TRIES:
            self._waiting.setdefault(refusal.challenge.id, refusal)
