"""Lichess's JSON as frozen values: unknown fields are ignored, unknown types become `UnknownEvent`."""

from bot.events.account import (
    CLOCK,
    CORRESPONDENCE,
    UNLIMITED,
    AccountEvent,
    Challenge,
    ChallengeCanceled,
    ChallengeDeclined,
    ChallengeReceived,
    GameFinished,
    GameInfo,
    GameStarted,
    TimeControl,
    parse_account_event,
    parse_challenge,
    parse_game_info,
)
from bot.events.game import (
    UNLIMITED_MS,
    ChatLine,
    GameEvent,
    GameExport,
    GameFull,
    GameState,
    OpponentGone,
    Player,
    UnknownEvent,
    parse_game_event,
    parse_game_export,
)
