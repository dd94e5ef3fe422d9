"""Decides which challenges are accepted, and the reasons to decline the others.

One ordered list of rules decides: `challenges.rules` and what every other key of the configuration stands for. The
judge adds what the rules need to know: slots, recent games, and the account of the challenger.
"""

from __future__ import annotations

import functools
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import structlog

from bot.account.admission import Admission
from bot.account.slots import Slots
from bot.errors import BotError, LichessError, NotFound
from bot.events.account import CLOCK, CORRESPONDENCE, Challenge
from bot.lichess.server import Server
from bot.lichess.values import UserProfile
from bot.play.game import starting_board
from bot.settings import (
    SPEEDS,
    ChallengeConditions,
    ChallengeFacts,
    ChallengeRule,
    ChallengeSettings,
    Profile,
    Settings,
    challenge_fits,
    fastest_and_slowest,
)

LATER = "later"
GENERIC = "generic"
VARIANT = "variant"
UNPLAYABLE = "what can be played at all"
DAY_S = 86_400.0
REAL_TIME_SPEEDS = SPEEDS[:-1]
BULLET = ("ultraBullet", "bullet")
FASTEST_S = 30  # Lichess lets no bot play a faster game
DEFAULT = ChallengeSettings()

#: Returns whether a user is in a list of names, files and addresses.
Listed = Callable[[tuple[str, ...], str], bool]


def by_name_alone(users: tuple[str, ...], user_id: str) -> bool:
    """Return whether the list contains the user's name, without reading its files and addresses."""
    return user_id in users


@dataclass(frozen=True)
class OpponentActivity:
    """What the challenger has open with us. `recent(seconds)` counts the games that ended within so many seconds."""

    running: int = 0  # games and accepted challenges
    waiting: int = 0  # challenges in the queue
    recent: Callable[[float], int] = lambda _seconds: 0


@dataclass(frozen=True)
class Judgement:
    """Accept a challenge (`decline_reason` is None) or decline it. `rule` is the key of the setting that decides.

    `needs_profile`: the rule needs facts about the challenger's account, which have not been fetched.
    """

    decline_reason: str | None = None
    rule: str = ""
    needs_profile: bool = False


def judge(
    challenge: Challenge,
    settings: Settings,
    activity: OpponentActivity,
    *,
    profile: Profile | None = None,
    listed: Listed = by_name_alone,
) -> Judgement:
    """Judge a challenge by the first rule that matches. A challenge that we cannot play is declined in any case."""
    facts = facts_of(challenge, activity, profile)
    judgement = Judgement()
    for key, rule in effective_rules(settings.challenges):
        matches = _matches(rule, facts, listed)
        if matches is None:
            return Judgement(rule=key, needs_profile=True)
        if matches:
            judgement = Judgement(rule.decline, key)
            break
    if judgement.decline_reason is None and (reason := _unplayable(challenge, settings)) is not None:
        return Judgement(reason, UNPLAYABLE)
    return judgement


def facts_of(challenge: Challenge, activity: OpponentActivity, profile: Profile | None = None) -> ChallengeFacts:
    """Return the facts that rules match on. Our own rating is the one that the challenge shows."""
    challenger, control = challenge.challenger, challenge.time_control
    has_clock = control.kind == CLOCK
    too_fast = has_clock and control.estimate_s < FASTEST_S
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


def _matches(rule: ChallengeRule, facts: ChallengeFacts, listed: Listed) -> bool | None:
    """Return whether a rule matches, None if that depends on the unknown profile."""
    matches = challenge_fits(rule, facts, listed)
    if matches is False or rule.unless is None:
        return matches
    excepted = challenge_fits(rule.unless, facts, listed)
    return False if excepted else None if matches is None or excepted is None else True


def _unplayable(challenge: Challenge, settings: Settings) -> str | None:
    if not challenge.playable or challenge.rules:
        return GENERIC
    if not any(challenge.variant in entry.variants for entry in settings.engines):
        return VARIANT
    try:
        board = starting_board(challenge.variant, challenge.initial_fen or "startpos")
    except BotError:
        return VARIANT
    return None if board.is_valid() and not board.is_game_over() else VARIANT


