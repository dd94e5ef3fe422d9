"""The one ordered list of rules that decides about challenges: `rules`, and what every other key stands for. Pure."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bot.settings import (
    SPEEDS,
    ChallengeConditions,
    ChallengeRule,
    ChallengeSettings,
    Settings,
    fastest_and_slowest,
)

DAY_S, HOUR_S = 86_400.0, 3600.0
REAL_TIME_SPEEDS = SPEEDS[:-1]
BULLET = ("ultraBullet", "bullet")
KINDS = ("human", "bot")
DEFAULT = ChallengeSettings()


@dataclass(frozen=True)
class EffectiveRule:
    """A rule, and the key of the configuration that it comes from."""

    key: str
    rule: ChallengeRule


@functools.lru_cache(maxsize=4)
def effective_rules(settings: ChallengeSettings, accept_rematch: bool = True) -> tuple[EffectiveRule, ...]:
    """Return all rules in the order in which they are asked; a challenge that none declines is accepted."""
    return tuple(EffectiveRule(key, rule) for key, rule in _all(settings, accept_rematch))


def rules_of(settings: Settings) -> tuple[EffectiveRule, ...]:
    """Return the rules of a configuration."""
    return effective_rules(settings.challenges, settings.conduct.accept_rematch)


Keyed = Iterator[tuple[str, ChallengeRule]]


def _all(settings: ChallengeSettings, accept_rematch: bool) -> Keyed:
    if settings.allow:
        yield "challenges.allow", ChallengeRule(users=settings.allow, accept=True)
    if settings.block:
        yield "challenges.block", _declined("generic", users=settings.block)
    for number, rule in enumerate(settings.rules, 1):
        yield f"challenges.rules[{number}]", rule
    if not settings.accept:
        yield "challenges.accept", _declined("later")
    if settings.only:
        yield "challenges.only", _declined("generic", unless={"users": settings.only})
    yield from _who_and_what(settings)
    yield from _pace(settings)
    yield from _limits(settings)
    yield from _ratings(settings)
    if not accept_rematch:
        yield "conduct.accept_rematch", _declined("generic", rematch=True)
    yield from _frequency(settings)


def _who_and_what(settings: ChallengeSettings) -> Keyed:
    for kind, reason in zip(KINDS, ("onlyBot", "noBot"), strict=True):
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


def _ratings(settings: ChallengeSettings) -> Keyed:
    if settings.min_rating:
        yield "challenges.min_rating", _declined("generic", max_rating=settings.min_rating - 1)
    if settings.max_rating is not None:
        yield "challenges.max_rating", _declined("generic", min_rating=settings.max_rating + 1)
    if settings.max_rating_difference is not None:
        far = settings.max_rating_difference + 1
        yield "challenges.max_rating_difference", _declined("generic", min_rating_difference=far)
    if settings.min_account_days:
        yield "challenges.min_account_days", _declined("generic", max_account_days=settings.min_account_days - 1)
    if settings.min_games:
        yield "challenges.min_games", _declined("generic", max_games=settings.min_games - 1)


def _frequency(settings: ChallengeSettings) -> Keyed:
    yield "challenges.games_per_opponent", _declined("later", min_open_games=settings.games_per_opponent)
    if settings.games_per_opponent_hour is not None:
        rule = _declined("later", min_recent_games=settings.games_per_opponent_hour, recent_s=HOUR_S)
        yield "challenges.games_per_opponent_hour", rule
    if settings.bot_games_per_opponent_day is not None:
        limit = settings.bot_games_per_opponent_day
        rule = _declined("later", opponents="bot", min_recent_games=limit, recent_s=DAY_S)
        yield "challenges.bot_games_per_opponent_day", rule


def _declined(reason: str, unless: dict[str, Any] | None = None, **conditions: Any) -> ChallengeRule:
    exception = None if unless is None else ChallengeConditions.model_validate(unless)
    return ChallengeRule.model_validate({**conditions, "unless": exception, "decline": reason})
