"""An independent float64 network in numpy, dense and by the textbook, and positions to try it on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine88.evaluation.network.network_file import QA
from engine88.training.game_file import game_bytes
from engine88.training.network_trainer.gradient import Label
from engine88.training.network_trainer.layers import Layers
from engine88.training.positions import Filter, Samples, load_data
from tests.engine88.training.random_games import random_game

Matrix = NDArray[np.float64]


def some_samples(folder: Path, games: int = 12) -> Samples:
    """Samples of random games."""
    path = folder / "some.games"
    path.write_bytes(b"".join(game_bytes(random_game(seed)) for seed in range(games)))
    return load_data([path], Filter(held_out_share=0)).training


def scaled(layers: Layers, factor: float) -> Layers:
    """New layers of the same types, each number of `layers` times `factor`."""
    return Layers(*((array * np.float64(factor)).astype(array.dtype) for array in layers))


def no_gradient(layers: Layers) -> Layers:
    """Zeros in the shapes of the layers, as gradients have them."""
    return Layers(*(np.zeros(array.shape, np.float32) for array in layers))


def inputs(samples: Samples) -> tuple[Matrix, Matrix]:
    """One-hot inputs [samples, 768] of both perspectives, without mirroring, read off the packed words."""
    own, other = np.zeros((2, len(samples), 768))
    for n, sample in enumerate(samples):
        words = int(sample["pieces_low"]) | int(sample["pieces_high"]) << 64
        for square in range(64):
            if int(sample["occupancy"]) >> square & 1:
                kind, theirs = words & 7, words >> 3 & 1
                own[n, 384 * theirs + 64 * kind + square] = 1
                other[n, 384 * (1 - theirs) + 64 * kind + (square ^ 56)] = 1
                words >>= 4
    return own, other


def buckets(samples: Samples) -> NDArray[np.int64]:
    """The output that judges each sample [samples], by the number of its pieces."""
    return np.array([(int(sample["occupancy"]).bit_count() - 1) // 4 for sample in samples])


def products(samples: Samples, layers: Layers) -> tuple[Matrix, Matrix]:
    """The accumulators [samples, side, half, width / 2], and the products of their halves [samples, width]."""
    weights, bias = layers.feature_weights.astype(np.float64), layers.feature_bias
    accumulators = np.stack([(one_hot @ weights + bias) / QA for one_hot in inputs(samples)], axis=1)
    halves = accumulators.reshape(len(samples), 2, 2, -1)
    return halves, np.clip(halves, 0, 1).prod(axis=2).reshape(len(samples), -1)


def hidden(samples: Samples, layers: Layers) -> Matrix:
    """The sums of the second layer [samples, HIDDEN]."""
    bucket = buckets(samples)
    sums: Matrix = np.einsum("nhw,nw->nh", layers.hidden_weights[bucket], products(samples, layers)[1])
    return sums + layers.hidden_bias[bucket]


def activated(sums: Matrix) -> Matrix:
    """The activations of all sums but the last [samples, NEURONS]."""
    return np.concatenate([np.clip(sums[:, :-1], 0, 1), np.minimum(sums[:, :-1] ** 2, 1)], axis=1)


def forward(samples: Samples, layers: Layers) -> Matrix:
    """Outputs [samples]."""
    bucket, sums = buckets(samples), hidden(samples, layers)
    weighted: Matrix = (activated(sums) * layers.output_weights[bucket]).sum(axis=1)
    return weighted + sums[:, -1] + layers.output_bias[bucket]


def expected(samples: Samples, layers: Layers, label: Label) -> Matrix:
    """Expected results [samples] by the network."""
    return 1 / (1 + np.exp(-forward(samples, layers) * 400 / label.scale_cp))


def target(samples: Samples, label: Label) -> Matrix:
    """Expected results [samples] by the labels."""
    mixed = []
    for score_cp, result in zip(samples["score_cp"].tolist(), samples["result"].tolist(), strict=True):
        score = 1 / (1 + np.exp(-score_cp / label.scale_cp))
        mixed.append(score if result == 3 else label.wdl * result / 2 + (1 - label.wdl) * score)
    return np.array(mixed)


def loss(samples: Samples, layers: Layers, label: Label, power: float) -> float:
    """Summed |error| ** power of expected results."""
    return float(np.sum(np.abs(expected(samples, layers, label) - target(samples, label)) ** power))
