"""What rules ask of a game or a challenge, and whether it holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self, get_args

from pydantic import AfterValidator, BeforeValidator, WithJsonSchema, model_validator

from bot.errors import ConfigurationError, did_you_mean
from bot.settings.base import (
    Closed,
    Color,
    Count,
    Flag,
    Mode,
    OpponentKinds,
    Speed,
    Text,
    Variants,
    _listed,
    _unique,
)
from bot.settings.clock_text import CLOCK_PATTERN, parse_clock, speed_of
from bot.settings.user_names import UserNames

SPEEDS: tuple[Speed, ...] = get_args(Speed)  # the fastest first


def _pace(word: str) -> str:
    """A speed, or an exact clock, which is returned in one spelling. Raises ValueError."""
    if word in SPEEDS:
        return word
    if "+" in word:
        try:
            limit_s, increment_s = parse_clock(word)
        except ConfigurationError as error:
            raise ValueError(str(error).removeprefix("--clock ")) from None
        return clock_name(limit_s, increment_s)
    hint = did_you_mean(word, SPEEDS, 0.5)
    raise ValueError(
        f"{word!r} is not known{hint and f'; {hint}'} (possible: {', '.join(SPEEDS)}, or a clock such as 3+2)"
    )


def clock_name(limit_s: float, increment_s: float) -> str:
    """Return a clock as people write it, in minutes and seconds: "3+2", "0.5+0"."""
    return f"{limit_s / 60:g}+{increment_s:g}"


_PACE_SCHEMA = {"type": "string", "anyOf": [{"enum": list(SPEEDS)}, {"pattern": CLOCK_PATTERN}]}
Pace = Annotated[Text, AfterValidator(_pace), WithJsonSchema(_PACE_SCHEMA)]

#: Speeds and exact clocks; one that fits is enough.
Paces = Annotated[tuple[Pace, ...], BeforeValidator(_listed), AfterValidator(_unique)]


def fastest_and_slowest(paces: tuple[str, ...]) -> tuple[int, int] | None:
    """Return the places among SPEEDS of the fastest and the slowest of these paces, None where there are none."""
    places = [SPEEDS.index(speed) for pace in paces if (speed := _speed_of_pace(pace)) in SPEEDS]
    return (min(places), max(places)) if places else None


def _speed_of_pace(pace: str) -> Speed:
    return next((speed for speed in SPEEDS if speed == pace), None) or speed_of(*parse_clock(pace))


@dataclass(frozen=True, slots=True)
class Facts:
    """What conditions are held against, as Lichess spells it; None or "" where it is not known or does not apply."""

    variant: str = "standard"
    speed: str = ""
    limit_s: float | None = None
    increment_s: float | None = None
    rated: bool = False
    opponent: str = "human"  # the kind
    user: str = ""  # the opponent's id
    rating: int | None = None
    color: str = ""  # ours
    tournament: bool = False

    def has_pace(self, paces: tuple[str, ...]) -> bool:
        """Whether the speed or the exact clock is among these."""
        if self.speed in paces:
            return True
        if self.limit_s is None or self.increment_s is None:
            return False
        return clock_name(self.limit_s, self.increment_s) in paces


class Conditions(Closed):
    """Every condition that is given must hold; one that is left out always holds.

    One about a rating does not hold where the opponent has none.
    """

    variants: Variants | None = None
    speeds: Paces | None = None
    mode: Mode | None = None
    opponents: OpponentKinds | None = None
    min_rating: Count | None = None
    max_rating: Count | None = None

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        for least in (name for name in type(self).model_fields if name.startswith("min_")):
            most = "max_" + least.removeprefix("min_")
            low, high = getattr(self, least), getattr(self, most, None)
            if low is not None and high is not None and low > high:
                raise ValueError(f"{least} ({low}) is greater than {most} ({high})")
        return self

    def hold_for(self, facts: Facts) -> bool:
        """Whether all conditions hold that games and challenges have in common."""
        return (
            (self.variants is None or facts.variant in self.variants)
            and (self.speeds is None or facts.has_pace(self.speeds))
            and (self.mode is None or (self.mode == "rated") == facts.rated)
            and (self.opponents is None or facts.opponent in self.opponents)
            and between(self.min_rating, facts.rating, self.max_rating)
        )


class GameConditions(Conditions):
    """Conditions of rules for running games; `users`: names, `tournament`: whether the game belongs to one."""

    users: UserNames | None = None
    color: Color | None = None
    tournament: Flag | None = None

    def fit(self, facts: Facts) -> bool:
        """Whether all conditions hold."""
        return (
            self.hold_for(facts)
            and (self.users is None or facts.user in self.users)
            and (self.color is None or self.color == facts.color)
            and (self.tournament is None or self.tournament == facts.tournament)
        )


def between(least: float | None, value: float | None, most: float | None) -> bool:
    """Whether a value lies within limits, each of which may be absent; one that is not known lies within none."""
    if least is None and most is None:
        return True
    return value is not None and (least is None or least <= value) and (most is None or value <= most)
