"""The attack map and the field against python-chess, on every square of random games."""

from __future__ import annotations

from typing import Any

import chess
from hypothesis import given, settings

from engine88.board.defs import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from engine88.evaluation.classical.attack_maps import map_index
from engine88.evaluation.classical.evaluation_state import (
    BY_ANY,
    BY_BISHOP,
    BY_KING,
    BY_KNIGHT,
    BY_PAWN,
    BY_QUEEN,
    BY_ROOK,
    MOBILITY_SQUARE,
    RAY_END,
)
from engine88.evaluation.evaluate import evaluate
from engine88.evaluation.evaluation_state import new_evaluation_state
from tests.engine88.games import choices, examples, starts, walk

BITS = {PAWN: BY_PAWN, KNIGHT: BY_KNIGHT, BISHOP: BY_BISHOP, ROOK: BY_ROOK, QUEEN: BY_QUEEN, KING: BY_KING}


def index(color: int, square: int) -> int:
    """Index of a python-chess square in a map."""
    return int(map_index(color, (square >> 3) * 16 + (square & 7)))


@settings(max_examples=examples(25), deadline=None)
@given(starts(), choices)
def test_attack_bits_name_the_kinds_of_the_attackers(start: Any, numbers: list[int]) -> None:
    evaluation = new_evaluation_state()
    for position, board in walk(start, numbers):
        evaluate(position.board, evaluation)
        if not (board.occupied_co[0] & ~board.kings and board.occupied_co[1] & ~board.kings):
            continue  # a bare king: another rule judged
        for color in (0, 1):
            for square in chess.SQUARES:
                kinds = {board.piece_type_at(attacker) for attacker in board.attackers(color == 0, square)}
                expected = sum(int(BITS[kind]) for kind in kinds if kind)
                assert int(evaluation.classical.attacks[index(color, square)]) & BY_ANY == expected


@settings(max_examples=examples(25), deadline=None)
@given(starts(), choices)
def test_the_mobility_map_tells_mobility_squares_and_ray_ends(start: Any, numbers: list[int]) -> None:
    evaluation = new_evaluation_state()
    for position, board in walk(start, numbers):
        evaluate(position.board, evaluation)
        if not (board.occupied_co[0] & ~board.kings and board.occupied_co[1] & ~board.kings):
            continue
        for color in (0, 1):
            for square in chess.SQUARES:
                pawns = board.attackers(color == 1, square) & board.pawns
                own = board.color_at(square) == (color == 0)
                room = MOBILITY_SQUARE if not pawns and not own else 0
                stop = RAY_END if board.piece_at(square) else 0
                assert int(evaluation.classical.mobility_map[index(color, square)]) == room | stop


def test_the_margin_ends_every_ray() -> None:
    evaluation = new_evaluation_state()
    for color in (0, 1):
        for square in [*range(-40, 0), *range(128, 160)]:
            assert evaluation.classical.mobility_map[int(map_index(color, square))] == RAY_END
