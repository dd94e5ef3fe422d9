"""Which challenges are accepted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal, Self, get_args

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from bot.settings.conditions import Conditions, Facts, between
from bot.settings.types import (
    Closed,
    Count,
    Flag,
    Modes,
    OpponentKinds,
    Paces,
    Positive,
    Seconds,
    Users,
    Variants,
    in_order,
    listed,
    unique,
)

TimeControlKind = Literal["clock", "correspondence", "unlimited"]
#: Lichess's reasons for declining a challenge.
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
Order = Literal["arrival", "humans_first", "bots_first", "rating"]


@dataclass(frozen=True, slots=True)
class Profile:
    """A user's profile; None for what the server does not report."""

    account_days: int | None = None
    games: int | None = None


@dataclass(frozen=True, slots=True)
class ChallengeFacts(Facts):
    """Facts about a challenge that conditions match on. `profile` is None until it has been fetched.

    `recent_games(seconds)` counts the games with the challenger that ended within this time or still run;
    `open_games` counts running games with and waiting challenges of the challenger.
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
        """The expected length of a game, both sides together; None without a clock."""
        if self.limit_s is None or self.increment_s is None:
            return None
        return 2 * (self.limit_s + 40 * self.increment_s)

    @property
    def rating_difference(self) -> int | None:
        """The distance between both ratings."""
        return None if self.rating is None or self.my_rating is None else abs(self.rating - self.my_rating)


class ChallengeConditions(Conditions):
    """Conditions on challenges. Limits are inclusive; a limit on an unknown value never holds.

    For conditions on the account the bot fetches the challenger's profile; if it cannot, it declines with "later".
    """

    users: Users | None = Field(default=None, examples=[["friends.txt"]])
    """These users: names, files, addresses."""
    titles: Annotated[tuple[Title, ...], BeforeValidator(listed)] | None = Field(default=None, examples=[["GM", "IM"]])
    """Users with these titles, as Lichess writes them."""
    time_controls: Annotated[tuple[TimeControlKind, ...], BeforeValidator(listed), AfterValidator(unique)] | None = (
        Field(default=None, examples=["clock"])
    )
    """`clock`, `correspondence`, `unlimited`."""
    min_limit_s: Count | None = Field(default=None, examples=[60])
    """Initial time, if there is a clock."""
    max_limit_s: Count | None = Field(default=None, examples=[600])
    """Initial time, if there is a clock."""
    min_increment_s: Count | None = Field(default=None, examples=[1])
    """Increment, if there is a clock."""
    max_increment_s: Count | None = Field(default=None, examples=[10])
    """Increment, if there is a clock."""
    min_duration_s: Count | None = Field(default=None, examples=[60])
    """Expected length of the game, both sides together, if there is a clock."""
    max_duration_s: Count | None = Field(default=None, examples=[3600])
    """Expected length of the game, both sides together, if there is a clock."""
    min_days: Positive | None = Field(default=None, examples=[1])
    """Days per move in correspondence games."""
    max_days: Count | None = Field(default=None, examples=[7])
    """Days per move in correspondence games."""
    min_rating_difference: Count | None = Field(default=None, examples=[0])
    """Distance to our own rating, up or down."""
    max_rating_difference: Count | None = Field(default=None, examples=[400])
    """Distance to our own rating, up or down."""
    rematch: Flag | None = Field(default=None, examples=[True])
    """`true`: rematches; `false`: all others."""
    min_account_days: Count | None = Field(default=None, examples=[0])
    """Age of the challenger's account."""
    max_account_days: Count | None = Field(default=None, examples=[7])
    """Age of the challenger's account."""
    min_games: Count | None = Field(default=None, examples=[0])
    """Games that the challenger has played."""
    max_games: Count | None = Field(default=None, examples=[10])
    """Games that the challenger has played."""
    min_open_games: Positive | None = Field(default=None, examples=[1])
    """At least this many running games and waiting challenges with us."""
    min_recent_games: Count | None = Field(default=None, examples=[3])
    """At least this many games with us that ended within `recent_s` or still run."""
    recent_s: Seconds = 3600.0
    """The time span of `min_recent_games`; a day has 86400 seconds."""

    @property
    def needs_profile(self) -> bool:
        """Whether the challenger's profile must be fetched."""
        wanted = (self.min_account_days, self.max_account_days, self.min_games, self.max_games)
        return any(limit is not None for limit in wanted)


