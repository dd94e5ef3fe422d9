"""The network in floats: features and layers."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine88.evaluation.network.layout import BLACK_FLIP, MAX_PIECES, MIRROR, feature_index
from engine88.evaluation.network.network_file import (
    ARRAYS,
    FEATURES,
    HIDDEN,
    MAX_HIDDEN_WEIGHT,
    MAX_OUTPUT_WEIGHT,
    ONE,
    OUTPUT_BUCKETS,
    QA,
    QB,
    QO,
    Network,
    NetworkMeta,
)
from engine88.training.compiled import compiled, int64

NEURONS: Final = 2 * (HIDDEN - 1)
"""Activations of the second layer: of all its sums but the last, clipped, and the same squared."""

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
"""Bound of every parameter: times QB it stays within MAX_HIDDEN_WEIGHT, times QO within MAX_OUTPUT_WEIGHT."""


class Layers(NamedTuple):
    """The weights of a network while it learns, shaped as in its file; one unit of output is 400 centipawns.

    The feature weights and biases are the integers of the file, for which sums take half of the time; the others are
    floats. Gradients have floats in all fields.
    """

    feature_weights: NDArray[Any]
    feature_bias: NDArray[Any]
    hidden_weights: NDArray[np.float32]
    hidden_bias: NDArray[np.float32]
    output_weights: NDArray[np.float32]
    output_bias: NDArray[np.float32]


UNITS: Final = (QA, QA, QB, ONE, QO, ONE * QO)
"""What the parameters of each field are multiplied with in the file."""


def random_layers(width: int, generator: np.random.Generator, king_buckets: int = 1) -> Layers:
    """Layers to start from: normal weights of variance 2 / inputs (He et al. 2015), no biases, equal buckets."""
    features = generator.normal(0, np.sqrt(2 / FEATURES), (FEATURES, width))
    hidden = generator.normal(0, np.sqrt(2 / width), (HIDDEN, width))
    outputs = generator.normal(0, np.sqrt(1 / NEURONS), NEURONS)
    return Layers(
        np.tile(np.rint(features * QA).astype(np.int16), (king_buckets, 1)),
        np.zeros(width, np.int16),
        np.tile(hidden.astype(np.float32), (OUTPUT_BUCKETS, 1, 1)),
        np.zeros((OUTPUT_BUCKETS, HIDDEN), np.float32),
        np.tile(outputs.astype(np.float32), (OUTPUT_BUCKETS, 1)),
        np.zeros(OUTPUT_BUCKETS, np.float32),
    )


def quantise(layers: Layers, meta: NetworkMeta) -> Network:
    """The network in integers, as the engine reads it."""
    hidden, bias, outputs, output_bias = (
        np.rint(array * np.float64(unit)) for array, unit in zip(layers[2:], UNITS[2:], strict=True)
    )
    return Network(
        layers.feature_weights,
        layers.feature_bias,
        hidden.clip(-MAX_HIDDEN_WEIGHT, MAX_HIDDEN_WEIGHT).astype(np.int16),
        bias.astype(np.int32),
        outputs.clip(-MAX_OUTPUT_WEIGHT, MAX_OUTPUT_WEIGHT).astype(np.int16),
        output_bias.astype(np.int32),
        meta,
    )


def dequantise(network: Network) -> Layers:
    """The layers that a network in integers stands for."""
    others = zip(ARRAYS[2:], UNITS[2:], strict=True)
    return Layers(
        network.feature_weights,
        network.feature_bias,
        *(np.divide(getattr(network, name), unit, dtype=np.float32) for name, unit in others),
    )
