"""How the bot behaves in a game, and how long it thinks."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field

from bot.settings.base import Closed, Count, Flag, Seconds, Share, _listed
from bot.settings.conditions import GameConditions
from bot.settings.conduct.chat import ChatSettings
from bot.settings.conduct.endings import DrawSettings, ResignSettings
from bot.settings.conduct.levels import LevelSettings


class ConductRule(GameConditions):
    """Other manners in games that fit; keys that are not named, also within the sections, stay as usual."""

    resign: ResignSettings | None = None
    draw: DrawSettings | None = None
    takebacks: Count | None = None
    abort_after_s: Seconds | None = None


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
    rules: Annotated[tuple[ConductRule, ...], BeforeValidator(_listed)] = ()


class ClockSettings(Closed):
    """Thinking time. The overhead is measured in each game; `min_overhead_ms` is its floor until then.

    `min_move_share`: a move takes at least this part of our clock, also one that is found at once.
    """

    ponder: Flag = False
    first_move_s: Seconds = 2.0
    min_overhead_ms: Count = 30
    max_move_s: Seconds | None = None
    min_move_share: Share = 0.0


class CorrespondenceSettings(Closed):
    """Games with days a move, or without limit."""

    think_s: Annotated[Seconds, Field(gt=0)] = 30.0
    ponder: Flag = False
    disconnect_after_s: Seconds = 150.0
    check_in_every_s: Annotated[Seconds, Field(gt=0, le=60)] = 60.0
