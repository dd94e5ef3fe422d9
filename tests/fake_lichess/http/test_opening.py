"""Openings by variant and first position."""

from __future__ import annotations

import chess
import pytest

from bot.fake_lichess.openings import find_opening, opening_json

RUY_LOPEZ = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5")


@pytest.mark.parametrize("variant", ["standard", "threeCheck", "kingOfTheHill", "crazyhouse"])
def test_variants_with_the_usual_moves_share_the_names(variant: str) -> None:
    found = find_opening(variant, "startpos", RUY_LOPEZ)
    assert found is not None
    assert opening_json(found) == {"eco": "C60", "name": found.name, "ply": 5}
    assert "Ruy Lopez" in found.name


@pytest.mark.parametrize("variant", ["chess960", "antichess", "atomic", "horde", "racingKings", "fromPosition"])
def test_other_variants_have_none(variant: str) -> None:
    assert find_opening(variant, "startpos", RUY_LOPEZ) is None


def test_a_given_position_has_none() -> None:
    assert find_opening("standard", chess.STARTING_FEN, RUY_LOPEZ) is None
    assert find_opening("standard", "startpos", ()) is None


def test_a_drop_ends_the_opening() -> None:
    found = find_opening("crazyhouse", "startpos", ["e2e4", "d7d5", "e4d5", "d8d5", "P@e4"])
    assert found is not None
    assert found.eco == "B01"
