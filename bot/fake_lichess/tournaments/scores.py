"""Points of an arena: two for a win, one for a draw, doubled on a winning streak (lila `arena.Sheet`)."""

from __future__ import annotations

from collections.abc import Sequence

WIN, DRAW, LOSS = 1.0, 0.5, 0.0
STREAK_WINS = 2


def points_of(results: Sequence[float], *, streaks: bool = True) -> list[int]:
    """The points of each game, oldest first.

    After two wins in a row points count double until a game is not won. Of draws in a row only the first earns a
    point.
    """
    found: list[int] = []
    for index, result in enumerate(results):
        double = 2 if streaks and on_fire(results[:index]) else 1
        drawn_before = index > 0 and results[index - 1] == DRAW
        points = {WIN: 2, DRAW: 0 if drawn_before and double == 1 else 1, LOSS: 0}[result]
        found.append(points * double)
    return found


def on_fire(results: Sequence[float]) -> bool:
    """Whether the next game counts double."""
    return len(results) >= STREAK_WINS and all(result == WIN for result in results[-STREAK_WINS:])


def performance(results: Sequence[tuple[int, float]]) -> int:
    """The tournament performance: the mean of opponents' ratings, 500 more for a win and less for a loss."""
    if not results:
        return 0
    return round(sum(rating + 1000 * (score - 0.5) for rating, score in results) / len(results))
