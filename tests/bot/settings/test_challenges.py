"""What follows from the facts that rules are held against."""

from __future__ import annotations

import pytest

from bot.settings import ChallengeFacts


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
