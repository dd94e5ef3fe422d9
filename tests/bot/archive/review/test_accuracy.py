"""The formulas, at the values that Lichess's page and the curves themselves give."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.archive.review.accuracy import judgement, move_accuracy, winning_chance


@pytest.mark.parametrize(
    ("score_cp", "mate_in", "chance"),
    [
        (0, None, 50.0),
        (100, None, 59.1),
        (-100, None, 40.9),
        (300, None, 75.1),
        (1000, None, 97.5),
        (9999, None, 97.5),
        (None, 3, 97.5),
        (None, -1, 2.5),
        (None, None, 50.0),
    ],
)
def test_chances(score_cp: int | None, mate_in: int | None, chance: float) -> None:
    assert winning_chance(score_cp, mate_in) == pytest.approx(chance, abs=0.05)


@pytest.mark.parametrize(
    ("before", "after", "accuracy"), [(50, 50, 100.0), (50, 60, 100.0), (60, 50, 63.6), (97.5, 2.5, 0.0)]
)
def test_accuracies(before: float, after: float, accuracy: float) -> None:
    assert move_accuracy(before, after) == pytest.approx(accuracy, abs=0.05)


@given(st.floats(0, 100), st.floats(0, 100), st.floats(0, 100))
def test_a_move_that_leaves_less_is_never_more_accurate(before: float, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert 0.0 <= move_accuracy(before, low) <= move_accuracy(before, high) <= 100.0


@pytest.mark.parametrize(
    ("loss", "name"), [(0, ""), (4.9, ""), (5, "inaccuracy"), (10, "mistake"), (14.9, "mistake"), (15, "blunder")]
)
def test_judgements(loss: float, name: str) -> None:
    assert judgement(50, 50 - loss) == name
