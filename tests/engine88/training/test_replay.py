"""The trainer's own board against python-chess: every move, every check, every quiet move of random games."""

from __future__ import annotations

import chess
import numpy as np
import pytest

from engine88.training.positions import read_board
from engine88.training.replay import is_attacked, is_playable, is_quiet, king_square, make_move
from tests.engine88.training.random_games import boards_of, random_game


@pytest.mark.parametrize("seed", range(25))
def test_moves_checks_and_quiet_moves_agree(seed: int) -> None:
    game = random_game(seed)
    mine = read_board(game.fen)
    for board, code in zip(boards_of(game), game.moves.tolist(), strict=True):
        black = int(board.turn == chess.BLACK)
        move = next(move for move in board.legal_moves if move.from_square | move.to_square << 6 == code & 4095)
        assert mine.tolist() == read_board(board.fen()).tolist()
        assert is_attacked(mine, king_square(mine, black), 1 - black) == board.is_check()
        assert is_quiet(mine, code) == (not board.is_capture(move) and code >> 12 == 0)
        assert is_playable(mine, code, black)
        make_move(mine, code)


def test_attacks_on_every_square_agree() -> None:
    for seed in range(10):
        for board in boards_of(random_game(seed))[::7]:
            mine = read_board(board.fen())
            for square in range(64):
                for black in (0, 1):
                    assert is_attacked(mine, square, black) == board.is_attacked_by(not black, square)


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
    ],
)
def test_moves_that_cannot_be_played(move: str, why: str) -> None:
    squares = [chess.parse_square(move[at : at + 2]) for at in (0, 2)]
    code = squares[0] | squares[1] << 6 | (4 << 12 if len(move) == 5 else 0)
    assert not is_playable(read_board(chess.STARTING_FEN), code, 0), why


def test_a_pawn_on_the_last_rank_must_promote() -> None:
    board = read_board("7k/P7/8/8/8/8/8/K7 w - - 0 1")
    codes = [chess.A7 | chess.A8 << 6 | promotion << 12 for promotion in range(6)]
    assert [is_playable(board, code, 0) for code in codes] == [False, True, True, True, True, False]
    assert king_square(np.zeros(64, np.uint8), 0) == -1