class ChallengeRule(ChallengeConditions):
    """Your own rules: the first decides whose conditions all hold, and not all those of `unless`."""

    unless: ChallengeConditions | None = Field(default=None, examples=[{"users": ["friends.txt"], "mode": "casual"}])
    """A section with the same conditions; if they all hold too, the rule does not apply."""
    accept: Flag = False
    """`true`: accept the challenge, whatever follows this rule."""
    decline: DeclineReason | None = Field(default=None, examples=["later"])
    """Decline with this reason of Lichess: `generic`, `later`, `tooFast`, `tooSlow`, `timeControl`, `rated`, `casual`,
    `standard`, `variant`, `noBot`, `onlyBot`. A rule has either this or `accept`."""

    @model_validator(mode="after")
    def _decides(self) -> Self:
        if self.accept == (self.decline is not None):
            raise ValueError(f"a rule needs either accept: true or decline: one of {', '.join(DECLINE_REASONS)}")
        return self


class ChallengeSettings(Closed):
    """Who may play us at what. `allow` and `block` decide first, then `rules`, then all other keys together.

    `bot88 check` prints all rules in plain words. Users are names, and files and http(s) addresses of lists: one
    name per line, `#` begins a comment, read again every hour.
    """

    accept: Flag = True
    """`false`: decline every challenge that neither `allow` nor a rule accepts."""
    allow: Users = ()
    """Users who are always accepted."""
    block: Users = Field(default=(), examples=[["somebody", "blocked.txt", "https://example.org/list"]])
    """Users who are always declined."""
    rules: Annotated[tuple[ChallengeRule, ...], BeforeValidator(listed)] = ()
    """Your own rules; the first that applies decides."""
    only: Users = ()
    """If not empty, the only users accepted."""
    opponents: OpponentKinds = ("human", "bot")
    """`human`, `bot`."""
    variants: Variants = ("standard", "chess960", "fromPosition")
    """Lichess's names of variants: `standard`, `chess960`, `fromPosition`, `antichess`, ..."""
    modes: Modes = ("rated", "casual")
    """`rated`, `casual`."""
    speeds: Paces = ("bullet", "blitz", "rapid", "classical", "correspondence")
    """Speeds and exact clocks: `[blitz, 15+10]`."""
    min_limit_s: Count = 0
    """Least initial time."""
    max_limit_s: Count = 10_800
    """Most initial time."""
    min_increment_s: Count = 0
    """Least increment."""
    max_increment_s: Count = 180
    """Most increment."""
    bullet_needs_increment: OpponentKinds = ()
    """Decline bullet without increment from these kinds of opponents: `[bot]`, `[human, bot]`."""
    max_duration_s: Positive | None = Field(default=None, examples=[3600])
    """Longest expected game, both sides together: twice the initial time and 40 increments each."""
    min_days: Positive = 1
    """Fewest days per move in correspondence games."""
    max_days: Positive = 14
    """Most days per move in correspondence games."""
    unlimited: Flag = False
    """Accept games without any clock."""
    min_rating: Count | None = Field(default=None, examples=[1500])
    """Lowest rating; players without one are accepted."""
    max_rating: Count | None = Field(default=None, examples=[2800])
    """Highest rating."""
    max_rating_difference: Count | None = Field(default=None, examples=[400])
    """Greatest distance to our own rating."""
    games_per_opponent: Positive = 1
    """Games at once with one opponent."""
    order: Annotated[tuple[Order, ...], BeforeValidator(listed), AfterValidator(unique), Field(min_length=1)] = (
        "humans_first",
    )
    """Who is next if several wait: `arrival`, `humans_first`, `bots_first`, `rating` (highest first), or several of
    them, of which the first counts most."""
    queue: Count = 10
    """Challenges that may wait for a free slot; more are declined with "later"."""
    reserved_for_humans: Count = 0
    """Slots that bots never get."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        in_order(self)
        return self


def challenge_fits(
    conditions: ChallengeConditions, facts: ChallengeFacts, is_in: Callable[[tuple[str, ...], str], bool]
) -> bool | None:
    """Whether all conditions hold; None if that depends on a profile that has not been fetched.

    `is_in(users, user_id)`: whether a user is in a list.
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
        and (conditions.users is None or is_in(conditions.users, facts.user))
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