@functools.lru_cache(maxsize=4)
def effective_rules(settings: ChallengeSettings) -> tuple[tuple[str, ChallengeRule], ...]:
    """Return all rules in the order in which they are tried, each with the key of the configuration that it comes from.

    A challenge that none declines is accepted.
    """
    return tuple(_all(settings))


Keyed = Iterator[tuple[str, ChallengeRule]]


def _all(settings: ChallengeSettings) -> Keyed:
    if settings.allow:
        yield "challenges.allow", ChallengeRule(users=settings.allow, accept=True)
    if settings.block:
        yield "challenges.block", _declined(GENERIC, users=settings.block)
    for number, rule in enumerate(settings.rules, 1):
        yield f"challenges.rules[{number}]", rule
    if not settings.accept:
        yield "challenges.accept", _declined(LATER)
    if settings.only:
        yield "challenges.only", _declined(GENERIC, unless={"users": settings.only})
    yield from _who_and_what(settings)
    yield from _pace(settings)
    yield from _limits(settings)
    yield from _opponents(settings)


def _who_and_what(settings: ChallengeSettings) -> Keyed:
    for kind, reason in (("human", "onlyBot"), ("bot", "noBot")):
        if kind not in settings.opponents:
            yield "challenges.opponents", _declined(reason, opponents=kind)
    if "standard" not in settings.variants:
        yield "challenges.variants", _declined("standard", variants="standard")
    yield "challenges.variants", _declined("variant", unless={"variants": settings.variants})
    for mode, other in (("rated", "casual"), ("casual", "rated")):
        if mode not in settings.modes:
            yield "challenges.modes", _declined(other, mode=mode)  # the reason asks for the other mode


def _pace(settings: ChallengeSettings) -> Keyed:
    key, allowed = "challenges.speeds", {"speeds": settings.speeds}
    if not settings.unlimited:
        yield "challenges.unlimited", _declined("tooSlow", time_controls="unlimited")
    if "correspondence" not in settings.speeds:
        yield key, _declined("tooSlow", time_controls="correspondence")
    places = fastest_and_slowest(settings.speeds)
    if places is not None:
        fastest, slowest = places
        for reason, speeds in (("tooFast", SPEEDS[:fastest]), ("tooSlow", REAL_TIME_SPEEDS[slowest + 1 :])):
            if speeds:
                yield key, _declined(reason, time_controls="clock", speeds=speeds, unless=allowed)
    yield key, _declined("timeControl", time_controls="clock", unless=allowed)


def _limits(settings: ChallengeSettings) -> Keyed:
    for name in ("limit_s", "increment_s", "days"):
        least, most = getattr(settings, f"min_{name}"), getattr(settings, f"max_{name}")
        if least > getattr(DEFAULT, f"min_{name}"):
            yield f"challenges.min_{name}", _declined("tooFast", **{f"max_{name}": least - 1})
        if most < getattr(DEFAULT, f"max_{name}"):
            yield f"challenges.max_{name}", _declined("tooSlow", **{f"min_{name}": most + 1})
    if settings.bullet_needs_increment:
        who = settings.bullet_needs_increment
        rule = _declined("tooFast", opponents=who, speeds=BULLET, max_increment_s=0)
        yield "challenges.bullet_needs_increment", rule
    if settings.max_duration_s is not None:
        yield "challenges.max_duration_s", _declined("tooSlow", min_duration_s=settings.max_duration_s + 1)


def _opponents(settings: ChallengeSettings) -> Keyed:
    if settings.min_rating:
        yield "challenges.min_rating", _declined(GENERIC, max_rating=settings.min_rating - 1)
    if settings.max_rating is not None:
        yield "challenges.max_rating", _declined(GENERIC, min_rating=settings.max_rating + 1)
    if settings.max_rating_difference is not None:
        far = settings.max_rating_difference + 1
        yield "challenges.max_rating_difference", _declined(GENERIC, min_rating_difference=far)
    yield "challenges.games_per_opponent", _declined(LATER, min_open_games=settings.games_per_opponent)


