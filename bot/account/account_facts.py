"""What chat and challenge rules are told of the account's finished games."""

from __future__ import annotations

import time
from collections import Counter
from typing import Protocol

import structlog

from bot.archive.store import GameRecord
from bot.errors import StoreError
from bot.play.chat.facts import Results

log = structlog.get_logger(__name__)


class GamesStore(Protocol):
    """The part of the store that is asked."""

    def games_since(self, since_s: float, opponent_id: str = "") -> list[GameRecord]:
        """Finished games after `since_s`, of one opponent when named."""


def results_with(store: GamesStore, user_id: str) -> Results | None:
    """Return the results of all kept games with a user, None where the store cannot be read."""
    try:
        records = store.games_since(0.0, user_id)
    except StoreError as error:
        log.warning("results_not_read", opponent=user_id, error=str(error))
        return None
    outcomes = Counter(record.outcome for record in records)
    return Results(won=outcomes["win"], drawn=outcomes["draw"], lost=outcomes["loss"])


def recent_games_with(store: GamesStore, opponent_id: str, seconds: float) -> int:
    """How many games with an opponent ended within so many seconds; none where the store cannot tell."""
    try:
        return len(store.games_since(time.time() - seconds, opponent_id))
    except StoreError as error:
        log.error("games_not_counted", opponent=opponent_id, error=str(error))
        return 0
