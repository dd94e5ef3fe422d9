"""Making and unmaking: every byte comes back, every key is the one computed from scratch."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given

from engine88.board.record import BOARD, STACK_LENGTH, Board, compute_keys, copy_board
from engine88.rules.make_move import make_move, make_null, play, take_back, unmake_move, unmake_null
from tests.engine88.games import choices, starts, tried, walk


def living_bytes(board: Board) -> bytes:
    """All bytes of a record but the entries of the undo stack above its top, which mean nothing."""
    copy: Any = copy_board(board)
    for name in BOARD.names or ():
        if BOARD[name].shape[:1] == (STACK_LENGTH,):
            copy[name][int(board.stack_size) :] = 0
    return bytes(copy.tobytes())


@tried(40)
@given(starts(), choices)
def test_unmake_restores_every_byte(start: Any, numbers: list[int]) -> None:
    for position, _ in walk(start, numbers):
        before = living_bytes(position.board)
        for move in position.legal_codes():
            make_move(position.board, move)
            unmake_move(position.board)
            assert living_bytes(position.board) == before
            play(position.board, move)
            take_back(position.board)
            assert living_bytes(position.board) == before


@tried(60)
@given(starts(), choices)
def test_keys_equal_keys_from_scratch(start: Any, numbers: list[int]) -> None:
    for position, _ in walk(start, numbers):
        fresh = copy_board(position.board)
        compute_keys(fresh)
        assert fresh.key == position.board.key
        assert fresh.pawn_key == position.board.pawn_key
        assert list(fresh.non_pawn_key) == list(position.board.non_pawn_key)


@tried(40)
@given(starts(), choices)
def test_lists_counts_and_back_pointers_tell_what_the_squares_tell(start: Any, numbers: list[int]) -> None:
    for position, _ in walk(start, numbers):
        board = position.board
        listed = {
            int(board.pieces[color, place]): place
            for color in range(2)
            for place in range(int(board.list_sizes[color]))
        }
        standing = {square for square in range(128) if not square & 0x88 and board.squares[square]}
        assert set(listed) == standing
        assert all(int(board.squares[square + 8]) == place for square, place in listed.items())
        codes = np.bincount([int(board.squares[square]) for square in standing], minlength=16)
        assert list(codes) == [int(count) for count in board.counts]
        assert all(int(board.squares[int(board.pieces[color, 0])]) == color << 3 | 6 for color in range(2))


@tried(25)
@given(starts(), choices)
def test_a_pass_changes_side_and_key_and_comes_back(start: Any, numbers: list[int]) -> None:
    for position, _board in walk(start, numbers):
        if position.is_check():
            continue
        before = living_bytes(position.board)
        make_null(position.board)
        assert living_bytes(position.board) != before
        fresh = copy_board(position.board)
        compute_keys(fresh)
        assert fresh.key == position.board.key
        unmake_null(position.board)
        assert living_bytes(position.board) == before
