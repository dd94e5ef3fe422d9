"""What follows from the facts that rules are held against."""

from __future__ import annotations

import pytest

from bot.settings import ChallengeFacts
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
