"""The outcome of a game by status, winner and our colour."""

from __future__ import annotations

import pytest

from bot.events.game import Outcome, outcome_of


@pytest.mark.parametrize(
    ("status", "winner", "outcome"),
    [
        ("mate", "white", Outcome.WIN),
        ("resign", "black", Outcome.LOSS),
        ("stalemate", "", Outcome.DRAW),
        ("outoftime", "", Outcome.DRAW),
        ("started", "", None),
        ("created", "", None),
        ("aborted", "", None),
        ("noStart", "", None),
        ("unknownFinish", "", None),
    ],
)
def test_outcome_for_white(status: str, winner: str, outcome: Outcome | None) -> None:
    assert outcome_of(status, winner, "white") is outcome
