"""Which challenges are accepted, why the others are declined, and which is next. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.account.challenges.effective_rules import rules_of
from bot.errors import BotError
from bot.events import CLOCK, CORRESPONDENCE, Challenge
from bot.play.game import starting_board
from bot.settings import (
    ChallengeFacts,
    ChallengeRule,
    ChallengeSettings,
    Profile,
    Settings,
    challenge_fits,
)

LATER = "later"
GENERIC = "generic"
VARIANT = "variant"
BY_NATURE = "what can be played at all"

Listed = Callable[[tuple[str, ...], str], bool]


def by_name_alone(users: tuple[str, ...], user_id: str) -> bool:
    """Whether a user is named in a list; the lists in files and at addresses are not looked at."""
    return user_id in users


@dataclass(frozen=True)
class OpponentActivity:
    """What goes on already with one opponent; `recent(seconds)` counts the games that ended so lately."""

    running: int = 0  # games and accepted challenges with them
    waiting: int = 0  # challenges of theirs in the queue
    recent: Callable[[float], int] = lambda _seconds: 0


@dataclass(frozen=True)
class Verdict:
    """What becomes of a challenge, by which key: accepted where `reason` is None, else declined with it.

    `needs_profile`: it cannot be told before the challenger's account has been looked at.
    """

    reason: str | None = None
    key: str = ""
    needs_profile: bool = False


def judge(
    challenge: Challenge,
    settings: Settings,
    activity: OpponentActivity,
    *,
    playable: bool = True,
    profile: Profile | None = None,
    listed: Listed = by_name_alone,
) -> Verdict:
    """Return what the first rule says that fits; a rule that accepts does not make playable what is not."""
    facts = facts_of(challenge, activity, profile)
    verdict = Verdict()
    for effective in rules_of(settings):
        fits = _fits(effective.rule, facts, listed)
        if fits is None:
            return Verdict(key=effective.key, needs_profile=True)
        if fits:
            verdict = Verdict(effective.rule.decline, effective.key)
            break
    if verdict.reason is None and (reason := _unplayable(challenge, settings, playable)) is not None:
        return Verdict(reason, BY_NATURE)
    return verdict


def facts_of(challenge: Challenge, activity: OpponentActivity, profile: Profile | None = None) -> ChallengeFacts:
    """Return what rules are held against; our own rating is the one that the challenge tells."""
    challenger, control = challenge.challenger, challenge.time_control
    has_clock = control.kind == CLOCK
    too_fast = has_clock and control.estimate_s < 30  # Lichess lets no bot play it; the built-in one does
    return ChallengeFacts(
        variant=challenge.variant,
        speed="ultraBullet" if too_fast else challenge.speed,
        limit_s=control.limit_s if has_clock else None,
        increment_s=control.increment_s if has_clock else None,
        rated=challenge.rated,
        opponent=challenger.kind,
        user=challenger.id,
        rating=challenger.rating,
        title=challenger.title,
        my_rating=challenge.dest_user.rating,
        time_control=control.kind,
        days=control.days_per_turn if control.kind == CORRESPONDENCE else None,
        rematch=bool(challenge.rematch_of),
        open_games=activity.running + activity.waiting,
        recent_games=lambda seconds: activity.running + activity.recent(seconds),
        profile=profile,
    )


def _fits(rule: ChallengeRule, facts: ChallengeFacts, listed: Listed) -> bool | None:
    fits = challenge_fits(rule, facts, listed)
    if fits is False or rule.unless is None:
        return fits
    excepted = challenge_fits(rule.unless, facts, listed)
    return False if excepted else None if fits is None or excepted is None else True


def _unplayable(challenge: Challenge, settings: Settings, playable: bool) -> str | None:
    if not playable or challenge.rules:
        return GENERIC
    if not any(challenge.variant in entry.variants for entry in settings.engines):
        return VARIANT
    try:
        board = starting_board(challenge.variant, challenge.initial_fen or "startpos")
    except BotError:
        return VARIANT
    return None if board.is_valid() and not board.is_game_over() else VARIANT


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
        return sorted(self._waiting.values(), key=self._place)  # stable: then in order of arrival

    def _place(self, challenge: Challenge) -> tuple[int, ...]:
        who = challenge.challenger
        places = {
            "arrival": 0,
            "humans_first": int(who.is_bot),
            "bots_first": int(not who.is_bot),
            "rating": -(who.rating or 0),
            "titled_first": int(who.title in ("", "BOT")),
            "rated_first": int(not challenge.rated),
        }
        return tuple(places[name] for name in self.rules.order)
