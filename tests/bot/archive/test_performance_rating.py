"""The rating performance: FIDE's examples, and its limits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.archive.performance_rating import expected_points, performance


@pytest.mark.parametrize(
    ("opponents", "points", "expected"),
    [
        ([2000], 0.5, 2000),
        ([1800, 2200], 1.0, 2000),
        ([2000] * 4, 3.0, 2191),  # 400 * log10(3) above
        ([2000] * 4, 4.0, 2800),
        ([2000] * 4, 0.0, 1200),
        ([], 0.0, None),
    ],
)
def test_performances(opponents: list[int], points: float, expected: int | None) -> None:
    assert performance(opponents, points) == expected


@given(st.lists(st.integers(600, 3200), min_size=1, max_size=30), st.integers(0, 60))
def test_a_performance_explains_the_points_or_lies_at_the_limit(opponents: list[int], half_points: int) -> None:
    points = min(half_points / 2, len(opponents))
    found, mean = performance(opponents, points), sum(opponents) / len(opponents)
    assert found is not None
    at_the_limit = abs(abs(found - mean) - 800) < 1
    assert at_the_limit or abs(expected_points(found, opponents) - points) < 0.01 * len(opponents)
