"""Levels: playing weaker than the engine can, for people."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, Strict, field_validator

from bot.settings.base import Closed, Flag, Modes, OpponentKinds, Seconds

MIN_LEVEL, MAX_LEVEL = 100, 4000
FULL_STRENGTH = "full"
OPPONENT = "opponent"  # as strong as the opponent, by rating

Elo = Annotated[int, Strict(), Field(ge=MIN_LEVEL, le=MAX_LEVEL)]


class LevelSettings(Closed):
    """Who may choose a level by `!level`, in which games; `names`: words for levels, such as `!level easy`."""

    by_chat: Flag = True
    opponents: OpponentKinds = ("human",)
    modes: Modes = ("casual",)
    names: dict[str, Elo] = Field(
        default_factory=lambda: {"beginner": 1000, "easy": 1350, "medium": 1600, "hard": 2000, "expert": 2300}
    )
    remember_s: Seconds = 3600.0

    @field_validator("names")
    @classmethod
    def _usable_words(cls, names: dict[str, int]) -> dict[str, int]:
        for name in names:
            if name in (FULL_STRENGTH, OPPONENT) or not name.isidentifier() or name != name.lower():
                raise ValueError(f"{name!r} is no name for a level: a word of small letters, not full or opponent")
        return names