def _declined(reason: str, unless: dict[str, Any] | None = None, **conditions: Any) -> ChallengeRule:
    exception = None if unless is None else ChallengeConditions.model_validate(unless)
    return ChallengeRule.model_validate({**conditions, "unless": exception, "decline": reason})


PROFILE_AGE_S = 6 * 3600.0  # an older profile is fetched again
PROFILES_KEPT = 500

#: Counts the games with an opponent that ended within so many seconds. May wait for the disk.
RecentGames = Callable[[str, float], int]

log = structlog.get_logger(__name__)


def no_games(_opponent_id: str, _seconds: float) -> int:
    """Return 0."""
    return 0


class Profiles:
    """The accounts that were fetched recently. One thread fetches; others may read."""

    def __init__(self, server: Server, wall_s: Callable[[], float] = time.time) -> None:
        self._server = server
        self._wall_s = wall_s
        self._known: OrderedDict[str, tuple[float, UserProfile]] = OrderedDict()

    def known(self, user_id: str) -> Profile | None:
        """Return a profile that was fetched recently, else None."""
        fetched_s, profile = self._known.get(user_id, (0.0, None))
        if profile is None or self._wall_s() - fetched_s > PROFILE_AGE_S:
            return None
        days = None if profile.created_s is None else int((self._wall_s() - profile.created_s) // DAY_S)
        return Profile(days, profile.games)

    def fetch(self, user_id: str) -> Profile | None:
        """Fetch a profile from the server. Return None if the request fails."""
        try:
            profile = self._server.user_profile(user_id)
        except NotFound:
            profile = UserProfile()
        except LichessError as error:
            log.info("challenger_not_known", user=user_id, error=str(error))
            return None
        self._known[user_id] = (self._wall_s(), profile)
        while len(self._known) > PROFILES_KEPT:
            self._known.popitem(last=False)
        return self.known(user_id)


class ChallengeJudge:
    """Judges challenges by the current settings; `judge` may wait for the disk.

    `recent_games(opponent_id, seconds)` counts games with a user, `listed(users, user_id)` looks a user up in lists.
    """

    def __init__(
        self,
        settings: Settings,
        slots: Slots,
        profiles: Profiles,
        *,
        recent_games: RecentGames = no_games,
        admission: Admission | None = None,
        listed: Listed = by_name_alone,
    ) -> None:
        self.settings = settings
        self.profiles = profiles
        self.open = True  # False: the bot is ending
        self.slots = slots
        self._recent_games = recent_games
        self._admission = admission or Admission()
        self._listed = listed

    def not_admitted(self, challenge: Challenge) -> Judgement | None:
        """Decline a challenge that no rule may accept now, else return None."""
        if not self.open:
            return Judgement(LATER, "ending")
        if self._admission.paused:
            return Judgement(LATER, "paused")
        return Judgement(GENERIC, "blocked") if challenge.challenger.id in self._admission.blocked else None

    def judge(self, challenge: Challenge, waiting: int) -> Judgement:
        """Judge a challenge. `waiting` counts the other challenges of the same user that wait already."""
        if (judgement := self.not_admitted(challenge)) is not None:
            return judgement
        user_id = challenge.challenger.id
        # a rematch proves that the game before it is over, even if we do not know that yet
        records = [one for one in self.slots.records() if one.game_id != challenge.rematch_of]
        running = sum(bool(user_id) and record.opponent_id == user_id for record in records)
        activity = OpponentActivity(running, waiting, lambda seconds: self._recent_games(user_id, seconds))
        profile = self.profiles.known(user_id) if user_id else Profile()
        return judge(challenge, self.settings, activity, profile=profile, listed=self._listed)
