"""Which challenges are accepted, why the others are declined, and which is next. Pure.

Decline reasons are spelled as Lichess takes them: generic later tooFast tooSlow timeControl rated casual standard
variant noBot onlyBot.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.errors import BotError
from bot.events import CLOCK, CORRESPONDENCE, Challenge
from bot.play.game import starting_board
from bot.settings import ChallengeSettings, Settings

FASTEST_TO_SLOWEST = ("ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence")
LATER = "later"
GENERIC = "generic"


@dataclass(frozen=True)
class OpponentActivity:
    """What goes on already with one opponent."""

    running: int = 0  # games and accepted challenges with them
    waiting: int = 0  # challenges of theirs in the queue
    today: int = 0  # games begun with them in the last day


def decline_reason(
    challenge: Challenge, settings: Settings, activity: OpponentActivity, *, playable: bool = True
) -> str | None:
    """Return the reason to decline, as Lichess spells it, or None to accept; the first check that fails decides."""
    rules = settings.challenges
    checks: tuple[Callable[[], str | None], ...] = (
        lambda: None if rules.accept else LATER,
        lambda: _opponent(challenge, rules),
        lambda: _variant(challenge, rules),
        lambda: _mode(challenge, rules),
        lambda: _time_control(challenge, rules),
        lambda: _rating(challenge, rules),
        lambda: None if playable and not challenge.rules else GENERIC,
        lambda: GENERIC if challenge.rematch_of and not settings.conduct.accept_rematch else None,
        lambda: _frequency(challenge, rules, activity),
    )
    return next((reason for check in checks if (reason := check())), None)


def _opponent(challenge: Challenge, rules: ChallengeSettings) -> str | None:
    challenger = challenge.challenger
    if challenger.id in rules.block or (rules.only and challenger.id not in rules.only):
        return GENERIC
    if challenger.is_bot:
        return None if "bot" in rules.opponents else "noBot"
    return None if "human" in rules.opponents else "onlyBot"


def _variant(challenge: Challenge, rules: ChallengeSettings) -> str | None:
    if challenge.variant not in rules.variants:
        return "standard" if challenge.variant == "standard" else "variant"
    try:
        board = starting_board(challenge.variant, challenge.initial_fen or "startpos")
    except BotError:
        return "variant"
    return None if board.is_valid() and not board.is_game_over() else "variant"


def _mode(challenge: Challenge, rules: ChallengeSettings) -> str | None:
    """Return "casual" to ask for a casual game instead, "rated" for a rated one."""
    wanted = "rated" if challenge.rated else "casual"
    return None if wanted in rules.modes else ("casual" if challenge.rated else "rated")


def _time_control(challenge: Challenge, rules: ChallengeSettings) -> str | None:
    control = challenge.time_control
    if control.kind == CORRESPONDENCE:
        if "correspondence" not in rules.speeds:
            return "tooSlow"
        return _between(control.days_per_turn, rules.min_days, rules.max_days)
    if control.kind != CLOCK:
        return None if rules.unlimited else "tooSlow"
    if control.estimate_s < 30 and "ultraBullet" not in rules.speeds:
        return "tooFast"  # Lichess lets no bot play it; the built-in one does
    return (
        _speed(challenge.speed, rules.speeds)
        or _between(control.limit_s, rules.min_limit_s, rules.max_limit_s)
        or _between(control.increment_s, rules.min_increment_s, rules.max_increment_s)
    )


def _speed(speed: str, allowed: tuple[str, ...]) -> str | None:
    if speed in allowed:
        return None
    if speed not in FASTEST_TO_SLOWEST or not allowed:
        return "timeControl"
    place = FASTEST_TO_SLOWEST.index(speed)
    places = [FASTEST_TO_SLOWEST.index(one) for one in allowed]
    return "tooFast" if place < min(places) else "tooSlow" if place > max(places) else "timeControl"


def _between(value: int, least: int, most: int) -> str | None:
    return "tooFast" if value < least else "tooSlow" if value > most else None


def _rating(challenge: Challenge, rules: ChallengeSettings) -> str | None:
    if rules.min_rating is None and rules.max_rating is None:
        return None
    rating = challenge.challenger.rating
    if rating is None:
        return GENERIC
    return None if (rules.min_rating or 0) <= rating <= (rules.max_rating or 10_000) else GENERIC


def _frequency(challenge: Challenge, rules: ChallengeSettings, activity: OpponentActivity) -> str | None:
    if activity.running + activity.waiting >= rules.games_per_opponent:
        return LATER
    limit = rules.bot_games_per_opponent_day
    return LATER if challenge.challenger.is_bot and limit is not None and activity.today >= limit else None


class WaitingChallenges:
    """Acceptable challenges that wait for a slot. Not thread-safe: the caller holds a lock."""

    def __init__(self, rules: ChallengeSettings) -> None:
        """Start empty; `rules` may be replaced later."""
        self.rules = rules
        self._waiting: dict[str, Challenge] = {}  # in order of arrival

    def __len__(self) -> int:
        return len(self._waiting)

    def __contains__(self, challenge_id: object) -> bool:
        return challenge_id in self._waiting

    def add(self, challenge: Challenge) -> bool:
        """Add one; returns False where the queue is full. A challenge that waits already keeps its place."""
        if challenge.id not in self._waiting and len(self._waiting) >= max(1, self.rules.queue):
            return False
        self._waiting.setdefault(challenge.id, challenge)
        return True

    def remove(self, challenge_id: str) -> Challenge | None:
        """Remove one, None where it did not wait."""
        return self._waiting.pop(challenge_id, None)

    def count_from(self, opponent_id: str) -> int:
        """Count the challenges of one user."""
        return sum(challenge.challenger.id == opponent_id for challenge in self._waiting.values())

    def in_order(self) -> list[Challenge]:
        """Return all, the next one first."""
        waiting = list(self._waiting.values())
        if self.rules.order == "humans_first":
            waiting.sort(key=lambda challenge: challenge.challenger.is_bot)
        elif self.rules.order == "rating":
            waiting.sort(key=lambda challenge: -(challenge.challenger.rating or 0))
        return waiting
