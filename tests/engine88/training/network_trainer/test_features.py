"""The features of a sample: against the plain twin, and by hand for the convention that inference relies on."""

from __future__ import annotations

import chess
import numpy as np
import pytest

from engine88.training.network_trainer.features import active_features
from engine88.training.network_trainer.float_twin import feature_rows
from engine88.training.positions import read_board
from engine88.training.replay import SAMPLE_TYPE, write_sample
from tests.engine88.training.random_games import boards_of, random_game


def rows_of(fen: str, mirrored: bool) -> tuple[list[int], list[int]]:
    samples = np.zeros(1, SAMPLE_TYPE)
    write_sample(read_board(fen), int(fen.split()[1] == "b"), samples, 0)
    own, other = np.zeros((2, 32), np.int64)
    count = active_features(samples[0], mirrored, own, other)
    return own[:count].tolist(), other[:count].tolist()


def test_the_convention_by_hand() -> None:
    fen = "6k1/p7/8/8/8/8/8/K6R w - - 0 1"
    white = [5 * 64 + 0, 3 * 64 + 7, 384 + 0 * 64 + 48, 384 + 5 * 64 + 62]
    black = [384 + 5 * 64 + 56, 384 + 3 * 64 + 63, 0 * 64 + 8, 5 * 64 + 6]
    assert rows_of(fen, mirrored=False) == (white, black)
    mirrored_black = [384 + 5 * 64 + 63, 384 + 3 * 64 + 56, 0 * 64 + 15, 5 * 64 + 1]
    assert rows_of(fen, mirrored=True) == (white, mirrored_black)


@pytest.mark.parametrize("mirrored", [False, True])
def test_features_agree_with_the_twin(mirrored: bool) -> None:
    for seed in range(10):
        for board in boards_of(random_game(seed))[::3]:
            own, other = rows_of(board.fen(), mirrored)
            mine, black = read_board(board.fen()), board.turn == chess.BLACK
            assert sorted(own) == sorted(feature_rows(mine, black, mirrored))
            assert sorted(other) == sorted(feature_rows(mine, not black, mirrored))


def test_symmetry() -> None:
    for board in boards_of(random_game(1)):
        flipped = board.mirror().fen()
        assert sorted(rows_of(flipped, True)[0]) == sorted(rows_of(board.fen(), True)[0])
        turned = board.transform(chess.flip_horizontal).fen()
        assert sorted(rows_of(turned, True)[1]) == sorted(rows_of(board.fen(), True)[1])
        assert sorted(rows_of(turned, False)[0]) != sorted(rows_of(board.fen(), False)[0])


def test_thirty_two_pieces_have_thirty_two_features() -> None:
    own, other = rows_of(chess.STARTING_FEN, mirrored=True)
    assert len(set(own)) == len(set(other)) == 32
    assert sorted(own) == sorted(other)
