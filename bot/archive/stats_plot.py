"""The picture of `bot88 stats --plot`: our rating and our results over time."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.archive.kept_games import KeptGame
from bot.archive.plotting import DRAW, LOSS, WIN, new_figure, save

#: The widths of a bar in days; the first with which there are no more than so many bars is taken.
_WIDTHS_DAYS = (1, 7, 30, 91, 365)
_MOST_BARS = 40
_FEWEST_BARS = 7
_DAY_S = 86_400.0


def draw_statistics(games: Sequence[KeptGame], path: Path) -> int:
    """Draw our rating by speed and the results by day, week or longer; returns the number of games in it.

    Games without a result do not count. Raises ConfigurationError.
    """
    counted = [game for game in games if game.outcome]
    figure = new_figure(path)
    ratings, results = figure.subplots(2, 1)
    _draw_ratings(ratings, counted)
    _draw_results(results, counted)
    save(figure, path)
    return len(counted)


def _draw_ratings(axes: Any, games: Sequence[KeptGame]) -> None:
    axes.set_title("Rating at the start of each game")
    for speed in sorted({game.record.speed for game in games}):
        known = [(game, rating) for game in games if game.record.speed == speed and (rating := game.my_rating)]
        if known:
            moments = [datetime.fromtimestamp(game.record.ended_s, UTC) for game, _rating in known]
            axes.plot(moments, [rating for _game, rating in known], marker=".", label=speed)
    _finish(axes)


def _draw_results(axes: Any, games: Sequence[KeptGame]) -> None:
    days = bar_width_days([game.record.ended_s for game in games])
    axes.set_title("Results by day" if days == 1 else f"Results by {days} days")
    bottoms: Counter[datetime] = Counter()
    for outcome, color in (("win", WIN), ("draw", DRAW), ("loss", LOSS)):
        counts = Counter(_bar_of(game.record.ended_s, days) for game in games if game.outcome == outcome)
        if counts:
            starts = sorted(counts)
            heights, below = [counts[start] for start in starts], [bottoms[start] for start in starts]
            width = timedelta(days=days * 0.9)
            axes.bar(starts, heights, width=width, bottom=below, color=color, label=outcome, align="edge")
            bottoms.update(counts)
    if games:  # room for a week of bars, so that the first ones are no walls
        end = _bar_of(games[-1].record.ended_s, days) + timedelta(days=days)
        first = _bar_of(games[0].record.ended_s, days)
        axes.set_xlim(min(first, end - timedelta(days=days * _FEWEST_BARS)), end)
    axes.yaxis.get_major_locator().set_params(integer=True)
    _finish(axes)


def _finish(axes: Any) -> None:
    axes.grid(visible=True, alpha=0.3)
    dates: Any = importlib.import_module("matplotlib.dates")
    locator = dates.AutoDateLocator()
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(dates.ConciseDateFormatter(locator))
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="upper left")
    else:
        axes.text(0.5, 0.5, "nothing known", ha="center", transform=axes.transAxes)


def bar_width_days(ended_s: Sequence[float]) -> int:
    """Return how many days one bar stands for, so that there are not too many."""
    span_days = (max(ended_s) - min(ended_s)) / _DAY_S if ended_s else 0.0
    return next((days for days in _WIDTHS_DAYS if span_days / days <= _MOST_BARS), _WIDTHS_DAYS[-1])


def _bar_of(ended_s: float, days: int) -> datetime:
    """Return the first moment (UTC) of the bar that a game belongs to."""
    return datetime.fromtimestamp(ended_s // (days * _DAY_S) * days * _DAY_S, UTC)
