"""Short algebraic notation, against python-chess."""

from __future__ import annotations

import random

import chess
import pytest

from engine88.rules.position import Position
from engine88.training.match.san import san

FENS = (
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1",
    "8/3p3k/8/Q2Q4/8/8/3Q4/Q3K3 w - - 0 1",  # three of a kind on one square
    "6k1/5ppp/8/8/8/8/5PPP/R3R1K1 w - - 0 1",  # mate
)


@pytest.mark.parametrize("fen", FENS)
def test_every_move_of_some_games(fen: str) -> None:
    chooser = random.Random(fen)
    board, position = chess.Board(fen), Position.from_fen(fen)
    for _ in range(40):
        for move in board.legal_moves:
            assert san(position, move.uci()) == board.san(move)
        if board.is_game_over():
            break
        move = chooser.choice(list(board.legal_moves))
        board.push(move)
        position = position.push(move.uci())
