"""Settings: a YAML file and environment variables, read into closed and frozen models."""

from bot.settings.challenges import (
    DECLINE_REASONS,
    ChallengeConditions,
    ChallengeFacts,
    ChallengeRule,
    ChallengeSettings,
    Profile,
    challenge_fits,
)
from bot.settings.conditions import Facts, GameConditions, between
from bot.settings.conduct import (
    FULL_STRENGTH,
    MAX_CHARACTERS,
    MAX_LEVEL,
    MAX_LINES,
    MIN_LEVEL,
    OPPONENT,
    PLACEHOLDERS,
    ChatSettings,
    ConductSettings,
    DrawSettings,
    LevelSettings,
    ResignSettings,
)
from bot.settings.document import overrides
from bot.settings.engines import EngineEntry, EngineRule
from bot.settings.matchmaking import ArenaEntry, MatchmakingSettings, MatchProfile, TeamEntry, TournamentSettings
from bot.settings.model import TOKEN_VARIABLE, Settings, load_settings, parse_settings
from bot.settings.program import (
    DashboardSettings,
    NotifiedEvent,
    NotifySettings,
    RetentionSettings,
)
from bot.settings.sources import (
    BookSettings,
    ChessdbSettings,
    CloudSettings,
    ExplorerSettings,
    GaviotaSettings,
    OnlineOpeningSettings,
    OnlineTablebaseSettings,
    SourceSettings,
    SyzygySettings,
)
from bot.settings.types import (
    SPEEDS,
    Variant,
    clock_name,
    fastest_and_slowest,
    is_address,
    is_list,
    is_user_name,
    parse_clock,
    speed_of,
)
