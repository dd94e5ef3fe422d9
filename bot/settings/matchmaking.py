"""Matchmaking: which bots are challenged, how, how often."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from bot.settings.base import Closed, Count, Flag, Mode, Positive, Seconds, Variant, _listed
from bot.settings.clock_text import speed_of
from bot.settings.user_names import Users


class MatchProfile(Closed):
    """One kind of game to ask for; `limit_s` and `increment_s` are a clock, `days` is correspondence instead.

    `prefer`: any bot alike, the higher or lower rated the likelier, or the one nearest to our rating.
    """

    weight: Positive = 1
    variant: Variant = "standard"
    limit_s: Count = 180
    increment_s: Count = 2
    days: Positive | None = None
    mode: Mode = "casual"
    color: Literal["white", "black", "random"] = "random"
    min_rating: Count | None = None
    max_rating: Count | None = None
    min_rating_difference: Count | None = None
    max_rating_difference: Count | None = None
    prefer: Literal["any", "high", "low", "near"] = "any"

    @model_validator(mode="after")
    def _ordered(self) -> MatchProfile:
        if self.min_rating is not None and self.max_rating is not None and self.min_rating > self.max_rating:
            raise ValueError(f"min_rating ({self.min_rating}) is greater than max_rating ({self.max_rating})")
        least, most = self.min_rating_difference, self.max_rating_difference
        if least is not None and most is not None and least > most:
            raise ValueError(f"min_rating_difference ({least}) is greater than max_rating_difference ({most})")
        if self.days is None and self.limit_s == 0 and self.increment_s == 0:
            raise ValueError("a profile needs a clock (limit_s, increment_s) or days")
        return self

    @property
    def speed(self) -> str:
        """Lichess's name for the pace of such a game."""
        if self.days is not None:
            return "correspondence"
        return speed_of(self.limit_s, self.increment_s)

    @property
    def perf(self) -> str:
        """The key of the rating that counts: the variant's, or for standard chess the speed's."""
        return self.speed if self.variant in ("standard", "fromPosition") else self.variant


class MatchmakingSettings(Closed):
    """Challenges to other bots while there is nothing else to do."""

    enabled: Flag = False
    profiles: Annotated[tuple[MatchProfile, ...], BeforeValidator(_listed)] = ()
    selection: Literal["weighted", "cyclic", "sequential"] = "weighted"
    idle_s: Seconds = 60.0
    during_games: Flag = False
    concurrent: Positive = 1
    games_per_day: Annotated[Count, Field(le=100)] = 50
    challenges_per_day: Annotated[Count, Field(le=200)] = 100
    cancel_after_s: Annotated[Seconds, Field(ge=5)] = 20.0
    block: Users = ()

    @model_validator(mode="after")
    def _has_profiles(self) -> MatchmakingSettings:
        if self.enabled and not self.profiles:
            raise ValueError(
                "matchmaking needs at least one entry under profiles, such as {limit_s: 180, increment_s: 2}"
            )
        return self
