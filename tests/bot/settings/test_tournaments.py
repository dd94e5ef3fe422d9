"""Arenas and teams as they are written."""

from __future__ import annotations

import pytest

from bot.errors import ConfigurationError
from bot.settings import parse_settings


def test_ids_and_addresses_are_taken() -> None:
    tournaments = parse_settings(
        "tournaments:\n"
        "  arenas: [{id: AbCd1234}, {id: https://lichess.org/tournament/hL7vMrFQ, team: my-team, password: secret}]\n"
        "  teams: {id: https://lichess.org/team/lichess-swiss}",
        "f.yml",
    ).tournaments
    assert [entry.id for entry in tournaments.arenas] == ["AbCd1234", "hL7vMrFQ"]
    assert [entry.id for entry in tournaments.teams] == ["lichess-swiss"]
    assert "secret" not in repr(tournaments)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("arenas: [{id: short}]", "tournaments.arenas[1].id: 'short' is not the id of an arena"),
        ("arenas: [{id: AbCd1234}, {id: AbCd1234}]", "the arena 'AbCd1234' is named twice"),
        ("teams: [{id: My Team}]", "'My Team' is not the id of a team"),
        ("teams: [{id: x, message: let us in}]", "must have 30 to 2000 characters"),
        ("arenas: [{}]", "tournaments.arenas[1].id: is missing"),
        ("ask_again_s: 0", "tournaments.ask_again_s"),
    ],
)
def test_what_is_no_arena_or_team_is_refused(text: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_settings(f"tournaments:\n  {text}", "f.yml")
    assert message in str(caught.value)
