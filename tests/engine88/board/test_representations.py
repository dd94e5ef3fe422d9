"""The other representations of docs/0x88.md count the same moves, and the signed board keeps a position whole."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine88 import Position
from engine88.board.representations import array_64, ray_bitboards, signed_0x88
from engine88.board.representations.counting import perft
from tests.engine88.games import PLAIN_PYTHON, compiled_only
from tests.helpers.examples import scaled

# Nodes at depths 2 and 4, from https://www.chessprogramming.org/Perft_Results.
# Castling, promotion, en passant and pins occur in all ways.
COUNTS = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": (400, 197_281),
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": (2039, 4_085_603),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (191, 43_238),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (264, 422_333),
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1": (264, 422_333),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": (1486, 2_103_487),
}


CELLS = compiled_only("cells of eight bits do not widen in plain Python")


@pytest.mark.parametrize(
    "module",
    [pytest.param(array_64, marks=CELLS), ray_bitboards, pytest.param(signed_0x88, marks=CELLS)],
    ids=lambda module: module.__name__.split(".")[-1],
)
def test_perft(module: ModuleType) -> None:
    """To depth 4, in plain Python to depth 2."""
    depth = 2 if PLAIN_PYTHON else 4
    with np.errstate(over="ignore"):  # a product of 64 bits may overflow
        for fen, nodes in COUNTS.items():
            counted = perft(module.from_fen(fen), depth, module.generate, module.make, module.may_stand)
            assert counted == nodes[depth // 4], fen


@settings(max_examples=scaled(20), deadline=None)
@given(st.integers(0, 10**9), st.integers(1, signed_0x88.MOST_MOVE_NUMBER - 100))
def test_a_position_comes_back_from_its_shadow_board(seed: int, move_number: int) -> None:
    rng = np.random.default_rng(seed)
    fen = Position.start().fen().replace(" 0 1", f" 0 {move_number}")
    position = Position.from_fen(fen)
    for _ in range(int(rng.integers(120))):
        moves = position.legal_codes()
        if not moves:
            break
        position = position.push(int(rng.choice(moves)))
        without_clock = " ".join([*position.fen().split()[:4], "0", position.fen().split()[5]])
        back = Position.from_shadow_board(position.to_shadow_board())
        assert back.fen() == without_clock
        assert (back.key, sorted(back.legal_moves())) == (position.key, sorted(position.legal_moves()))


def test_the_cells_of_the_shadow_half() -> None:
    board = Position.from_fen("r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 0 300").to_shadow_board()
    cells = {8: 2, 9: 44, 123: 116, 11: 4, 56: 1, 78: -1, 79: 0, 62: 0, 63: -1, 61: 16 * 2 + 3, 77: 0}
    assert {cell: int(board[cell]) for cell in cells} == cells
    assert (board.dtype, board.shape) == (np.dtype(np.int8), (128,))
    assert (board[0], board[116], board[16 * 3 + 3], board[16 * 3 + 4]) == (-4, 6, -1, 1)


def with_cell(cell: int, value: int) -> np.ndarray[tuple[int], np.dtype[np.int8]]:
    board = Position.start().to_shadow_board()
    board[cell] = value
    return board


@pytest.mark.parametrize(
    ("board", "problem"),
    [
        (np.zeros(64, np.int8), "128 cells of int8"),
        (np.zeros(128, np.int64), "128 cells of int8"),
        (with_cell(50, 7), "7 is not a piece"),
        (with_cell(123, 17), "cell 123 holds 17"),
        (with_cell(11, -1), "cell 11 holds -1"),
        (with_cell(56, 0), "cell 56 holds 0"),
        (with_cell(61, 20), "en.passant"),
    ],
)
def test_what_is_no_board_is_refused(board: np.ndarray[tuple[int], np.dtype[np.int8]], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Position.from_shadow_board(board)


@pytest.mark.parametrize(
    ("fen", "chess960", "problem"),
    [("4k3/8/8/8/8/8/8/4K3 w - - 0 16384", False, "16384"), ("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", True, "Chess960")],
)
def test_what_the_signed_board_cannot_hold_is_refused(fen: str, chess960: bool, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Position.from_fen(fen, chess960=chess960).to_shadow_board()
