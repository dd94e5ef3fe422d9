"""Attacks, checkers and pins against python-chess."""

from __future__ import annotations

from typing import Any

from hypothesis import given

from engine88.board.attack_tables import RAY_STEP, difference
from engine88.board.attacks import checkers, is_attacked, pinned_step
from engine88.board.defs import NO_SQUARE
from engine88.board.squares import SQUARES, from_64, to_64
from engine88.rules.see import least_valuable_attacker
from tests.engine88.games import choices, starts, tried, walk
from tests.engine88.naive import attackers


@tried(30)
@given(starts(), choices)
def test_attacked_squares_and_least_valuable_attackers(start: Any, numbers: list[int]) -> None:
    for position, board in walk(start, numbers, every=4):
        for color in (0, 1):
            for square in SQUARES:
                expected = attackers(board, square, color)
                assert bool(is_attacked(position.board, square, color)) == bool(expected)
                found = int(least_valuable_attacker(position.board, square, color))
                assert (found in expected) if expected else (found == NO_SQUARE)
                types = [int(position.board.squares[origin]) & 7 for origin in expected]
                assert not types or int(position.board.squares[found]) & 7 == min(types)


@tried(60)
@given(starts(), choices)
def test_checkers(start: Any, numbers: list[int]) -> None:
    for position, board in walk(start, numbers):
        count, square = checkers(position.board)
        assert count == len(board.checkers())
        assert to_64(int(square)) in board.checkers() if count else square == NO_SQUARE


@tried(40)
@given(starts(), choices)
def test_pins_by_difference(start: Any, numbers: list[int]) -> None:
    for position, board in walk(start, numbers, every=2):
        for color in (0, 1):
            king = int(position.board.pieces[color, 0])
            for index in (index for index in range(64) if board.color_at(index) == (color == 0)):
                if from_64(index) == king:
                    continue
                step = int(pinned_step(position.board, from_64(index), color))
                assert (step != 0) == board.is_pinned(color == 0, index)
                assert step in (0, int(RAY_STEP[difference(king, from_64(index))]))
