"""A row of the table of games is a record, or is damaged."""

from __future__ import annotations

from typing import Any

import pytest

from bot.archive.game_record import COLUMNS, LATEST_S, GameRecord, record_of

ROW: dict[str, Any] = {
    "game_id": "abcdefgh", "opponent_id": "ann", "opponent_is_bot": 1, "color": "white", "variant": "standard",
    "speed": "blitz", "rated": 0, "status": "mate", "result": "1-0", "plies": 33, "ended_s": 100, "my_rating": 2000,
    "opponent_rating": 1900, "eco": "A00", "opening": "Barnes Opening",
}  # fmt: skip


def read(**fields: object) -> GameRecord:
    """The record of the row, with these values instead."""
    row = ROW | fields
    return record_of([row[name] for name in COLUMNS])


def test_a_row_is_read_column_by_column() -> None:
    assert read() == GameRecord(
        "abcdefgh", "ann", True, "white", "standard", "blitz", False, "mate", "1-0", 33, 100.0, 2000, 1900, "A00",
        "Barnes Opening",
    )  # fmt: skip
    assert (read(my_rating=None, opponent_rating="high").my_rating, read(opponent_rating="x").opponent_rating) == (
        None, None,
    )  # fmt: skip


@pytest.mark.parametrize("fields", [{"ended_s": 0}, {"ended_s": LATEST_S}, {"plies": 0}])
def test_the_first_and_the_last_moment_are_in_a_calendar(fields: dict[str, Any]) -> None:
    assert fields.items() <= {"ended_s": read(**fields).ended_s, "plies": read(**fields).plies}.items()


@pytest.mark.parametrize(
    "fields",
    [
        {"ended_s": -1},
        {"ended_s": LATEST_S + 1},
        {"ended_s": "soon"},
        {"ended_s": None},
        {"plies": "many"},
        {"plies": 3.5},
        {"plies": None},
    ],
)
def test_a_row_that_no_calendar_or_score_sheet_holds_is_damaged(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"plies .* ended"):
        read(**fields)
