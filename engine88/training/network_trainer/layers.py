"""The network in floats: features and layers."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine88.evaluation.network.layout import BLACK_FLIP, MIRROR, feature_index, king_views
from engine88.evaluation.network.network_file import (
    FEATURES,
    MAX_OUTPUT_WEIGHT,
    OUTPUT_BUCKETS,
    QA,
    QB,
    Network,
    NetworkMeta,
)
from engine88.training.compiled import compiled, int64

MAX_PIECES: Final = 32

_BIT_MODULUS: Final = 67  # the 64 powers of two differ modulo 67
_BIT_SQUARE: Final = np.zeros(_BIT_MODULUS, np.uint8)
for _square in range(64):
    _BIT_SQUARE[(1 << _square) % _BIT_MODULUS] = _square


@compiled
def active_features(
    sample: np.void, views: NDArray[np.uint8], own_rows: NDArray[np.int64], other_rows: NDArray[np.int64]
) -> int:
    """Write the rows of the features of the side to move and of its opponent (int64 [32] each); returns their number.

    `views` are those of `layout.king_views`.
    """
    occupancy = sample["occupancy"]
    pieces = sample["pieces_low"]
    own_view = int64(views[int64(sample["own_king"])])
    other_view = int64(views[int64(sample["other_king"]) ^ BLACK_FLIP])
    own_set, other_set = (own_view >> 1) * FEATURES, (other_view >> 1) * FEATURES
    own_mirror, other_mirror = (own_view & 1) * MIRROR, (other_view & 1) * MIRROR
    count = 0
    while occupancy != 0 and count < MAX_PIECES:
        rest = occupancy & (occupancy - np.uint64(1))
        square = int64(_BIT_SQUARE[int64((occupancy ^ rest) % np.uint64(_BIT_MODULUS))])
        if count == 16:
            pieces = sample["pieces_high"]
        nibble = int64(pieces & np.uint64(15))
        pieces >>= np.uint64(4)
        kind, is_other = nibble & 7, nibble >> 3
        own_rows[count] = own_set + feature_index(is_other, kind, square ^ own_mirror)
        other_rows[count] = other_set + feature_index(1 - is_other, kind, square ^ BLACK_FLIP ^ other_mirror)
        occupancy = rest
        count += 1
    return count


MAX_WEIGHT: Final = 1.98
"""Bound of every parameter: times QB it stays within MAX_OUTPUT_WEIGHT."""


class Layers(NamedTuple):
    """The weights of a network while it learns; one unit of output is 400 centipawns.

    feature_weights [king buckets * 768, width], feature_bias [width], output_weights [output buckets, 2, width] (side
    to move first), output_bias [output buckets].
    """

    feature_weights: NDArray[np.float32]
    feature_bias: NDArray[np.float32]
    output_weights: NDArray[np.float32]
    output_bias: NDArray[np.float32]


def random_layers(width: int, generator: np.random.Generator, king_buckets: int = 1) -> Layers:
    """Layers to start from: normal weights of variance 2 / inputs (He et al. 2015), no biases, equal buckets."""
    weights = generator.normal(0, np.sqrt(2 / FEATURES), (FEATURES, width))
    outputs = generator.normal(0, np.sqrt(1 / width), (2, width))
    return Layers(
        np.tile(weights.astype(np.float32), (king_buckets, 1)),
        np.zeros(width, np.float32),
        np.tile(outputs.astype(np.float32), (OUTPUT_BUCKETS, 1, 1)),
        np.zeros(OUTPUT_BUCKETS, np.float32),
    )


def enlarged(layers: Layers, width: int, king_buckets: int, generator: np.random.Generator) -> Layers:
    """Return layers of more neurons and king buckets, and of the same outputs.

    New neurons are random, and nothing listens to them yet; new king buckets have the weights of the one that they are
    a part of. A larger network then learns on from what a smaller one knows (Chen et al. 2016, "Net2Net").
    """
    larger, old = random_layers(width, generator, king_buckets), layers.feature_bias.size
    given = layers.feature_weights.reshape(-1, FEATURES, old)
    _, a_square_of_each = np.unique(king_views(False, king_buckets), return_index=True)
    origins = king_views(False, len(given))[a_square_of_each] // 2
    larger.output_weights[:] = 0
    larger.feature_weights[:, :old] = given[origins].reshape(-1, old)
    larger.feature_bias[:old] = layers.feature_bias
    larger.output_weights[..., :old] = layers.output_weights
    larger.output_bias[:] = layers.output_bias
    return larger


def quantise(layers: Layers, meta: NetworkMeta) -> Network:
    """The network in integers, as the engine reads it."""
    outputs = np.rint(layers.output_weights * QB).clip(-MAX_OUTPUT_WEIGHT, MAX_OUTPUT_WEIGHT)
    return Network(
        np.rint(layers.feature_weights * QA).astype(np.int16),
        np.rint(layers.feature_bias * QA).astype(np.int16),
        outputs.astype(np.int16),
        np.rint(layers.output_bias * QA * QB).astype(np.int32),
        meta,
    )


def dequantise(network: Network) -> Layers:
    """The float32 layers that a network in integers stands for."""
    return Layers(
        np.divide(network.feature_weights, QA, dtype=np.float32),
        np.divide(network.feature_bias, QA, dtype=np.float32),
        np.divide(network.output_weights, QB, dtype=np.float32),
        np.divide(network.output_bias, QA * QB, dtype=np.float32),
    )
