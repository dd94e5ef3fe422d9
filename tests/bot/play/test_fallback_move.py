"""The last resort without an engine."""

from __future__ import annotations

import chess
import chess.variant
import pytest

from bot.play.fallback_move import fallback_move


@pytest.mark.parametrize(
    ("fen", "uci"),
    [
        pytest.param("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8", id="mate"),
        pytest.param("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "e4d5", id="queen for nothing"),
        pytest.param("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", id="promotion"),
        pytest.param("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", id="en passant"),
    ],
)
def test_what_wins_most_is_played(fen: str, uci: str) -> None:
    move = fallback_move(chess.Board(fen))
    assert move is not None
    assert move.uci() == uci


def test_a_piece_under_attack_is_not_left_to_be_taken() -> None:
    move = fallback_move(chess.Board("4k3/8/2p5/3Q4/8/8/8/4K3 w - - 0 1"))
    assert move is not None
    assert move.from_square == chess.D5


def test_a_queen_does_not_take_a_defended_pawn() -> None:
    move = fallback_move(chess.Board("4k3/8/4p3/3p4/8/8/3Q4/4K3 w - - 0 1"))
    assert move != chess.Move.from_uci("d2d5")


@pytest.mark.parametrize(
    "variant", ["atomic", "antichess", "crazyhouse", "horde", "kingofthehill", "racingkings", "3check"]
)
def test_it_is_legal_in_every_variant_until_the_end(variant: str) -> None:
    board = chess.variant.find_variant(variant)()
    for _ in range(30):
        move = fallback_move(board)
        if move is None:
            break
        assert move in board.legal_moves
        board.push(move)
    assert board.ply() > 5


def test_without_a_legal_move_there_is_none() -> None:
    assert fallback_move(chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")) is None
