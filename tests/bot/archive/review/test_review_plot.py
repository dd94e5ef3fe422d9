"""The picture of a review."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from bot.archive.review.phases import PHASES
from bot.archive.review.review_plot import _draw_games, _draw_phases, _draw_time, draw_reviews
from bot.archive.review.summary import by_phase
from tests.bot.archive.review.test_values import fools_mate_review


def test_the_picture_is_drawn_also_of_nothing(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    sizes = []
    for reviews in ([fools_mate_review("one"), fools_mate_review("two")], []):
        draw_reviews(reviews, tmp_path / "out.svg")
        sizes.append(len((tmp_path / "out.svg").read_text(encoding="utf-8")))
    assert sizes[0] > sizes[1] > 1000


def test_the_time_of_our_moves_is_their_mean_in_seconds() -> None:
    axes = MagicMock()
    _draw_time(axes, [fools_mate_review("one"), fools_mate_review("two")])
    assert axes.bar.call_args.args == ([1, 2], [1.5, 10.5])
    assert axes.scatter.call_args.args == ([2, 2], [10.5, 10.5])


def test_a_bar_for_us_stands_beside_one_for_the_opponents_in_each_phase() -> None:
    axes, reviews = MagicMock(), [fools_mate_review()]
    _draw_phases(axes, reviews)
    ours, theirs = axes.bar.call_args_list
    assert (ours.kwargs["label"], theirs.kwargs["label"]) == ("ours", "opponents")
    for bars, side in ((ours, True), (theirs, False)):
        tallies = by_phase(reviews, ours=side)
        assert bars.args[1] == [tallies[phase].accuracy or 0.0 for phase in PHASES]
    assert ours.args[1][0] < theirs.args[1][0] == 100.0
    assert [round(right - left, 3) for left, right in zip(ours.args[0], theirs.args[0], strict=True)] == [0.4] * 3
    assert [round((left + right) / 2, 3) for left, right in zip(ours.args[0], theirs.args[0], strict=True)] == [0, 1, 2]


def test_each_game_with_a_move_of_ours_has_its_accuracy_at_its_place() -> None:
    axes, review = MagicMock(), fools_mate_review()
    theirs_alone = replace(review, moves=(review.moves[1],))
    _draw_games(axes, [review, theirs_alone, review])
    places, accuracies = axes.plot.call_args.args
    assert places == [1, 3]
    assert accuracies == [by_phase([review], ours=True)["all"].accuracy] * 2


def test_moves_without_a_clock_and_very_late_ones_have_no_time() -> None:
    axes, review = MagicMock(), fools_mate_review()
    blunder = review.moves[2]
    late = [replace(blunder, number=number) for number in (80, 81)]
    _draw_time(axes, [replace(review, moves=(replace(blunder, spent_ms=None), *late))])
    assert axes.bar.call_args.args == ([80], [10.5])
    assert axes.scatter.call_args.args == ([80], [10.5])
    axes = MagicMock()
    _draw_time(axes, [])
    assert axes.bar.call_args.args == ([], [])
    assert not axes.scatter.called
    assert not axes.legend.called
