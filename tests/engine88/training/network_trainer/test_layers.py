"""Features, layers and the evaluation in floats."""

from __future__ import annotations

from pathlib import Path

import chess
import numpy as np
import pytest

from engine88.evaluation.network.layout import MAX_PIECES, king_views
from engine88.evaluation.network.network_file import (
    HIDDEN,
    MAX_HIDDEN_WEIGHT,
    MAX_OUTPUT_WEIGHT,
    ONE,
    OUTPUT_BUCKETS,
    QA,
    QO,
    Network,
    NetworkMeta,
)
from engine88.rules.fen import read_fen
from engine88.training.network_trainer.layers import (
    MAX_WEIGHT,
    Layers,
    active_features,
    dequantise,
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
    assert network.hidden_weights.max() == MAX_HIDDEN_WEIGHT
    assert network.output_weights.max() <= MAX_OUTPUT_WEIGHT
    assert network.output_bias.tolist() == [round(MAX_WEIGHT * ONE * QO)] * OUTPUT_BUCKETS
    assert quantise(scaled(ones, -3), META).hidden_weights.min() == -MAX_HIDDEN_WEIGHT
    assert quantise(scaled(ones, -3), META).output_weights.min() == -MAX_OUTPUT_WEIGHT
    most_feature_weight = round(MAX_WEIGHT * QA)
    assert np.iinfo(np.int16).max > MAX_PIECES * most_feature_weight + most_feature_weight


@pytest.mark.slow
def test_rounding_changes_little(tmp_path: Path) -> None:
    samples = some_samples(tmp_path)
    layers = random_layers(16, np.random.default_rng(1))
    layers.feature_weights[:] *= 3
    views = king_views(mirrored=True, king_buckets=1)
    before = network_outputs(samples, layers, views)
    after = network_outputs(samples, dequantise(quantise(layers, META)), views)
    assert np.abs(before).max() > 0.3
    assert 0 < np.abs(before - after).max() < 0.05


def random_network(mirrored: bool = True, king_buckets: int = 1) -> Network:
    layers = scaled(random_layers(16, np.random.default_rng(3), king_buckets), 6)
    layers.output_weights[:] *= np.linspace(-1, 1, OUTPUT_BUCKETS)[:, None]
    layers.output_bias[:] = np.linspace(-0.25, 0.25, OUTPUT_BUCKETS)
    growing = np.linspace(1, 2, len(layers.feature_weights))[:, None]  # no two buckets alike
    layers.feature_weights[:] = layers.feature_weights * growing
    return quantise(layers, NetworkMeta("random", 16, mirrored, king_buckets=king_buckets))


def test_by_hand() -> None:
    weights = np.zeros((768, 4), np.int16)
    weights[3 * 64 + 7] = [100, 400, 30, -90]  # own rook on h1
    weights[384 + 3 * 64 + 63] = [50, 250, 60, 0]  # the same rook for the opponent
    hidden = np.zeros((OUTPUT_BUCKETS, HIDDEN, 4), np.int16)
    hidden[0, :3] = [[64, 127, 20, 10], [-127, 0, 0, -64], [127, 127, 127, 127]]
    hidden[0, -1] = [10, 20, 30, 40]
    bias, outputs = np.zeros((OUTPUT_BUCKETS, HIDDEN), np.int32), np.zeros((OUTPUT_BUCKETS, 2 * (HIDDEN - 1)), np.int16)
    bias[0, :3] = [5, -100, 900]
    outputs[0, :3], outputs[0, HIDDEN - 1 : HIDDEN + 2] = [1000, 2000, 3000], [-500, 600, 700]
    network = Network(
        weights,
        np.array([10, 20, 15, 100], np.int16),
        hidden,
        bias,
        outputs,
        np.arange(10**6, 10**6 + OUTPUT_BUCKETS, dtype=np.int32),
        NetworkMeta("hand", 4, False),
    )
    own, other = (110 * 45 // 4, 255 * 10 // 4), (60 * 75 // 4, 255 * 100 // 4)
    products = (*own, *other)
    sums = [sum(x * int(y) for x, y in zip(products, row, strict=True)) // 1024 for row in hidden[0]]
    first, second, third = sums[0] + 5, sums[1] - 100, sums[2] + 900
    assert -1016 < second < 0 < first < 1016 < third
    total = 1000 * first + 3000 * 1016 - 500 * (first**2 // 1016) + 600 * (second**2 // 1016) + 700 * 1016
    total += sums[-1] * 4096 + 10**6
    assert score_of(network, chess.Board("4k3/8/8/8/8/8/8/K6R w - - 0 1")) == int(total * 400 / (1016 * 4096))


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
    np.testing.assert_allclose(twin, trainer, atol=4)  # of the roundings


def test_symmetries() -> None:
    network = random_network()
    for board in boards_of(random_game(1))[::5]:
        score = score_of(network, board)
        assert score_of(network, board.mirror()) == score
        assert score_of(network, board.transform(chess.flip_horizontal)) == score
