"""Settings: a YAML file read into closed, frozen models; anything that does not fit is one clear error."""

from bot.settings.base import Color, Mode, OpponentKind, Speed, Variant
from bot.settings.challenges import (
    DECLINE_REASONS,
    ChallengeConditions,
    ChallengeFacts,
    ChallengeRule,
    ChallengeSettings,
    Profile,
    challenge_fits,
)
from bot.settings.clock_text import parse_clock, speed_of
from bot.settings.conditions import SPEEDS, Facts, GameConditions, clock_name, fastest_and_slowest
from bot.settings.conduct.chat import MAX_CHARACTERS, MAX_LINES, PLACEHOLDERS, ChatSettings
from bot.settings.conduct.endings import ContemptSettings, DrawSettings, ResignSettings
from bot.settings.conduct.levels import FULL_STRENGTH, MAX_LEVEL, MIN_LEVEL, OPPONENT, LevelSettings
from bot.settings.control import ControlSettings
from bot.settings.dashboard import DashboardSettings
from bot.settings.document import overrides
from bot.settings.engines import EngineEntry, EngineRule
from bot.settings.json_schema import schema_text
from bot.settings.loading import TOKEN_VARIABLE, load_settings, parse_settings
from bot.settings.model import LichessSettings, LogSettings, Settings, ShutdownSettings, UserListSettings
from bot.settings.notify import NotifySettings
from bot.settings.play import (
    ClockSettings,
    ConductRule,
    ConductSettings,
    CorrespondenceSettings,
)
from bot.settings.sources import (
    BookSettings,
    ChessdbSettings,
    CloudSettings,
    ExplorerSettings,
    GaviotaSettings,
    OnlineOpeningSettings,
    OnlineSettings,
    OnlineTablebaseSettings,
    SourceSettings,
    SyzygySettings,
)
from bot.settings.tournaments import ArenaEntry, TeamEntry, TournamentSettings
from bot.settings.user_names import is_address, is_list, is_user_name

__all__ = [
    "DECLINE_REASONS",
    "FULL_STRENGTH",
    "MAX_CHARACTERS",
    "MAX_LEVEL",
    "MAX_LINES",
    "MIN_LEVEL",
    "OPPONENT",
    "PLACEHOLDERS",
    "SPEEDS",
    "TOKEN_VARIABLE",
    "ArenaEntry",
    "BookSettings",
    "ChallengeConditions",
    "ChallengeFacts",
    "ChallengeRule",
    "ChallengeSettings",
    "ChatSettings",
    "ChessdbSettings",
    "ClockSettings",
    "CloudSettings",
    "Color",
    "ConductRule",
    "ConductSettings",
    "ContemptSettings",
    "ControlSettings",
    "CorrespondenceSettings",
    "DashboardSettings",
    "DrawSettings",
    "EngineEntry",
    "EngineRule",
    "ExplorerSettings",
    "Facts",
    "GameConditions",
    "GaviotaSettings",
    "LevelSettings",
    "LichessSettings",
    "LogSettings",
    "Mode",
    "NotifySettings",
    "OnlineOpeningSettings",
    "OnlineSettings",
    "OnlineTablebaseSettings",
    "OpponentKind",
    "Profile",
    "ResignSettings",
    "Settings",
    "ShutdownSettings",
    "SourceSettings",
    "Speed",
    "SyzygySettings",
    "TeamEntry",
    "TournamentSettings",
    "UserListSettings",
    "Variant",
    "challenge_fits",
    "clock_name",
    "fastest_and_slowest",
    "is_address",
    "is_list",
    "is_user_name",
    "load_settings",
    "overrides",
    "parse_clock",
    "parse_settings",
    "schema_text",
    "speed_of",
]
