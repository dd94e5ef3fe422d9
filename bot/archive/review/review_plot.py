"""The picture of `bot88 review --plot`: accuracy by phase and by game, and where the time went."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bot.archive.plots import DRAW, LOSS, WIN, new_figure, save
from bot.archive.review.phases import PHASES
from bot.archive.review.summary import by_phase, tally_of
from bot.archive.review.values import GameReview

_OURS, _THEIRS = WIN, DRAW
_MOST_MOVES = 80


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
