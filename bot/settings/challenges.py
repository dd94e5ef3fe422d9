"""Which challenges are taken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal, Self, get_args

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from bot.settings.base import (
    Closed,
    Count,
    Flag,
    Modes,
    OpponentKinds,
    Positive,
    Seconds,
    Variants,
    _listed,
    _unique,
)
from bot.settings.conditions import Conditions, Facts, Paces, between
from bot.settings.user_names import Users

TimeControlKind = Literal["clock", "correspondence", "unlimited"]
#: Lichess's words for why a challenge is declined.
DeclineReason = Literal[
    "generic",
    "later",
    "tooFast",
    "tooSlow",
    "timeControl",
    "rated",
    "casual",
    "standard",
    "variant",
    "noBot",
    "onlyBot",
]
DECLINE_REASONS: tuple[DeclineReason, ...] = get_args(DeclineReason)
Title = Literal["GM", "WGM", "IM", "WIM", "FM", "WFM", "CM", "WCM", "NM", "WNM", "LM", "BOT"]
Order = Literal["arrival", "humans_first", "bots_first", "rating", "titled_first", "rated_first"]


@dataclass(frozen=True, slots=True)
class Profile:
    """What the server tells of a user, whole days; None for what it does not."""

    account_days: int | None = None
    games: int | None = None


@dataclass(frozen=True, slots=True)
class ChallengeFacts(Facts):
    """What conditions on challenges are held against. `profile` None: it has not been asked for yet.

    `recent_games(seconds)` counts the games with the challenger that ended so lately, and those that run;
    `open_games` counts their running games and waiting challenges.
    """

    title: str = ""
    my_rating: int | None = None
    time_control: str = "clock"
    days: int | None = None
    rematch: bool = False
    open_games: int = 0
    recent_games: Callable[[float], int] = lambda _seconds: 0
    profile: Profile | None = None

    @property
    def duration_s(self) -> float | None:
        """How long a game is expected to last, both sides together; None without a clock."""
        if self.limit_s is None or self.increment_s is None:
            return None
        return 2 * (self.limit_s + 40 * self.increment_s)

    @property
    def rating_difference(self) -> int | None:
        """The distance between both ratings."""
        return None if self.rating is None or self.my_rating is None else abs(self.rating - self.my_rating)


class ChallengeConditions(Conditions):
    """What a challenge may be asked for; limits are inclusive, one on what is not known does not hold."""

    users: Users | None = None
    titles: Annotated[tuple[Title, ...], BeforeValidator(_listed)] | None = None
    time_controls: Annotated[tuple[TimeControlKind, ...], BeforeValidator(_listed), AfterValidator(_unique)] | None = (
        None
    )
    min_limit_s: Count | None = None
    max_limit_s: Count | None = None
    min_increment_s: Count | None = None
    max_increment_s: Count | None = None
    min_duration_s: Count | None = None
    max_duration_s: Count | None = None
    min_days: Positive | None = None
    max_days: Count | None = None
    min_rating_difference: Count | None = None
    max_rating_difference: Count | None = None
    rematch: Flag | None = None
    min_account_days: Count | None = None
    max_account_days: Count | None = None
    min_games: Count | None = None
    max_games: Count | None = None
    min_open_games: Positive | None = None
    min_recent_games: Count | None = None
    recent_s: Seconds = 3600.0

    @property
    def needs_profile(self) -> bool:
        """Whether the challenger's account must be looked at."""
        wanted = (self.min_account_days, self.max_account_days, self.min_games, self.max_games)
        return any(limit is not None for limit in wanted)


class ChallengeRule(ChallengeConditions):
    """The first rule whose conditions all hold decides, if not those of `unless` hold too: `accept`, or `decline`."""

    unless: ChallengeConditions | None = None
    accept: Flag = False
    decline: DeclineReason | None = None

    @model_validator(mode="after")
    def _decides(self) -> Self:
        if self.accept == (self.decline is not None):
            raise ValueError(f"a rule needs either accept: true or decline: one of {', '.join(DECLINE_REASONS)}")
        return self


class ChallengeSettings(Closed):
    """Who may play us at what. Limits are inclusive.

    `allow` and `block` decide first, then `rules`, then the other keys, of which a challenge must pass every one.
    """

    accept: Flag = True
    allow: Users = ()
    block: Users = ()
    rules: Annotated[tuple[ChallengeRule, ...], BeforeValidator(_listed)] = ()
    only: Users = ()
    opponents: OpponentKinds = ("human", "bot")
    variants: Variants = ("standard", "chess960", "fromPosition")
    modes: Modes = ("rated", "casual")
    speeds: Paces = ("bullet", "blitz", "rapid", "classical", "correspondence")
    min_limit_s: Count = 0
    max_limit_s: Count = 10_800
    min_increment_s: Count = 0
    max_increment_s: Count = 180
    bullet_needs_increment: OpponentKinds = ()
    max_duration_s: Positive | None = None
    min_days: Positive = 1
    max_days: Positive = 14
    unlimited: Flag = False
    min_rating: Count | None = None
    max_rating: Count | None = None
    max_rating_difference: Count | None = None
    min_account_days: Count | None = None
    min_games: Count | None = None
    games_per_opponent: Positive = 1
    games_per_opponent_hour: Positive | None = None
    bot_games_per_opponent_day: Count | None = None
    order: Annotated[tuple[Order, ...], BeforeValidator(_listed), AfterValidator(_unique), Field(min_length=1)] = (
        "humans_first",
    )
    queue: Count = 10
    reserved_for_humans: Count = 0

    @model_validator(mode="after")
    def _ordered(self) -> ChallengeSettings:
        for name in ("rating", "limit_s", "increment_s", "days"):
            least, most = getattr(self, f"min_{name}"), getattr(self, f"max_{name}")
            if least is not None and most is not None and least > most:
                raise ValueError(f"min_{name} ({least}) is greater than max_{name} ({most})")
        return self


def challenge_fits(
    conditions: ChallengeConditions, facts: ChallengeFacts, listed: Callable[[tuple[str, ...], str], bool]
) -> bool | None:
    """Whether all conditions hold; None where that depends on a profile that has not been asked for.

    `listed(users, user_id)` tells whether a user is in a list.
    """
    plain = (
        conditions.hold_for(facts)
        and (conditions.titles is None or facts.title in conditions.titles)
        and (conditions.time_controls is None or facts.time_control in conditions.time_controls)
        and between(conditions.min_limit_s, facts.limit_s, conditions.max_limit_s)
        and between(conditions.min_increment_s, facts.increment_s, conditions.max_increment_s)
        and between(conditions.min_duration_s, facts.duration_s, conditions.max_duration_s)
        and between(conditions.min_days, facts.days, conditions.max_days)
        and between(conditions.min_rating_difference, facts.rating_difference, conditions.max_rating_difference)
        and (conditions.rematch is None or conditions.rematch == facts.rematch)
        and between(conditions.min_open_games, facts.open_games, None)
        and (conditions.users is None or listed(conditions.users, facts.user))
        and (
            conditions.min_recent_games is None
            or facts.recent_games(conditions.recent_s) >= conditions.min_recent_games
        )
    )
    if not plain or not conditions.needs_profile:
        return plain
    if facts.profile is None:
        return None
    days = between(conditions.min_account_days, facts.profile.account_days, conditions.max_account_days)
    return days and between(conditions.min_games, facts.profile.games, conditions.max_games)
