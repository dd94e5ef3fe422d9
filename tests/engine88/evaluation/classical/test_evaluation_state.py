"""The record: small enough for one a thread, and empty at first."""

from __future__ import annotations

from engine88.evaluation.classical.evaluation_state import (
    EVALUATION,
    PAWN_ROWS,
    RAY_END,
    WORD_KEY,
    WORD_KINGS,
    new_evaluation,
)


def test_the_record_stays_below_two_megabytes() -> None:
    assert EVALUATION.itemsize <= 2 * 1024 * 1024


def test_pawn_rows_are_a_power_of_two() -> None:
    assert PAWN_ROWS & (PAWN_ROWS - 1) == 0


def test_a_fresh_record_has_no_pawn_entries_and_ends_every_ray() -> None:
    evaluation = new_evaluation()
    assert (evaluation.pawn_words[:, WORD_KEY] == -1).all()
    assert (evaluation.pawn_words[:, WORD_KINGS] == -1).all()
    assert (evaluation.mobility_map == RAY_END).all()
