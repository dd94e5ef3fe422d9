"""Settings: a YAML file read into closed, frozen models; anything that does not fit is one clear error."""

from bot.settings.base import Color, Mode, OpponentKind, Speed, Variant
from bot.settings.chat import MAX_CHARACTERS, MAX_LINES, PLACEHOLDERS, ChatSettings
from bot.settings.clock_text import parse_clock
from bot.settings.control import ControlSettings
from bot.settings.dashboard import DashboardSettings
from bot.settings.endings import ContemptSettings, DrawSettings, ResignSettings
from bot.settings.engines import EngineEntry, EngineRule
from bot.settings.json_schema import schema_text
from bot.settings.levels import FULL_STRENGTH, MAX_LEVEL, MIN_LEVEL, OPPONENT, LevelSettings
from bot.settings.model import LichessSettings, LogSettings, Settings, ShutdownSettings
from bot.settings.notify import NotifySettings
from bot.settings.play import (
    ChallengeSettings,
    ClockSettings,
    ConductSettings,
    CorrespondenceSettings,
)
from bot.settings.reading.environment import overrides
from bot.settings.reading.loading import TOKEN_VARIABLE, load_settings, parse_settings
from bot.settings.sources import (
    BookSettings,
    ChessdbSettings,
    CloudSettings,
    ExplorerSettings,
    GaviotaSettings,
    OnlineSettings,
    OnlineTablebaseSettings,
    SourceSettings,
    SyzygySettings,
)
from bot.settings.tournaments import ArenaEntry, TeamEntry, TournamentSettings

__all__ = [
    "FULL_STRENGTH",
    "MAX_CHARACTERS",
    "MAX_LEVEL",
    "MAX_LINES",
    "MIN_LEVEL",
    "OPPONENT",
    "PLACEHOLDERS",
    "TOKEN_VARIABLE",
    "ArenaEntry",
    "BookSettings",
    "ChallengeSettings",
    "ChatSettings",
    "ChessdbSettings",
    "ClockSettings",
    "CloudSettings",
    "Color",
    "ConductSettings",
    "ContemptSettings",
    "ControlSettings",
    "CorrespondenceSettings",
    "DashboardSettings",
    "DrawSettings",
    "EngineEntry",
    "EngineRule",
    "ExplorerSettings",
    "GaviotaSettings",
    "LevelSettings",
    "LichessSettings",
    "LogSettings",
    "Mode",
    "NotifySettings",
    "OnlineSettings",
    "OnlineTablebaseSettings",
    "OpponentKind",
    "ResignSettings",
    "Settings",
    "ShutdownSettings",
    "SourceSettings",
    "Speed",
    "SyzygySettings",
    "TeamEntry",
    "TournamentSettings",
    "Variant",
    "load_settings",
    "overrides",
    "parse_clock",
    "parse_settings",
    "schema_text",
]
