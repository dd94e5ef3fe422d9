"""Moves of files of games as the engine's codes, against python-chess; positions.py's tests show what is written."""

from __future__ import annotations

import chess
import pytest

from engine88.rules.fen import read_fen
from engine88.rules.legality import is_legal
from engine88.training.game_file import pack_move
from engine88.training.replay import engine_move, packed_move
from tests.engine88.training.random_games import boards_of, random_game


@pytest.mark.parametrize("seed", range(10))
def test_legal_moves_are_translated_to_the_engine_and_back(seed: int) -> None:
    for board in boards_of(random_game(seed))[::5]:
        mine = read_fen(board.fen())
        for move in board.legal_moves:
            code = pack_move(move.uci())
            assert is_legal(mine, engine_move(mine, code)), (board.fen(), move)
            assert packed_move(engine_move(mine, code)) == code


def test_the_random_games_hold_every_kind_of_move() -> None:
    kinds = set()
    for seed in range(25):
        game = random_game(seed)
        for board, code in zip(boards_of(game), game.moves.tolist(), strict=True):
            move = next(move for move in board.legal_moves if move.from_square | move.to_square << 6 == code & 4095)
            kinds |= {name for name in ("is_castling", "is_en_passant", "is_capture") if getattr(board, name)(move)}
            kinds |= {code >> 12}
    assert kinds == {"is_castling", "is_en_passant", "is_capture", 0, 1, 2, 3, 4}


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("e4e5", "an empty square"),
        ("e7e5", "the opponent's piece"),
        ("a1a2", "onto its own piece"),
        ("d1e8", "takes the king"),
        ("b1c3q", "a knight promotes"),
        ("e2e5", "too far"),
    ],
)
def test_moves_that_cannot_be_played(move: str, why: str) -> None:
    board = read_fen(chess.STARTING_FEN)
    assert not is_legal(board, engine_move(board, pack_move(move))), why


def test_a_pawn_on_the_last_rank_must_promote() -> None:
    board = read_fen("7k/P7/8/8/8/8/8/K7 w - - 0 1")
    codes = [chess.A7 | chess.A8 << 6 | promotion << 12 for promotion in range(6)]
    assert [bool(is_legal(board, engine_move(board, code))) for code in codes] == [False, True, True, True, True, False]
