"""Terms of a challenge in words."""

from __future__ import annotations

import pytest

from bot.account.challenges.challenge_terms import ChallengeTerms


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        (ChallengeTerms("a", 180, 2), "3+2 casual standard"),
        (ChallengeTerms("a", 30, 0, rated=True, color="white"), "0.5+0 rated standard, we have white"),
        (ChallengeTerms("a", None, 0, days=2, variant="chess960"), "2 days a move casual chess960"),
    ],
)
def test_in_words(terms: ChallengeTerms, words: str) -> None:
    assert str(terms) == words
