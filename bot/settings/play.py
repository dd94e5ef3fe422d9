"""Which challenges are taken, and how the bot behaves in a game."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from bot.settings.base import (
    Closed,
    Count,
    Flag,
    LowerNames,
    Modes,
    OpponentKinds,
    Positive,
    Seconds,
    Speeds,
    Variants,
)
from bot.settings.conduct.chat import ChatSettings
from bot.settings.conduct.endings import DrawSettings, ResignSettings
from bot.settings.conduct.levels import LevelSettings


class ChallengeSettings(Closed):
    """Who may play us at what; a challenge must pass every line. Limits are inclusive."""

    accept: Flag = True
    variants: Variants = ("standard", "chess960", "fromPosition")
    speeds: Speeds = ("bullet", "blitz", "rapid", "classical", "correspondence")
    modes: Modes = ("rated", "casual")
    opponents: OpponentKinds = ("human", "bot")
    min_rating: Count | None = None
    max_rating: Count | None = None
    min_limit_s: Count = 0
    max_limit_s: Count = 10_800
    min_increment_s: Count = 0
    max_increment_s: Count = 180
    min_days: Positive = 1
    max_days: Positive = 14
    unlimited: Flag = False
    block: LowerNames = ()
    only: LowerNames = ()
    order: Literal["arrival", "humans_first", "rating"] = "humans_first"
    queue: Count = 10
    reserved_for_humans: Count = 0
    games_per_opponent: Positive = 1
    bot_games_per_opponent_day: Count | None = None

    @model_validator(mode="after")
    def _ordered(self) -> ChallengeSettings:
        for name in ("rating", "limit_s", "increment_s", "days"):
            least, most = getattr(self, f"min_{name}"), getattr(self, f"max_{name}")
            if least is not None and most is not None and least > most:
                raise ValueError(f"min_{name} ({least}) is greater than max_{name} ({most})")
        return self


class ConductSettings(Closed):
    """Manners in a game."""

    chat: ChatSettings = ChatSettings()
    levels: LevelSettings = LevelSettings()
    resign: ResignSettings = ResignSettings()
    draw: DrawSettings = DrawSettings()
    abort_after_s: Seconds = 30.0
    takebacks: Count = 0
    claim_victory: Flag = True
    claim_draw: Flag = True
    accept_rematch: Flag = True


class ClockSettings(Closed):
    """Thinking time. The overhead is measured in each game; `min_overhead_ms` is its floor until then."""

    ponder: Flag = False
    first_move_s: Seconds = 2.0
    min_overhead_ms: Count = 30
    max_move_s: Seconds | None = None


class CorrespondenceSettings(Closed):
    """Games with days a move, or without limit."""

    think_s: Annotated[Seconds, Field(gt=0)] = 30.0
    ponder: Flag = False
    disconnect_after_s: Seconds = 150.0
    check_in_every_s: Annotated[Seconds, Field(gt=0, le=60)] = 60.0
