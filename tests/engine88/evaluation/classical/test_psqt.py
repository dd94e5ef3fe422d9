"""Placement: one table for both colours, mirrored by ranks and by files."""

from __future__ import annotations

import pytest

from engine88.board.defs import BISHOP, BLACK, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE
from engine88.board.squares import SQUARES
from engine88.evaluation.classical.psqt import PIECE_SQUARE, psqt_term
from engine88.evaluation.classical.terms import PACKED
from engine88.evaluation.classical.weights import TAPERED

TYPES = {PAWN: "pawn", KNIGHT: "knight", BISHOP: "bishop", ROOK: "rook", QUEEN: "queen", KING: "king"}


@pytest.mark.parametrize("piece_type", TYPES)
def test_both_colours_share_one_table(piece_type: int) -> None:
    for square in SQUARES:
        white = PIECE_SQUARE[piece_type << 7 | square]
        black = PIECE_SQUARE[(8 + piece_type) << 7 | square ^ 0x70]
        assert white == black == PIECE_SQUARE[piece_type << 7 | square ^ 7]


@pytest.mark.parametrize("piece_type", TYPES)
def test_terms_point_at_the_weights_by_name(piece_type: int) -> None:
    middlegames, endgames = TAPERED[f"psqt_{TYPES[piece_type]}"]
    for color, square, place in ((WHITE, 0x00, 0), (WHITE, 0x13, 7), (BLACK, 0x00, 28), (BLACK, 0x67, 4)):
        packed = int(PACKED[psqt_term(piece_type, color, square)])
        assert packed == middlegames[place] + (endgames[place] << 32)


def test_material_is_part_of_the_placement_of_all_but_kings() -> None:
    material = TAPERED["material"][0]
    for piece_type in (PAWN, KNIGHT, BISHOP, ROOK, QUEEN):
        placement = PACKED[psqt_term(piece_type, WHITE, 0x33)]
        half = (int(PIECE_SQUARE[piece_type << 7 | 0x33] - placement)) & 0xFFFFFFFF
        assert half == material[piece_type - PAWN]
    assert PIECE_SQUARE[KING << 7 | 0x33] == PACKED[psqt_term(KING, WHITE, 0x33)]
