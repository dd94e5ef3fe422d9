"""Charts by matplotlib, which is an extra: those of `bot88 stats --plot` and `bot88 review --plot`."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.archive.game_record import GameRecord
from bot.archive.review.summary import by_phase, tally_of
from bot.archive.review.values import PHASES, GameReview
from bot.errors import ConfigurationError
from bot.events.game import Outcome

FORMATS = (".svg", ".png", ".pdf")
WIN, DRAW, LOSS = "#4c9a5b", "#a9a9a9", "#c0504d"
#: The widths of a bar in days; the first with which there are no more than so many bars is taken.
_WIDTHS_DAYS = (1, 7, 30, 91, 365)
_MOST_BARS = 40
_FEWEST_BARS = 7
_DAY_S = 86_400.0
_OURS, _THEIRS = WIN, DRAW
_MOST_MOVES = 80


def new_figure(path: Path, height: float = 7.0) -> Any:
    """Return an empty figure, 9 inches wide, for a picture at `path`.

    Raises ConfigurationError without matplotlib, or for an unknown picture format.
    """
    if path.suffix.lower() not in FORMATS:
        raise ConfigurationError(f"--plot {path}: the name must end in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")
    try:
        figures: Any = importlib.import_module("matplotlib.figure")
    except ImportError as error:
        raise ConfigurationError("--plot needs matplotlib: pip install 'bot88[plots]'") from error
    return figures.Figure(figsize=(9.0, height), layout="constrained")


def save(figure: Any, path: Path) -> None:
    """Write the picture, over an older one. Raises ConfigurationError."""
    try:
        figure.savefig(path)
    except OSError as error:
        raise ConfigurationError(f"--plot {path}: cannot be written: {error}") from error


def draw_statistics(games: Sequence[GameRecord], path: Path) -> int:
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


def _draw_ratings(axes: Any, games: Sequence[GameRecord]) -> None:
    axes.set_title("Rating at the start of each game")
    for speed in sorted({game.speed for game in games}):
        known = [(game, rating) for game in games if game.speed == speed and (rating := game.my_rating)]
        if known:
            moments = [datetime.fromtimestamp(game.ended_s, UTC) for game, _rating in known]
            axes.plot(moments, [rating for _game, rating in known], marker=".", label=speed)
    _finish(axes)


def _draw_results(axes: Any, games: Sequence[GameRecord]) -> None:
    days = bar_width_days([game.ended_s for game in games])
    axes.set_title("Results by day" if days == 1 else f"Results by {days} days")
    bottoms: Counter[datetime] = Counter()
    for outcome, color in ((Outcome.WIN, WIN), (Outcome.DRAW, DRAW), (Outcome.LOSS, LOSS)):
        counts = Counter(_bar_of(game.ended_s, days) for game in games if game.outcome is outcome)
        if counts:
            starts = sorted(counts)
            heights, below = [counts[start] for start in starts], [bottoms[start] for start in starts]
            width = timedelta(days=days * 0.9)
            axes.bar(starts, heights, width=width, bottom=below, color=color, label=outcome.value, align="edge")
            bottoms.update(counts)
    if games:  # room for a week of bars, so that the first ones are no walls
        end = _bar_of(games[-1].ended_s, days) + timedelta(days=days)
        first = _bar_of(games[0].ended_s, days)
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


def draw_reviews(reviews: Sequence[GameReview], path: Path) -> None:
    """Draw them; `reviews` are in the order in which the games were played. Raises ConfigurationError."""
    figure = new_figure(path, height=9.0)
    phases, games, time = figure.subplots(3, 1)
    _draw_phases(phases, reviews)
    _draw_games(games, reviews)
    _draw_time(time, reviews)
    save(figure, path)


def _draw_phases(axes: Any, reviews: Sequence[GameReview]) -> None:
    axes.set_title("Accuracy by phase, in percent")
    for label, ours, color, shift in (("ours", True, _OURS, -0.2), ("opponents", False, _THEIRS, 0.2)):
        tallies = by_phase(reviews, ours=ours)
        heights = [tallies[phase].accuracy or 0.0 for phase in PHASES]
        bars = axes.bar([place + shift for place in range(len(PHASES))], heights, width=0.4, color=color, label=label)
        axes.bar_label(bars, fmt="%.1f", padding=2)
    axes.set_xticks(range(len(PHASES)), PHASES)
    axes.set_ylim(0, 112)
    axes.legend(loc="lower right")


def _draw_games(axes: Any, reviews: Sequence[GameReview]) -> None:
    axes.set_title("Our accuracy in each game, in percent")
    known = [tally_of(move for move in review.moves if move.is_ours) for review in reviews]
    accuracies = [(place, tally.accuracy) for place, tally in enumerate(known, 1) if tally.accuracy is not None]
    axes.plot([place for place, _value in accuracies], [value for _place, value in accuracies], marker=".", color=_OURS)
    axes.set_xlabel("game, oldest first")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.grid(visible=True, alpha=0.3)


def _draw_time(axes: Any, reviews: Sequence[GameReview]) -> None:
    """Mean seconds by move number; the blunders as points at the time that they took."""
    axes.set_title("Time for each of our moves, in seconds")
    ours = [move for review in reviews for move in review.moves if move.is_ours and move.spent_ms is not None]
    spent: dict[int, list[float]] = {}
    for move in ours:
        if move.number <= _MOST_MOVES:
            spent.setdefault(move.number, []).append((move.spent_ms or 0) / 1000)
    numbers = sorted(spent)
    means = [sum(spent[number]) / len(spent[number]) for number in numbers]
    axes.bar(numbers, means, color=_OURS, label="mean")
    blunders = [move for move in ours if move.judgement == "blunder" and move.number <= _MOST_MOVES]
    if blunders:
        took = [(move.spent_ms or 0) / 1000 for move in blunders]
        axes.scatter([move.number for move in blunders], took, color=LOSS, marker="x", zorder=3, label="blunder")
    axes.set_xlabel("move")
    axes.grid(visible=True, alpha=0.3)
    if numbers:
        axes.legend(loc="upper right")
