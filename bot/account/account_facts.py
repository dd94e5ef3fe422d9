"""What chat and challenge rules know about the account's finished games."""

from __future__ import annotations

import time
from collections import Counter

import structlog

from bot.archive.store import Store
from bot.errors import StoreError
from bot.events.game import Outcome

log = structlog.get_logger(__name__)


def results_with(store: Store, user_id: str) -> Counter[Outcome | None] | None:
    """Count all finished games with a user by outcome; None if the store cannot be read."""
    try:
        return store.outcomes(0.0, user_id)
    except StoreError as error:
        log.warning("results_not_read", opponent=user_id, error=str(error))
        return None


def recent_games_with(store: Store, opponent_id: str, seconds: float) -> int:
    """Count the games with an opponent that ended within so many seconds; 0 if the store cannot be read."""
    try:
        return store.outcomes(time.time() - seconds, opponent_id).total()
    except StoreError as error:
        log.error("games_not_counted", opponent=opponent_id, error=str(error))
        return 0
