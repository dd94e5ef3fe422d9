"""What the explorer can be asked for."""

from __future__ import annotations

import pytest

from bot.errors import ConfigurationError
from bot.settings import parse_settings


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ("database: player, player: Ann, sort: performance", ""),
        ("database: player", ""),
        ("database: opponent, sort: games", ""),
        ("", ""),
        ("database: opponent, player: Ann", "player is for database: player"),
        ("player: Ann", "player is for database: player"),
        ("database: lichess, sort: performance", "sort: performance is for database: player"),
        ("database: player, player: ''", "explorer.player"),
    ],
)
def test_what_fits_the_database(keys: str, problem: str) -> None:
    text = f"move_sources: {{online: {{explorer: {{{keys}}}}}}}"
    if problem:
        with pytest.raises(ConfigurationError, match=problem):
            parse_settings(text, "f.yml")
    else:
        assert not parse_settings(text, "f.yml").move_sources.online.explorer.enabled
