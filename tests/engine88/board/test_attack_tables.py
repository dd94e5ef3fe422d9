"""The difference tables against python-chess's attack sets, pair by pair of squares."""

from __future__ import annotations

import chess
import pytest

from engine88.board import attack_tables as tables
from engine88.board.squares import SQUARES, piece_letter, to_64

PAIRS = [(a, b) for a in SQUARES for b in SQUARES]


def attacks_on_empty_board(piece: int, from_square: int) -> chess.SquareSet:
    board = chess.Board(None)
    board.set_piece_at(to_64(from_square), chess.Piece.from_symbol(piece_letter(piece)))
    return board.attacks(to_64(from_square))


@pytest.mark.parametrize("piece", [*range(1, 7), *range(9, 15)])
def test_attack_mask_has_the_bit_of_a_piece_exactly_where_it_attacks(piece: int) -> None:
    bit = int(tables.PIECE_BIT[piece])
    for a in SQUARES:
        attacked = attacks_on_empty_board(piece, a)
        for b in SQUARES:
            assert bool(tables.ATTACK_MASK[tables.difference(a, b)] & bit) == (to_64(b) in attacked)


def test_a_difference_means_one_direction_and_distance() -> None:
    meaning: dict[int, tuple[int, int]] = {}
    for a, b in PAIRS:
        vector = ((b >> 4) - (a >> 4), (b & 7) - (a & 7))
        assert meaning.setdefault(tables.difference(a, b), vector) == vector
    assert len(meaning) == 15 * 15
    assert min(meaning) == 0
    assert max(meaning) == 238


def test_ray_step_walks_to_the_other_square() -> None:
    for a, b in PAIRS:
        step = int(tables.RAY_STEP[tables.difference(a, b)])
        ranks, files = (b >> 4) - (a >> 4), (b & 7) - (a & 7)
        on_a_line = a != b and (ranks == 0 or files == 0 or abs(ranks) == abs(files))
        assert (step != 0) == on_a_line
        if on_a_line:
            assert a + step * int(tables.DISTANCE[tables.difference(a, b)]) == b


def test_walk_step_adds_the_jumps_of_the_knight() -> None:
    for a, b in PAIRS:
        index = tables.difference(a, b)
        jump = tables.ATTACK_MASK[index] & tables.KNIGHT_BIT
        assert tables.WALK_STEP[index] == (b - a if jump else tables.RAY_STEP[index])


def test_distances() -> None:
    for a, b in PAIRS:
        index = tables.difference(a, b)
        assert tables.DISTANCE[index] == chess.square_distance(to_64(a), to_64(b))


def test_line_bit_is_the_piece_bit_of_sliders_alone() -> None:
    for piece in range(16):
        slider = piece & 7 in (3, 4, 5) and piece < 15
        assert tables.LINE_BIT[piece] == (tables.PIECE_BIT[piece] if slider else 0)
