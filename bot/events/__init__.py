"""Lichess's JSON as frozen values: unknown fields are ignored, unknown types become `UnknownEvent`.

Units: milliseconds in the game stream (`*_ms`), seconds in challenges and lists of games (`*_s`).
"""

from bot.events.account import (
    AccountEvent,
    Challenge,
    ChallengeCanceled,
    ChallengeDeclined,
    ChallengeReceived,
    GameFinished,
    GameInfo,
    GameStarted,
    parse_account_event,
    parse_challenge,
    parse_game_info,
)
from bot.events.common import CLOCK, CORRESPONDENCE, UNLIMITED, Player, TimeControl, UnknownEvent
from bot.events.export import GameExport, parse_game_export
from bot.events.game import (
    UNLIMITED_MS,
    ChatLine,
    GameEvent,
    GameFull,
    GameState,
    OpponentGone,
    parse_game_event,
)

__all__ = [
    "CLOCK",
    "CORRESPONDENCE",
    "UNLIMITED",
    "UNLIMITED_MS",
    "AccountEvent",
    "Challenge",
    "ChallengeCanceled",
    "ChallengeDeclined",
    "ChallengeReceived",
    "ChatLine",
    "GameEvent",
    "GameExport",
    "GameFinished",
    "GameFull",
    "GameInfo",
    "GameStarted",
    "GameState",
    "OpponentGone",
    "Player",
    "TimeControl",
    "UnknownEvent",
    "parse_account_event",
    "parse_challenge",
    "parse_game_event",
    "parse_game_export",
    "parse_game_info",
]
