"""The rating performance of a number of games."""

from __future__ import annotations

import math
from collections.abc import Sequence

#: With all points or none, no rating explains the result: FIDE's table ends at this difference (Handbook B.02, 8.1).
MOST_DIFFERENCE = 800.0
_STEPS = 40  # halvings of the interval: far below a hundredth of a point


def expected_points(rating: float, opponents: Sequence[int]) -> float:
    """Return the points that the Elo formula expects: for each game 1 / (1 + 10^(difference / 400))."""
    return sum(1.0 / (1.0 + math.pow(10.0, (opponent - rating) / 400.0)) for opponent in opponents)


def performance(opponents: Sequence[int], points: float) -> int | None:
    """Return the rating that is expected to make these points against these opponents; None without opponents.

    It lies at most 800 points from the opponents' mean.
    """
    if not opponents:
        return None
    mean = sum(opponents) / len(opponents)
    low, high = mean - MOST_DIFFERENCE, mean + MOST_DIFFERENCE
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if expected_points(middle, opponents) < points:
            low = middle
        else:
            high = middle
    return round((low + high) / 2)
