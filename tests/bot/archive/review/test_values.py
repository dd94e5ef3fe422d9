"""A review, and how it is written down."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from bot.archive.review.values import GameReview, ReviewedMove, Score


def reviewed(ply: int, san: str, before: Score, after: Score, **others: object) -> ReviewedMove:
    """A move of White, the bot, or of Black; `others` are fields of ReviewedMove."""
    mine = ply % 2 == 1
    fields: dict[str, Any] = {"better": ("e4", "e5"), "spent_ms": 1500, "clock_ms": 60_000, "phase": "opening"}
    fields |= {"number": (ply + 1) // 2, "is_white": mine, "is_ours": mine} | others
    return ReviewedMove(ply=ply, san=san, before=before, after=after, **fields)


def fools_mate_review(game_id: str = "abcdefgh") -> GameReview:
    """White plays 1. f3 and blunders with 2. g4; Black finds the mate."""
    moves = (
        reviewed(1, "f3", Score(cp=30), Score(cp=-70)),
        reviewed(2, "e5", Score(cp=-70), Score(cp=-70), better=("e5",)),
        reviewed(3, "g4", Score(cp=-70), Score(mate_in=-1), better=("Nc3", "Nf6"), spent_ms=10_500, clock_ms=171_500),
        reviewed(4, "Qh4#", Score(mate_in=-1), Score(mate_in=-1), better=("Qh4#",), clock_ms=None, spent_ms=None),
    )
    return GameReview(game_id, "engine88", "engine88 0.1", 1000, moves)


def test_a_review_is_written_and_read_again() -> None:
    review = fools_mate_review()
    line = review.to_json()
    assert "\n" not in line
    assert GameReview.from_json(line) == review


@pytest.mark.parametrize("line", ["", "{", "[]", "{}", '{"moves": []}', '{"moves": [1]}', '{"moves": [{}]}'])
def test_another_line_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"no review|Expecting"):
        GameReview.from_json(line)


def test_a_line_with_an_unknown_field_is_refused() -> None:
    data = json.loads(fools_mate_review().to_json())
    with pytest.raises(ValueError, match="no review"):
        GameReview.from_json(json.dumps(data | {"extra": 1}))
    data["moves"][0]["extra"] = 1
    with pytest.raises(ValueError, match="no review"):
        GameReview.from_json(json.dumps(data))


def test_what_a_move_cost_is_seen_from_its_mover() -> None:
    first, second, third, last = fools_mate_review().moves
    assert first.loss == pytest.approx(52.76 - 43.59, abs=0.1)
    assert (first.judgement, second.judgement, third.judgement, last.judgement) == ("inaccuracy", "", "blunder", "")
    black = replace(second, san="a6", after=Score(cp=300))
    assert black.loss == pytest.approx(75.1 - 43.6, abs=0.1)
    assert black.accuracy < 30
    assert str(third) == "2.g4"
    assert str(last) == "2...Qh4#"


def test_the_engines_own_move_costs_nothing_even_if_it_thinks_again() -> None:
    move = reviewed(1, "e4", Score(cp=100), Score(cp=-500))
    assert (move.is_best, move.loss, move.accuracy, move.judgement) == (True, 0.0, 100.0, "")


@pytest.mark.parametrize(
    ("score", "text"), [(Score(cp=-7), "-0.07"), (Score(cp=1234), "+12.34"), (Score(mate_in=-2), "#-2"), (Score(), "?")]
)
def test_scores_in_words(score: Score, text: str) -> None:
    assert str(score) == text


@pytest.mark.parametrize(
    "damage",
    [
        {"before": 30},
        {"after": 30},
        {"better": "e4"},
        {"before": None, "after": None},
        {"after": 30, "better": "e4"},
        {"before": {"cp": 1, "more": 2}},
    ],
)
def test_a_move_with_a_damaged_score_or_line_is_refused(damage: dict[str, Any]) -> None:
    data = json.loads(fools_mate_review().to_json())
    data["moves"][0] |= damage
    with pytest.raises(ValueError, match="no review"):
        GameReview.from_json(json.dumps(data))


def test_a_name_is_written_as_it_is() -> None:
    assert '"Zügel 1"' in replace(fools_mate_review(), engine="Zügel 1").to_json()


def test_a_gain_is_no_loss() -> None:
    gained = reviewed(1, "d4", Score(cp=0), Score(cp=200))
    assert (gained.loss, gained.accuracy, gained.judgement) == (0.0, 100.0, "")
    assert Score(cp=200).chance(for_white=True) + Score(cp=200).chance(for_white=False) == 100.0
