"""Legal moves against python-chess; is_legal against generation, for every number a packed move can be."""

from __future__ import annotations

import random
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray

from engine88.board.move_list import new_move_list
from engine88.board.moves import MOVE_BITS, is_tactical
from engine88.board.record import Board
from engine88.rules.checks import gives_check
from engine88.rules.legality import is_legal
from engine88.rules.movegen import generate_captures, generate_quiets, is_legal_generated
from engine88.rules.position import Position
from tests.engine88.games import PLAIN_PYTHON, TRAPS, choices, starts, tried, walk


@tried(120)
@given(starts(), choices)
def test_legal_moves_and_fen_equal_python_chess(start: Any, numbers: list[int]) -> None:
    for position, board in walk(start, numbers):
        assert sorted(position.legal_moves()) == sorted(move.uci() for move in board.legal_moves)
        assert position.fen() == board.fen(en_passant="legal")
        assert position.is_check() == board.is_check()


@tried(30)
@given(starts(), choices)
def test_gives_check_equals_python_chess(start: Any, numbers: list[int]) -> None:
    for position, board in walk(start, numbers):
        for code in position.legal_codes():
            move = board.parse_uci(position.move_name(code))
            assert bool(gives_check(position.board, code)) == board.gives_check(move)


@tried(30)
@given(starts(), choices)
def test_stages_give_each_legal_move_once_and_in_its_stage(start: Any, numbers: list[int]) -> None:
    for position, _ in walk(start, numbers):
        if position.is_check():
            continue
        lists = new_move_list()
        middle = generate_captures(position.board, lists, 0)
        end = generate_quiets(position.board, lists, middle)
        codes = [int(move) for move in lists.moves[:end]]
        assert all(is_tactical(code) for code in codes[:middle])
        assert not any(is_tactical(code) for code in codes[middle:])
        legal = [code for code in codes if is_legal_generated(position.board, code)]
        assert sorted(legal) == sorted(position.legal_codes())


njit: Any = numba.njit


@njit  # type: ignore[untyped-decorator]  # numba's stub wants one plain type
def accepted_codes(board: Board, first: int, last: int, step: int, found: NDArray[np.int64]) -> int:
    """All numbers from `first` below `last` that is_legal accepts."""
    count = 0
    for code in range(first, last, step):
        if is_legal(board, code) and count < len(found):
            found[count] = code
            count += 1
    return count


@pytest.mark.parametrize("fen", [*TRAPS, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "rk2r3/8/8/8/8/8/8/RK2R3 w KQkq - 0 1"])
def test_is_legal_accepts_the_legal_moves_and_no_other_number(fen: str) -> None:
    generator = random.Random(fen)
    position = Position.from_fen(fen)
    for _ in range(6):
        found = np.zeros(1024, np.int64)
        if PLAIN_PYTHON:
            accepted = [code for code in _sample(generator, position) if is_legal(position.board, code)]
            assert set(accepted) == set(position.legal_codes())
        else:
            count = accepted_codes(position.board, -1000, (1 << MOVE_BITS) + 1000, 1, found)
            assert sorted(found[:count]) == sorted(position.legal_codes())
        moves = position.legal_moves()
        if not moves:
            return
        position = position.push(generator.choice(moves))


def _sample(generator: random.Random, position: Position) -> list[int]:
    """The legal codes, each with single bits flipped, and random numbers."""
    codes = position.legal_codes()
    near = [code ^ (1 << bit) for code in codes for bit in range(MOVE_BITS + 2)]
    return [*codes, *near, *(generator.randrange(-(2**31), 2**31) for _ in range(500))]


def test_is_legal_refuses_numbers_beyond_the_packed_bits() -> None:
    position = Position.start()
    for code in position.legal_codes():
        for bit in range(MOVE_BITS, 31):
            assert not is_legal(position.board, code | 1 << bit)
        assert not is_legal(position.board, -code)
