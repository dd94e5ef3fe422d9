"""What the token does not allow is left out."""

from __future__ import annotations

import pytest

from bot.service.tournaments import allowed_tournaments
from bot.settings import TournamentSettings

ALL = TournamentSettings.model_validate({"arenas": [{"id": "AbCd1234"}], "teams": [{"id": "ours"}]})


@pytest.mark.parametrize(
    ("missing", "arenas", "teams"),
    [
        (set(), 1, 1),
        ({"tournaments.arenas"}, 0, 1),
        ({"tournaments.teams"}, 1, 0),
        ({"tournaments.arenas", "tournaments.teams", "matchmaking"}, 0, 0),
    ],
)
def test_only_what_is_allowed_is_done(missing: set[str], arenas: int, teams: int) -> None:
    allowed = allowed_tournaments(ALL, missing)
    assert (len(allowed.arenas), len(allowed.teams)) == (arenas, teams)
