"""What games matchmaking may ask for."""

from __future__ import annotations

import pytest

from bot.errors import ConfigurationError
from bot.settings import parse_settings
from bot.settings.matchmaking import MatchProfile


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
