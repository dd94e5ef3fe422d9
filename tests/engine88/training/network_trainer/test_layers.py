"""Features, layers and the evaluation in floats."""

from __future__ import annotations

from pathlib import Path

import chess
import numpy as np
import pytest

from engine88.evaluation.network.layout import king_views
from engine88.evaluation.network.network_file import OUTPUT_BUCKETS, Network, NetworkMeta
from engine88.rules.fen import read_fen
from engine88.training.network_trainer.layers import (
    MAX_WEIGHT,
    Layers,
    active_features,
    dequantise,
    enlarged,
    quantise,
    random_layers,
)
from engine88.training.network_trainer.trainer import network_outputs
from engine88.training.replay import SAMPLE_TYPE, write_sample
from tests.engine88.evaluation.network.made_networks import feature_rows, score_of
from tests.engine88.training.random_games import boards_of, random_game
from tests.engine88.training.twin import scaled, some_samples


def rows_of(fen: str, mirrored: bool, king_buckets: int = 1) -> tuple[list[int], list[int]]:
    samples = np.zeros(1, SAMPLE_TYPE)
    write_sample(read_fen(fen), samples, 0)
    own, other = np.zeros((2, 32), np.int64)
    count = active_features(samples[0], king_views(mirrored, king_buckets), own, other)
    return own[:count].tolist(), other[:count].tolist()


def test_the_convention_by_hand() -> None:
    fen = "6k1/p7/8/8/8/8/8/K6R w - - 0 1"
    white = [5 * 64 + 0, 3 * 64 + 7, 384 + 0 * 64 + 48, 384 + 5 * 64 + 62]
    black = [384 + 5 * 64 + 56, 384 + 3 * 64 + 63, 0 * 64 + 8, 5 * 64 + 6]
    assert rows_of(fen, mirrored=False) == (white, black)
    mirrored_black = [384 + 5 * 64 + 63, 384 + 3 * 64 + 56, 0 * 64 + 15, 5 * 64 + 1]
    assert rows_of(fen, mirrored=True) == (white, mirrored_black)


@pytest.mark.parametrize("king_buckets", [1, 4, 8])
@pytest.mark.parametrize("mirrored", [False, True])
def test_features_agree_with_the_twin(mirrored: bool, king_buckets: int) -> None:
    for seed in range(10):
        for board in boards_of(random_game(seed))[::3]:
            own, other = rows_of(board.fen(), mirrored, king_buckets)
            assert sorted(own) == sorted(feature_rows(board, board.turn, mirrored, king_buckets))
            assert sorted(other) == sorted(feature_rows(board, not board.turn, mirrored, king_buckets))


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


META = NetworkMeta("test", 16, True)


def test_the_largest_weights_fit() -> None:
    ones = Layers(*(np.ones_like(array) for array in random_layers(16, np.random.default_rng(1))))
    network = quantise(scaled(ones, MAX_WEIGHT), META)
    assert network.output_weights.max() == 127
    assert network.feature_weights.max() == 505
    assert network.output_bias.tolist() == [round(np.float32(1.98) * 255 * 64)] * OUTPUT_BUCKETS
    assert quantise(scaled(ones, -3), META).output_weights.min() == -127
    assert np.iinfo(np.int16).max > 32 * 505 + 505


@pytest.mark.slow
def test_rounding_changes_little(tmp_path: Path) -> None:
    samples = some_samples(tmp_path)
    layers = scaled(random_layers(16, np.random.default_rng(1)), 3)
    views = king_views(mirrored=True, king_buckets=1)
    before = network_outputs(samples, layers, views)
    after = network_outputs(samples, dequantise(quantise(layers, META)), views)
    assert np.abs(before).max() > 0.3
    assert 0 < np.abs(before - after).max() < 0.1


@pytest.mark.parametrize(("given", "king_buckets"), [(1, 1), (1, 4), (1, 8), (4, 8)])
def test_larger_layers_know_what_the_smaller_knew(tmp_path: Path, given: int, king_buckets: int) -> None:
    samples, generator = some_samples(tmp_path), np.random.default_rng(1)
    layers = random_layers(16, generator, given)
    layers.output_bias[:] = 0.25
    larger = enlarged(layers, 24, king_buckets, generator)
    assert larger.feature_weights.shape == (king_buckets * 768, 24)
    assert larger.feature_weights[:, 16:].std() > 0
    known = network_outputs(samples, layers, king_views(True, given))
    now = network_outputs(samples, larger, king_views(True, king_buckets))
    np.testing.assert_allclose(now, known, atol=1e-5)


def random_network(mirrored: bool = True, king_buckets: int = 1) -> Network:
    layers = scaled(random_layers(16, np.random.default_rng(3), king_buckets), 3)
    layers.output_weights[:] *= np.linspace(-1, 1, OUTPUT_BUCKETS)[:, None, None]
    layers.output_bias[:] = np.linspace(-0.25, 0.25, OUTPUT_BUCKETS)
    layers.feature_weights[:] *= np.linspace(1, 2, len(layers.feature_weights))[:, None]  # no two buckets alike
    return quantise(layers, NetworkMeta("random", 16, mirrored, king_buckets=king_buckets))


def test_by_hand() -> None:
    weights = np.zeros((768, 2), np.int16)
    weights[3 * 64 + 7] = [100, 400]  # own rook on h1
    weights[384 + 3 * 64 + 63] = [-30, 50]  # the same rook for the opponent
    bias, outputs = np.array([10, 20], np.int16), np.zeros((OUTPUT_BUCKETS, 2, 2), np.int16)
    outputs[0] = [[64, 127], [-20, 5]]
    output_bias = np.arange(1000, 1000 + OUTPUT_BUCKETS, dtype=np.int32)
    network = Network(weights, bias, outputs, output_bias, NetworkMeta("hand", 2, False))
    total = (110**2 * 64 + 255**2 * 127 + 0 + 70**2 * 5) / 255 + 1000
    assert score_of(network, chess.Board("4k3/8/8/8/8/8/8/K6R w - - 0 1")) == pytest.approx(total * 400 / (255 * 64))


@pytest.mark.parametrize("king_buckets", [1, 4, 8])
@pytest.mark.parametrize("mirrored", [False, True])
def test_the_twin_agrees_with_the_trainer(mirrored: bool, king_buckets: int) -> None:
    network = random_network(mirrored, king_buckets)
    boards = [board for seed in range(10) for board in boards_of(random_game(seed))[::3]]
    samples = np.zeros(len(boards), SAMPLE_TYPE)
    for index, board in enumerate(boards):
        write_sample(read_fen(board.fen()), samples, index)
    trainer = network_outputs(samples, dequantise(network), king_views(mirrored, king_buckets)) * 400
    twin = [score_of(network, board) for board in boards]
    assert np.std(twin) > 20
    np.testing.assert_allclose(twin, trainer, atol=0.05)


def test_symmetries() -> None:
    network = random_network()
    for board in boards_of(random_game(1))[::5]:
        score = score_of(network, board)
        assert score_of(network, board.mirror()) == pytest.approx(score)
        assert score_of(network, board.transform(chess.flip_horizontal)) == pytest.approx(score)
