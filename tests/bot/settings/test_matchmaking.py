"""Games that the bot seeks: profiles of matchmaking, arenas, teams."""

from __future__ import annotations

import pytest

from bot.errors import ConfigurationError
from bot.settings import MatchProfile, parse_settings


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ("min_rating: 1500, max_rating: 1500", ""),
        ("min_rating: 1501, max_rating: 1500", r"min_rating \(1501\) is greater than max_rating \(1500\)"),
        ("min_rating: 4000", ""),
        ("max_rating: 0", ""),
        ("min_rating_difference: 300, max_rating_difference: 300", ""),
        ("min_rating_difference: 301, max_rating_difference: 300", r"min_rating_difference \(301\) is greater than"),
        ("min_rating_difference: 999", ""),
        ("max_rating_difference: 0", ""),
        ("limit_s: 0, increment_s: 1", ""),
        ("limit_s: 60, increment_s: 0", ""),
        ("limit_s: 0, increment_s: 0, days: 2", ""),
        ("limit_s: 0, increment_s: 0", "a profile needs a clock"),
    ],
)
def test_a_profile_is_a_game_that_there_can_be(keys: str, problem: str) -> None:
    text = f"matchmaking: {{profiles: [{{{keys}}}]}}"
    if problem:
        with pytest.raises(ConfigurationError, match=problem):
            parse_settings(text, "f.yml")
    else:
        assert len(parse_settings(text, "f.yml").matchmaking.profiles) == 1


@pytest.mark.parametrize(
    ("profile", "speed", "perf"),
    [
        (MatchProfile(limit_s=60, increment_s=0), "bullet", "bullet"),
        (MatchProfile(limit_s=180, increment_s=2, variant="fromPosition"), "blitz", "blitz"),
        (MatchProfile(limit_s=0, increment_s=60, variant="chess960"), "classical", "chess960"),
        (MatchProfile(days=2), "correspondence", "correspondence"),
        (MatchProfile(days=2, variant="atomic"), "correspondence", "atomic"),
    ],
)
def test_the_rating_that_counts_is_the_speeds_or_the_variants(profile: MatchProfile, speed: str, perf: str) -> None:
    assert (profile.speed, profile.perf) == (speed, perf)


@pytest.mark.parametrize(
    ("keys", "fits"), [("enabled: true", False), ("enabled: false", True), ("enabled: true, profiles: {days: 1}", True)]
)
def test_matchmaking_needs_a_profile(keys: str, fits: bool) -> None:
    text = f"matchmaking: {{{keys}}}"
    if fits:
        assert parse_settings(text, "f.yml")
    else:
        with pytest.raises(ConfigurationError, match="matchmaking needs at least one entry under profiles"):
            parse_settings(text, "f.yml")


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
        ("teams: [{id: a}, {id: b}, {id: a}]", "the team 'a' is named twice"),
        ("arenas: [{id: https://lichess.org/team/AbCd1234}]", "is not the id of an arena"),
        ("arenas: [{id: 12345678}]", "tournaments.arenas[1].id: must be text"),
        ("arenas: [{id: AbCd12345}]", "'AbCd12345' is not the id of an arena"),
        ("teams: [{id: -x}]", "'-x' is not the id of a team"),
        ("ask_again_s: 61", "tournaments.ask_again_s"),
    ],
)
def test_what_is_no_arena_or_team_is_refused(text: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_settings(f"tournaments:\n  {text}", "f.yml")
    assert message in str(caught.value)


@pytest.mark.parametrize(("length", "taken"), [(29, False), (30, True), (2000, True), (2001, False)])
def test_a_message_to_a_team_has_the_length_that_lichess_asks_for(length: int, taken: bool) -> None:
    text = f"tournaments: {{teams: [{{id: x, message: {'m' * length}}}]}}"
    if taken:
        assert parse_settings(text, "f.yml").tournaments.teams[0].message == "m" * length
    else:
        with pytest.raises(ConfigurationError, match="must have 30 to 2000 characters"):
            parse_settings(text, "f.yml")


@pytest.mark.parametrize(
    "address", ["https://lichess.org/tournament/AbCd1234", "http://x/tournament/AbCd1234/more?a#b"]
)
def test_the_address_of_a_page_holds_the_id(address: str) -> None:
    assert (
        parse_settings(f"tournaments: {{arenas: {{id: '{address}'}}}}", "f.yml").tournaments.arenas[0].id == "AbCd1234"
    )


def test_different_arenas_and_teams_may_have_the_same_id() -> None:
    tournaments = parse_settings(
        "tournaments: {arenas: [{id: abcdefgh}], teams: [{id: abcdefgh}]}", "f.yml"
    ).tournaments
    assert (tournaments.arenas[0].team, tournaments.teams[0].message) == (None, None)
