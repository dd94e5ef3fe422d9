"""How the bot behaves in a game, and how long it thinks."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from bot.settings.base import Closed, Count, Flag, Seconds
from bot.settings.conduct.chat import ChatSettings
from bot.settings.conduct.endings import DrawSettings, ResignSettings
from bot.settings.conduct.levels import LevelSettings


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
