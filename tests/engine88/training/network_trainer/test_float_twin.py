"""The slow evaluation: by hand on a tiny network, against the trainer's kernels, and its symmetries."""

from __future__ import annotations

import chess
import numpy as np
import pytest

from engine88.evaluation.network.network_file import Network, NetworkMeta
from engine88.training.network_trainer.float_twin import evaluate_fen
from engine88.training.network_trainer.layers import dequantise, layers_of, quantise, random_parameters
from engine88.training.network_trainer.trainer import network_outputs
from engine88.training.positions import read_board
from engine88.training.replay import SAMPLE_TYPE, write_sample
from tests.engine88.training.random_games import boards_of, random_game


def random_network(mirrored: bool = True) -> Network:
    vector = random_parameters(16, np.random.default_rng(3)) * np.float32(3)
    vector[-1] = 0.25
    return quantise(layers_of(vector, 16), NetworkMeta("random", 16, mirrored))


def test_by_hand() -> None:
    weights = np.zeros((768, 2), np.int16)
    weights[3 * 64 + 7] = [100, 400]  # own rook on h1
    weights[384 + 3 * 64 + 63] = [-30, 50]  # the same rook for the opponent
    bias, outputs = np.array([10, 20], np.int16), np.array([[64, 127], [-20, 5]], np.int16)
    network = Network(weights, bias, outputs, 1000, NetworkMeta("hand", 2, False))
    total = (110**2 * 64 + 255**2 * 127 + 0 + 70**2 * 5) / 255 + 1000
    assert evaluate_fen(network, "4k3/8/8/8/8/8/8/K6R w - - 0 1") == pytest.approx(total * 400 / (255 * 64))


@pytest.mark.parametrize("mirrored", [False, True])
def test_the_twin_agrees_with_the_trainer(mirrored: bool) -> None:
    network = random_network(mirrored)
    boards = [board for seed in range(10) for board in boards_of(random_game(seed))[::3]]
    samples = np.zeros(len(boards), SAMPLE_TYPE)
    for index, board in enumerate(boards):
        write_sample(read_board(board.fen()), int(board.turn == chess.BLACK), samples, index)
    trainer = network_outputs(samples, dequantise(network), mirrored) * 400
    twin = [evaluate_fen(network, board.fen()) for board in boards]
    assert np.std(twin) > 20
    np.testing.assert_allclose(twin, trainer, atol=0.05)


def test_symmetries() -> None:
    network = random_network()
    for board in boards_of(random_game(1))[::5]:
        score = evaluate_fen(network, board.fen())
        assert evaluate_fen(network, board.mirror().fen()) == pytest.approx(score)
        assert evaluate_fen(network, board.transform(chess.flip_horizontal).fen()) == pytest.approx(score)
