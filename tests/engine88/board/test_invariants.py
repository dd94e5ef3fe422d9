"""The debug assertions: they pass on sound boards, name what is broken, and cost nothing when they are off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine88.board.invariants import assert_keys, assert_lists
from engine88.compiler.cache_folder import DEBUG, folder_name
from engine88.rules.position import Position
from tests.engine88.fresh_process import ROOT, run_python

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ALL_KINDS_OF_MOVES = "r3k3/1P6/8/3pP3/8/8/6p1/4K2R w Kq d6 0 1"  # few pieces: castling, en passant, promotions
# The Python form of a kernel: what is tested is the text of the checks, compiled or not.
check_lists: Callable[[Any], None] = getattr(assert_lists, "py_func", assert_lists)
check_keys: Callable[[Any], None] = getattr(assert_keys, "py_func", assert_keys)

PERFT_AND_SEARCH = f"""
from engine88 import Engine, Limits, Position
from engine88.compiler.cache_folder import DEBUG, folder_name
position = Position.from_fen({ALL_KINDS_OF_MOVES!r})
with Engine() as engine:
    print(DEBUG, folder_name("engine88.rules.make_move").endswith("-debug"), position.perft(2))
    print(engine.search(position, Limits(depth=2)).best_move in position.legal_moves())
"""


def test_a_sound_board_passes() -> None:
    for position in (Position.start(), Position.from_fen(KIWIPETE).push("e1g1").push("h3g2")):
        check_lists(position.board)
        check_keys(position.board)


@pytest.mark.parametrize(
    ("field", "index", "problem"),
    [
        ("squares", 0x14, "not in its list"),
        ("pieces", (0, 0), "the king is not entry 0"),
        ("pieces", (1, 3), "empty square"),
        ("counts", 1, "the counts"),
    ],
)
def test_a_broken_list_is_named(field: str, index: Any, problem: str) -> None:
    board = Position.start().board
    getattr(board, field)[index] = {"squares": 0, "counts": 9}.get(field, 0x44)
    with pytest.raises(AssertionError, match=problem):
        check_lists(board)


def test_a_piece_of_the_other_side_and_a_wrong_back_pointer_are_named() -> None:
    board = Position.start().board
    board.squares[0x14 + 8] += 1
    with pytest.raises(AssertionError, match="back-pointer"):
        check_lists(board)
    board = Position.start().board
    board.squares[0x14] = 9
    with pytest.raises(AssertionError, match="other side"):
        check_lists(board)


@pytest.mark.parametrize(
    ("field", "problem"), [("key", "the key"), ("pawn_key", "the pawn key"), ("non_pawn_key", "of the pieces")]
)
def test_a_wrong_key_is_named(field: str, problem: str) -> None:
    board = Position.start().board
    board[field] ^= 1
    with pytest.raises(AssertionError, match=problem):
        check_keys(board)


def test_ordinary_kernels_are_compiled_without_assertions() -> None:
    assert folder_name("engine88.rules.make_move").endswith("-debug") == DEBUG


def test_perft_and_a_short_search_hold_the_invariants() -> None:
    """In plain Python, where switching the assertions on compiles nothing; `.ci/full` runs them compiled."""
    done = run_python(PERFT_AND_SEARCH, ROOT, ENGINE88_DEBUG="1", NUMBA_DISABLE_JIT="1")
    assert done.stdout.split() == ["True", "True", str(Position.from_fen(ALL_KINDS_OF_MOVES).perft(2)), "True"]
