"""Conditions of rules: what they ask of a game or a challenge, and whether it holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from pydantic import Field, model_validator

from bot.settings.types import (
    Closed,
    Color,
    Count,
    Flag,
    Mode,
    OpponentKinds,
    Paces,
    UserNames,
    Variants,
    clock_name,
    in_order,
)


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts about a game that conditions match on, as Lichess spells them; None or "" if unknown."""

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
    """Conditions on games and challenges. All that are given must hold."""

    variants: Variants | None = Field(default=None, examples=["standard"])
    """These variants."""
    speeds: Paces | None = Field(default=None, examples=[["blitz", "15+10"]])
    """These speeds or exact clocks."""
    mode: Mode | None = Field(default=None, examples=["casual"])
    """`rated` or `casual` games."""
    opponents: OpponentKinds | None = Field(default=None, examples=["human"])
    """These kinds of opponents: `human`, `bot`, `ai`."""
    min_rating: Count | None = Field(default=None, examples=[1200])
    """Opponents with at least this rating; never holds for an opponent without one."""
    max_rating: Count | None = Field(default=None, examples=[1800])
    """Opponents with at most this rating; never holds for an opponent without one."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        in_order(self)
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
    """Conditions on running games."""

    users: UserNames | None = Field(default=None, examples=[["somebody"]])
    """Opponents with these names."""
    color: Color | None = Field(default=None, examples=["white"])
    """Our colour."""
    tournament: Flag | None = Field(default=None, examples=[False])
    """`true`: games of tournaments; `false`: all others."""

    def fit(self, facts: Facts) -> bool:
        """Whether all conditions hold."""
        return (
            self.hold_for(facts)
            and (self.users is None or facts.user in self.users)
            and (self.color is None or self.color == facts.color)
            and (self.tournament is None or self.tournament == facts.tournament)
        )


def between(least: float | None, value: float | None, most: float | None) -> bool:
    """Whether a value lies within limits, each of which may be None; an unknown value (None) is within none."""
    if least is None and most is None:
        return True
    return value is not None and (least is None or least <= value) and (most is None or value <= most)
