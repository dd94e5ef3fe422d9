"""How much of what the bot writes is kept, and how long."""

from __future__ import annotations

from bot.settings.base import Closed, Count


class RetentionSettings(Closed):
    """Limits of age and size; 0 means none. `games_days` holds for PGN files too, by their last game."""

    games_days: Count = 0
    games: Count = 0
    copies_days: Count = 0
