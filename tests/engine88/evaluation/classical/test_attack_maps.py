"""The attack map and the field against python-chess, on every square of random games."""

from __future__ import annotations

from typing import Any

import chess
from hypothesis import given, settings

from engine88.board.defs import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from engine88.evaluation.classical.attack_maps import at
from engine88.evaluation.classical.evaluation_state import (
    BY_ANY,
    BY_BISHOP,
    BY_KING,
    BY_KNIGHT,
    BY_PAWN,
    BY_QUEEN,
    BY_ROOK,
    ROOM,
    STOP,
    new_evaluation_state,
)
from engine88.evaluation.evaluate import evaluate
from tests.engine88.games import choices, starts, walk

BITS = {PAWN: BY_PAWN, KNIGHT: BY_KNIGHT, BISHOP: BY_BISHOP, ROOK: BY_ROOK, QUEEN: BY_QUEEN, KING: BY_KING}


def index(color: int, square: int) -> int:
    """Index of a python-chess square in a map."""
    return int(at(color, (square >> 3) * 16 + (square & 7)))


@settings(max_examples=25, deadline=None)
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
                assert int(evaluation.attacks[index(color, square)]) & BY_ANY == expected


@settings(max_examples=25, deadline=None)
@given(starts(), choices)
def test_field_tells_room_and_stops(start: Any, numbers: list[int]) -> None:
    evaluation = new_evaluation_state()
    for position, board in walk(start, numbers):
        evaluate(position.board, evaluation)
        if not (board.occupied_co[0] & ~board.kings and board.occupied_co[1] & ~board.kings):
            continue
        for color in (0, 1):
            for square in chess.SQUARES:
                pawns = board.attackers(color == 1, square) & board.pawns
                own = board.color_at(square) == (color == 0)
                room = ROOM if not pawns and not own else 0
                stop = STOP if board.piece_at(square) else 0
                assert int(evaluation.field[index(color, square)]) == room | stop


def test_the_rim_stops_every_walk() -> None:
    evaluation = new_evaluation_state()
    for color in (0, 1):
        for square in [*range(-40, 0), *range(128, 160)]:
            assert evaluation.field[int(at(color, square))] == STOP
