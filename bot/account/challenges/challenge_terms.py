"""What a challenge that the operator asks for is to be."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ChallengeTerms:
    """Whom to challenge to what: `limit_s` and `increment_s` are a clock, `days` is correspondence instead."""

    username: str
    limit_s: int | None = 180
    increment_s: int = 2
    days: int | None = None
    rated: bool = False
    variant: str = "standard"
    color: str = "random"

    def __str__(self) -> str:
        pace = (
            f"{self.days} days a move" if self.days is not None else f"{(self.limit_s or 0) / 60:g}+{self.increment_s}"
        )
        color = "" if self.color == "random" else f", we have {self.color}"
        return f"{pace} {'rated' if self.rated else 'casual'} {self.variant}{color}"
