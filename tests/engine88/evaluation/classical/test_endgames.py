"""Mates against a bare king drive it the right way; drawish material counts for little."""

from __future__ import annotations

import pytest

from engine88.evaluation.evaluate import evaluate
from engine88.evaluation.evaluation_state import new_evaluation_state
from engine88.rules.fen import read_fen

WON = 4000
DRAWISH = 80


def judge(fen: str) -> int:
    """Judgement by a fresh record, for the side to move."""
    return int(evaluate(read_fen(fen), new_evaluation_state()))


@pytest.mark.parametrize("pieces", ["Q", "R", "BB", "BN", "RP", "QN"])
def test_forced_mates_are_known_wins(pieces: str) -> None:
    row = pieces + str(8 - len(pieces)) if len(pieces) < 8 else pieces
    assert judge(f"8/8/8/4k3/8/{row}/8/4K3 w - - 0 1") > WON
    assert judge(f"8/8/8/4k3/8/{row}/8/4K3 b - - 0 1") < -WON


@pytest.mark.parametrize("pieces", ["", "N", "B", "NN", "BB_same"])
def test_pieces_that_cannot_mate_draw(pieces: str) -> None:
    row = {"": "8", "BB_same": "1B1B4"}.get(pieces, pieces + str(8 - len(pieces)))
    assert judge(f"8/8/8/4k3/8/{row}/8/4K3 w - - 0 1") == 0


def test_a_king_is_driven_from_the_centre_to_a_corner() -> None:
    scores = [judge(f"{row}/8/8/3K4/8/8/8/7R b - - 0 1") for row in ("k7", "1k6", "2k5", "3k4")]
    assert scores == sorted(scores)
    assert judge("8/8/8/3k4/8/3K4/8/7R w - - 0 1") < judge("8/8/8/k7/8/K7/8/7R w - - 0 1")


def test_bishop_and_knight_drive_to_the_bishops_corner() -> None:
    light_bishop_light_corner = judge("k7/8/2K5/8/8/8/8/4NB2 w - - 0 1")
    light_bishop_dark_corner = judge("7k/8/5K2/8/8/8/8/4NB2 w - - 0 1")
    assert light_bishop_light_corner > light_bishop_dark_corner


@pytest.mark.parametrize(
    "fen",
    [
        "k7/8/8/8/8/P7/8/2B1K3 w - - 0 1",  # the bishop does not hold a8
        "7k/8/8/8/7P/8/7P/4K3 w - - 0 1",  # rook pawns without a bishop
        "4k3/8/8/8/8/8/3r4/R3KN2 w - - 0 1",  # rook and knight against rook
        "4k3/8/8/8/8/2n5/8/R3K3 w - - 0 1",
        "4k3/4n3/8/8/8/8/8/3NKB2 w - - 0 1",
    ],
)
def test_drawish_material_counts_for_little(fen: str) -> None:
    as_white, as_black = judge(fen), judge(fen.replace(" w ", " b "))
    assert abs(as_white) < DRAWISH
    assert abs(as_black) < DRAWISH


def test_the_right_bishop_wins_with_a_rook_pawn() -> None:
    right, wrong = judge("k7/8/8/8/8/P7/8/3BK3 w - - 0 1"), judge("k7/8/8/8/8/P7/8/2B1K3 w - - 0 1")
    assert right > wrong + 100


def test_opposite_bishops_halve_an_extra_pawn() -> None:
    same = judge("4k3/1p3pp1/3b4/8/8/3B4/PP3PP1/4K3 w - - 0 1".replace("3b4", "4b3"))
    opposite = judge("4k3/1p3pp1/3b4/8/8/3B4/PP3PP1/4K3 w - - 0 1")
    assert 0 < opposite < same
