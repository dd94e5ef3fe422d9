"""Conditions on challenges, and the settings that stand for rules."""

from __future__ import annotations

import pytest

from bot.errors import ConfigurationError
from bot.settings import ChallengeFacts, parse_settings
from bot.settings.challenges import ChallengeConditions, Profile, challenge_fits


@pytest.mark.parametrize(
    ("facts", "duration_s"),
    [
        (ChallengeFacts(limit_s=180, increment_s=2), 520),  # both sides, forty moves each
        (ChallengeFacts(limit_s=60, increment_s=0), 120),
        (ChallengeFacts(limit_s=60), None),
        (ChallengeFacts(increment_s=2), None),
        (ChallengeFacts(), None),
    ],
)
def test_the_expected_length_of_a_game(facts: ChallengeFacts, duration_s: float | None) -> None:
    assert facts.duration_s == duration_s


@pytest.mark.parametrize(
    ("rating", "my_rating", "difference"),
    [(1500, 1700, 200), (1700, 1500, 200), (None, 1700, None), (1500, None, None), (None, None, None)],
)
def test_the_distance_between_two_ratings(rating: int | None, my_rating: int | None, difference: int | None) -> None:
    assert ChallengeFacts(rating=rating, my_rating=my_rating).rating_difference == difference


def fits(facts: ChallengeFacts, **conditions: object) -> bool | None:
    """Whether the conditions hold, with nobody in a list."""
    return challenge_fits(ChallengeConditions.model_validate(conditions), facts, lambda _users, _user: False)


@pytest.mark.parametrize(
    ("conditions", "holds"),
    [
        ({"time_controls": "clock"}, True),
        ({"time_controls": "unlimited"}, False),
        ({"time_controls": "clock", "titles": "GM"}, False),  # neither condition stands in for another
        ({"time_controls": "clock", "mode": "rated"}, False),
    ],
)
def test_every_condition_on_a_challenge_must_hold(conditions: dict[str, object], holds: bool) -> None:
    assert fits(ChallengeFacts(), **conditions) is holds


@pytest.mark.parametrize(
    ("profile", "holds"),
    [(None, None), (Profile(account_days=30, games=5), True), (Profile(account_days=29, games=5), False)],
)
def test_a_condition_on_an_account_waits_for_its_profile(profile: Profile | None, holds: bool | None) -> None:
    assert fits(ChallengeFacts(profile=profile), min_account_days=30) is holds


FACTS = ChallengeFacts(
    variant="atomic",
    speed="blitz",
    limit_s=180,
    increment_s=2,
    rated=True,
    opponent="bot",
    user="ann",
    rating=1700,
    title="BOT",
    my_rating=1500,
    days=3,
    rematch=True,
    open_games=2,
    recent_games=lambda seconds: 4 if seconds == 3600.0 else 9 if seconds == 60.0 else 0,
    profile=Profile(account_days=30, games=5),
)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ({"titles": ["GM", "BOT"]}, {"titles": "GM"}),
        ({"time_controls": ["unlimited", "clock"]}, {"time_controls": "correspondence"}),
        ({"min_limit_s": 180}, {"min_limit_s": 181}),
        ({"max_limit_s": 180}, {"max_limit_s": 179}),
        ({"min_increment_s": 2}, {"min_increment_s": 3}),
        ({"max_increment_s": 2}, {"max_increment_s": 1}),
        ({"min_duration_s": 520}, {"min_duration_s": 521}),
        ({"max_duration_s": 520}, {"max_duration_s": 519}),
        ({"min_days": 3}, {"min_days": 4}),
        ({"max_days": 3}, {"max_days": 2}),
        ({"min_rating_difference": 200}, {"min_rating_difference": 201}),
        ({"max_rating_difference": 200}, {"max_rating_difference": 199}),
        ({"rematch": True}, {"rematch": False}),
        ({"min_open_games": 2}, {"min_open_games": 3}),
        ({"min_recent_games": 4}, {"min_recent_games": 5}),
        ({"min_recent_games": 9, "recent_s": 60.0}, {"min_recent_games": 10, "recent_s": 60.0}),
        ({"users": "ann"}, {"users": "bob"}),
        ({"mode": "rated"}, {"mode": "casual"}),
        ({"min_account_days": 30}, {"min_account_days": 31}),
        ({"max_account_days": 30}, {"max_account_days": 29}),
        ({"min_games": 5}, {"min_games": 6}),
        ({"max_games": 5}, {"max_games": 4}),
        ({"min_account_days": 30, "max_games": 5}, {"min_account_days": 31, "max_games": 5}),
        ({"min_account_days": 30, "max_games": 5}, {"min_account_days": 30, "max_games": 4}),
    ],
)
def test_each_condition_is_exact(right: dict[str, object], wrong: dict[str, object]) -> None:
    def fits_ann(conditions: dict[str, object]) -> bool | None:
        return challenge_fits(ChallengeConditions.model_validate(conditions), FACTS, lambda users, user: user in users)

    assert fits_ann(right) is True
    assert fits_ann(wrong) is False
    assert fits_ann(wrong | {"variants": "atomic"}) is False
    assert fits_ann(right | {"variants": "horde"}) is False


@pytest.mark.parametrize("limit", ["min_account_days", "max_account_days", "min_games", "max_games"])
def test_each_limit_of_an_account_needs_its_profile(limit: str) -> None:
    assert fits(ChallengeFacts(), **{limit: 0}) is None
    assert fits(ChallengeFacts(), **{limit: 0, "titles": "GM"}) is False  # it need not be asked for
    assert fits(ChallengeFacts(profile=Profile()), **{limit: 0}) is False
    assert ChallengeConditions.model_validate({limit: 0}).needs_profile
    assert not ChallengeConditions().needs_profile


@pytest.mark.parametrize("name", ["rating", "limit_s", "increment_s", "days"])
def test_limits_are_in_order(name: str) -> None:
    assert parse_settings(f"challenges: {{min_{name}: 7, max_{name}: 7}}", "f.yml")
    with pytest.raises(ConfigurationError, match=rf"min_{name} \(8\) is greater than max_{name} \(7\)"):
        parse_settings(f"challenges: {{min_{name}: 8, max_{name}: 7}}", "f.yml")


@pytest.mark.parametrize(
    ("rule", "fits_in"),
    [
        ("accept: true", True),
        ("decline: later", True),
        ("accept: false, decline: later", True),
        ("accept: false", False),
    ],
)
def test_a_rule_decides_one_way(rule: str, fits_in: bool) -> None:
    text = f"challenges: {{rules: [{{{rule}}}]}}"
    if fits_in:
        assert parse_settings(text, "f.yml").challenges.rules[0].accept is ("true" in rule)
    else:
        with pytest.raises(ConfigurationError, match="needs either accept: true or decline"):
            parse_settings(text, "f.yml")
