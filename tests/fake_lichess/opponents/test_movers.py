"""Opponents without an engine."""

from __future__ import annotations

import random

import chess

from bot.fake_lichess.opponents.base import pick_endless, pick_random

MATE_IN_ONE = "7k/6pp/8/8/8/8/8/KR6 w - - 0 1"


def test_an_endless_game_is_not_ended_by_mate() -> None:
    board = chess.Board(MATE_IN_ONE)
    picked = {pick_endless(board, random.Random(seed)).uci() for seed in range(200)}
    assert "b1b8" not in picked
    assert len(picked) == board.legal_moves.count() - 1
    assert "b1b8" in {pick_random(board, random.Random(seed)).uci() for seed in range(200)}


def test_nor_by_a_third_repetition() -> None:
    board = chess.Board()
    for uci in ["g1f3", "g8f6", "f3g1", "f6g8"] * 2:
        board.push_uci(uci)
    board.pop()  # f6g8 would be the third time
    assert all(pick_endless(board, random.Random(seed)).uci() != "f6g8" for seed in range(100))
    assert len(board.move_stack) == 7


def test_where_every_move_ends_it_one_is_played() -> None:
    bare = chess.Board("k7/8/K7/8/8/8/8/8 w - - 0 1")
    assert pick_endless(bare, random.Random(1)) in bare.legal_moves
