"""The tuned numbers stay what they are named after: lengths, signs and orders that no fit may turn round."""

from __future__ import annotations

import pytest

from engine88.evaluation.classical.weights import SAFETY, TAPERED

LENGTHS = {
    "material": 5, "mobility_knight": 9, "mobility_bishop": 14, "mobility_rook": 15, "mobility_queen": 28,
    "passed": 8, "pawn_phalanx": 8, "shelter": 32, "storm": 16, "threat_by_pawn": 5, "hanging": 5, "tempo": 1,
}  # fmt: skip


@pytest.mark.parametrize("name", LENGTHS)
def test_terms_have_a_value_for_every_case(name: str) -> None:
    assert [len(values) for values in TAPERED[name]] == [LENGTHS[name]] * 2


@pytest.mark.parametrize("piece", ["pawn", "knight", "bishop", "rook", "queen", "king"])
def test_piece_square_tables_cover_half_a_board(piece: str) -> None:
    assert [len(values) for values in TAPERED[f"psqt_{piece}"]] == [32, 32]


@pytest.mark.parametrize("phase", [0, 1])
def test_pieces_keep_their_order_of_value(phase: int) -> None:
    pawn, knight, bishop, rook, queen = TAPERED["material"][phase]
    assert 0 < pawn < knight < rook < queen
    assert pawn < bishop < rook


@pytest.mark.parametrize("name", ["knight", "bishop", "rook", "queen"])
def test_a_free_piece_is_better_than_a_shut_in_one(name: str) -> None:
    for values in TAPERED[f"mobility_{name}"]:
        assert max(values[len(values) // 2 :]) > values[0]


def test_a_passed_pawn_on_the_seventh_is_worth_most() -> None:
    for values in TAPERED["passed"]:
        assert values[6] == max(values)


def test_all_values_are_whole_numbers_within_reason() -> None:
    for name, halves in TAPERED.items():
        for values in halves:
            assert all(isinstance(value, int) and abs(value) < 1500 for value in values), name
    assert all(isinstance(unit, int) and abs(unit) < 500 for unit in SAFETY.values())
