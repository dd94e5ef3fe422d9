"""Squares attacked by lesser pieces, compared with python-chess, and what they are worth to a quiet move."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given

from engine88.board.record import copy_board
from engine88.compiler.jit import int64
from engine88.rules.position import Position
from engine88.search.params import ORDER_MINOR_THREAT, ORDER_QUEEN_THREAT, ORDER_ROOK_THREAT
from engine88.search.threats import lesser_attacks, set_threats, threat_score
from tests.engine88.games import TRAPS, choices, starts, tried, walk
from tests.engine88.searching import KIWIPETE, MIDDLEGAME, Records


def expected(board: chess.Board) -> tuple[int, int, int]:
    sets = []
    for kinds in ((chess.PAWN,), (chess.KNIGHT, chess.BISHOP), (chess.ROOK,)):
        squares = chess.SquareSet()
        for kind in kinds:
            for square in board.pieces(kind, not board.turn):
                squares |= board.attacks(square)
        sets.append(int(squares))
    pawns, minors, rooks = sets
    return pawns, pawns | minors, pawns | minors | rooks


def found(position: Position) -> tuple[int, ...]:
    return tuple(int(one) for one in lesser_attacks(copy_board(position.board)))


@pytest.mark.parametrize("fen", [*TRAPS, KIWIPETE, MIDDLEGAME])
def test_the_squares_are_those_of_python_chess(fen: str) -> None:
    assert found(Position.from_fen(fen)) == expected(chess.Board(fen, chess960=True))


@tried(60)
@given(start=starts(), path=choices)
def test_the_squares_are_those_of_python_chess_in_random_games(
    start: tuple[Position, chess.Board], path: list[int]
) -> None:
    for position, board in walk(start, path):
        assert found(position) == expected(board)


@pytest.mark.parametrize(
    ("fen", "move", "score"),
    [
        ("4k3/8/8/2p5/3Q4/8/8/4K3 w - - 0 1", "d4d1", ORDER_QUEEN_THREAT),  # leaves the pawn's attack
        ("4k3/8/8/2p5/8/8/8/3QK3 w - - 0 1", "d1d4", -ORDER_QUEEN_THREAT),  # enters it
        ("r3k3/8/8/8/8/8/8/3QK3 w - - 0 1", "d1a1", -ORDER_QUEEN_THREAT),  # an attack by a rook
        ("4k3/8/8/2b5/3R4/8/8/4K3 w - - 0 1", "d4d1", ORDER_ROOK_THREAT),
        ("r3k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1b1", 0),  # a rook is no lesser piece than a rook
        ("4k3/8/8/2p5/3N4/8/8/4K3 w - - 0 1", "d4b3", ORDER_MINOR_THREAT),
        ("4k3/8/8/2p5/8/1N6/8/4K3 w - - 0 1", "b3d4", 0),  # left to its history
        ("4k3/8/8/2p5/8/3P4/8/4K3 w - - 0 1", "d3d4", 0),
    ],
)
def test_leaving_an_attack_comes_early_and_entering_one_late(fen: str, move: str, score: int) -> None:
    position = Position.from_fen(fen)
    records = Records(fen)
    set_threats(records.board, records.state)
    assert threat_score(records.board, records.state, int64(position.parse_move(move))) == score
