"""Gradients of the network, as compiled kernels."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine88.evaluation.network.layout import output_bucket
from engine88.evaluation.network.network_file import SCALE
from engine88.training.compiled import compiled
from engine88.training.network_trainer.layers import MAX_PIECES, Layers, active_features
from engine88.training.replay import NO_RESULT

_ONE: Final = np.float32(1)
_ZERO: Final = np.float32(0)


class Label(NamedTuple):
    """How a label is mixed: the share of the result, and the centipawns that turn the odds by a factor of e."""

    wdl: float
    scale_cp: float


@compiled
def accumulate(rows: NDArray[np.int64], count: int, layers: Layers, accumulator: NDArray[np.float32]) -> None:
    """Sum the bias and the first `count` rows of the feature weights into `accumulator` [width]."""
    weights = layers.feature_weights
    width = accumulator.shape[0]
    for i in range(width):
        accumulator[i] = layers.feature_bias[i]
    k = 0
    while k + 4 <= count:  # four rows at a time: the accumulator is loaded and stored less often
        a, b, c, d = rows[k], rows[k + 1], rows[k + 2], rows[k + 3]
        for i in range(width):
            accumulator[i] += (weights[a, i] + weights[b, i]) + (weights[c, i] + weights[d, i])
        k += 4
    while k < count:
        a = rows[k]
        for i in range(width):
            accumulator[i] += weights[a, i]
        k += 1


@compiled
def output_of(own: NDArray[np.float32], other: NDArray[np.float32], layers: Layers, bucket: int) -> float:
    """The output of a bucket, squared clipped rectifier included, from both accumulators [width]."""
    weights = layers.output_weights[bucket]
    total = layers.output_bias[bucket]
    for i in range(own.shape[0]):
        x = min(max(own[i], _ZERO), _ONE)
        y = min(max(other[i], _ZERO), _ONE)
        total += x * x * weights[0, i] + y * y * weights[1, i]
    return total  # type: ignore[no-any-return]  # an item of an array


@compiled
def outputs(samples: NDArray[np.void], views: NDArray[np.uint8], layers: Layers, out: NDArray[np.float32]) -> None:
    """Write the network's output for each sample to `out` [samples], in units of 400 centipawns."""
    width = layers.feature_bias.shape[0]
    own = np.empty(width, np.float32)
    other = np.empty(width, np.float32)
    own_rows = np.empty(MAX_PIECES, np.int64)
    other_rows = np.empty(MAX_PIECES, np.int64)
    for n in range(samples.shape[0]):
        count = active_features(samples[n], views, own_rows, other_rows)
        accumulate(own_rows, count, layers, own)
        accumulate(other_rows, count, layers, other)
        out[n] = output_of(own, other, layers, output_bucket(count))


@compiled
def back_through(
    accumulator: NDArray[np.float32],
    weights: NDArray[np.float32],
    weights_gradient: NDArray[np.float32],
    slope: np.float32,
) -> None:
    """Add to the gradient of one side's output weights; the accumulator becomes the gradient of itself."""
    twice = slope + slope
    for i in range(accumulator.shape[0]):
        x = min(max(accumulator[i], _ZERO), _ONE)
        weights_gradient[i] += slope * x * x
        accumulator[i] = twice * x * weights[i] if x < _ONE else _ZERO


@compiled
def scatter(rows: NDArray[np.int64], count: int, delta: NDArray[np.float32], gradient: Layers) -> None:
    """Add an accumulator's gradient to the bias and to the first `count` rows of the feature weights."""
    weights = gradient.feature_weights
    width = delta.shape[0]
    for i in range(width):
        gradient.feature_bias[i] += delta[i]
    for k in range(count):
        row = rows[k]
        for i in range(width):
            weights[row, i] += delta[i]


@compiled
def target_of(sample: np.void, label: Label) -> float:
    """What the network is to predict: the result and the score, mixed; the score alone where there is no result."""
    score = _ONE / (_ONE + np.exp(-np.float32(sample["score_cp"]) / np.float32(label.scale_cp)))
    if sample["result"] == NO_RESULT:
        return score  # type: ignore[no-any-return]  # an item of an array
    share = np.float32(label.wdl)
    return share * (np.float32(sample["result"]) / np.float32(2)) + (_ONE - share) * score  # type: ignore[no-any-return]  # likewise


@compiled
def add_gradient(
    samples: NDArray[np.void], views: NDArray[np.uint8], label: Label, layers: Layers, gradient: Layers
) -> float:
    """Add the gradient of the samples' summed loss to `gradient`; returns that loss."""
    width = layers.feature_bias.shape[0]
    own = np.empty(width, np.float32)
    other = np.empty(width, np.float32)
    own_rows = np.empty(MAX_PIECES, np.int64)
    other_rows = np.empty(MAX_PIECES, np.int64)
    steepness = np.float32(SCALE / label.scale_cp)
    loss = 0.0
    for n in range(samples.shape[0]):
        count = active_features(samples[n], views, own_rows, other_rows)
        accumulate(own_rows, count, layers, own)
        accumulate(other_rows, count, layers, other)
        bucket = output_bucket(count)
        expected = _ONE / (_ONE + np.exp(-steepness * output_of(own, other, layers, bucket)))
        error = expected - target_of(samples[n], label)
        loss += error * error
        slope = np.float32(2) * steepness * error * expected * (_ONE - expected)
        gradient.output_bias[bucket] += slope
        back_through(own, layers.output_weights[bucket, 0], gradient.output_weights[bucket, 0], slope)
        back_through(other, layers.output_weights[bucket, 1], gradient.output_weights[bucket, 1], slope)
        scatter(own_rows, count, own, gradient)
        scatter(other_rows, count, other, gradient)
    return loss
