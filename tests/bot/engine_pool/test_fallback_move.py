"""The last resort without an engine."""

from __future__ import annotations

import chess
import chess.variant
import pytest

from bot.engine_pool.fallback_move import MATE, _gain, fallback_move


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


@pytest.mark.parametrize(
    ("fen", "uci", "pawns"),
    [
        pytest.param("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a4", 0, id="a quiet move"),
        pytest.param("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8", MATE, id="mate"),
        pytest.param("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "e4d5", 9, id="a queen for nothing"),
        pytest.param("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 8, id="a pawn becomes a queen"),
        pytest.param("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", 2, id="a pawn becomes a knight"),
        pytest.param("1r6/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 13, id="it takes a rook besides"),
        pytest.param("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 1, id="en passant"),
        pytest.param("4k3/8/2p5/3p4/8/8/3Q4/4K3 w - - 0 1", "d2d5", 1 - 9, id="a defended pawn costs the queen"),
        pytest.param("4k3/8/2p5/3Q4/8/8/8/4K3 w - - 0 1", "e1e2", -9, id="a queen is left to be taken"),
        pytest.param("4k3/8/2p5/3R4/4P3/8/8/4K3 w - - 0 1", "e1e2", -(5 - 1), id="... a rook that is guarded"),
        pytest.param("r3k3/8/8/8/8/8/P7/R3K3 w - - 0 1", "e1e2", 0, id="a rook need not take a guarded pawn"),
        pytest.param("3k4/3r4/8/8/8/8/3B4/3K4 w - - 0 1", "d1e1", 0, id="... nor a guarded bishop"),
    ],
)  # fmt: skip
def test_a_move_is_worth_what_it_wins_less_the_best_reply(fen: str, uci: str, pawns: int) -> None:
    board = chess.Board(fen)
    assert _gain(board, board.parse_uci(uci)) == pawns


def test_castling_onto_the_own_rook_captures_nothing() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", chess960=True)
    assert _gain(board, board.parse_uci("e1f1")) == 0
