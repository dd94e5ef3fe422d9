"""Gradients of the network, as compiled kernels."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine88.evaluation.network.layout import MAX_PIECES, output_bucket
from engine88.evaluation.network.network_file import HIDDEN, QA, SCALE
from engine88.training.compiled import compiled
from engine88.training.network_trainer.layers import NEURONS, Layers, active_features
from engine88.training.replay import NO_RESULT

_ONE: Final = np.float32(1)
_ZERO: Final = np.float32(0)
_TWO: Final = np.float32(2)
_QA: Final = np.float32(QA)
_CHUNK: Final = 128
"""Positions whose gradients reach the feature weights together; those of 512 neurons fill half a megabyte."""

Vector = NDArray[np.float32]


class Label(NamedTuple):
    """How a label is mixed: the share of the result, and the centipawns that turn the odds by a factor of e."""

    wdl: float
    scale_cp: float


@compiled
def accumulate(
    rows: NDArray[np.int64], count: int, layers: Layers, sums: NDArray[np.int16], accumulator: Vector
) -> None:
    """Write the bias and the first `count` rows of the feature weights to `accumulator` [width]; `sums` is room."""
    weights = layers.feature_weights
    width = accumulator.shape[0]
    for i in range(width):
        sums[i] = layers.feature_bias[i]
    k = 0
    while k + 4 <= count:  # four rows at a time: the sums are loaded and stored less often
        a, b, c, d = rows[k], rows[k + 1], rows[k + 2], rows[k + 3]
        for i in range(width):
            sums[i] += (weights[a, i] + weights[b, i]) + (weights[c, i] + weights[d, i])
        k += 4
    while k < count:
        a = rows[k]
        for i in range(width):
            sums[i] += weights[a, i]
        k += 1
    for i in range(width):
        accumulator[i] = np.float32(sums[i]) / _QA


@compiled
def multiply(accumulator: Vector, products: Vector) -> None:
    """Write the products [width / 2] of the two halves of an accumulator, each clipped."""
    half = products.shape[0]
    for i in range(half):
        x = min(max(accumulator[i], _ZERO), _ONE)
        y = min(max(accumulator[half + i], _ZERO), _ONE)
        products[i] = x * y


@compiled
def output_of(products: Vector, layers: Layers, bucket: int, sums: Vector, neurons: Vector) -> float:
    """The output of a bucket from the products [width]; the sums and activations of its second layer are written."""
    for j in range(HIDDEN):
        total = _ZERO
        for i in range(products.shape[0]):
            total += layers.hidden_weights[bucket, j, i] * products[i]
        sums[j] = total + layers.hidden_bias[bucket, j]
    for j in range(HIDDEN - 1):
        neurons[j] = min(max(sums[j], _ZERO), _ONE)
        neurons[HIDDEN - 1 + j] = min(sums[j] * sums[j], _ONE)
    total = layers.output_bias[bucket] + sums[HIDDEN - 1]
    for j in range(NEURONS):
        total += layers.output_weights[bucket, j] * neurons[j]
    return total  # type: ignore[no-any-return]  # an item of an array


@compiled
def outputs(samples: NDArray[np.void], views: NDArray[np.uint8], layers: Layers, out: Vector) -> None:
    """Write the network's output for each sample to `out` [samples], in units of 400 centipawns."""
    width = layers.feature_bias.shape[0]
    accumulator, products = np.empty(width, np.float32), np.empty(width, np.float32)
    sums, neurons = np.empty(HIDDEN, np.float32), np.empty(NEURONS, np.float32)
    room = np.empty(width, np.int16)
    own_rows, other_rows = np.empty(MAX_PIECES, np.int64), np.empty(MAX_PIECES, np.int64)
    for n in range(samples.shape[0]):
        count = active_features(samples[n], views, own_rows, other_rows)
        accumulate(own_rows, count, layers, room, accumulator)
        multiply(accumulator, products[: width // 2])
        accumulate(other_rows, count, layers, room, accumulator)
        multiply(accumulator, products[width // 2 :])
        out[n] = output_of(products, layers, output_bucket(count), sums, neurons)


@compiled
def back_to_sums(
    slope: np.float32, bucket: int, layers: Layers, gradient: Layers, sums: Vector, neurons: Vector
) -> None:
    """From the slope of an output, add to the gradients of its weights; the sums become the slopes of themselves."""
    gradient.output_bias[bucket] += slope
    for j in range(NEURONS):
        gradient.output_weights[bucket, j] += slope * neurons[j]
    for j in range(HIDDEN - 1):
        total = sums[j]
        clipped = slope * layers.output_weights[bucket, j] if total > _ZERO and total < _ONE else _ZERO
        squared = slope * layers.output_weights[bucket, HIDDEN - 1 + j] if total * total < _ONE else _ZERO
        sums[j] = clipped + _TWO * total * squared
    sums[HIDDEN - 1] = slope
    for j in range(HIDDEN):
        gradient.hidden_bias[bucket, j] += sums[j]


@compiled
def back_to_products(
    slopes: Vector, bucket: int, layers: Layers, gradient: Layers, products: Vector, back: Vector
) -> None:
    """From the slopes of the sums, add to the gradient of their weights; write those of the products to `back`."""
    weights, gradients = layers.hidden_weights, gradient.hidden_weights
    width = back.shape[0]
    for i in range(width):
        back[i] = _ZERO
    for j in range(0, HIDDEN, 4):  # four at a time, as above; arrays are not sliced, or threads would count references
        a, b, c, d = slopes[j], slopes[j + 1], slopes[j + 2], slopes[j + 3]
        for i in range(width):
            back[i] += (a * weights[bucket, j, i] + b * weights[bucket, j + 1, i]) + (
                c * weights[bucket, j + 2, i] + d * weights[bucket, j + 3, i]
            )
        for i in range(width):
            gradients[bucket, j, i] += a * products[i]
            gradients[bucket, j + 1, i] += b * products[i]
            gradients[bucket, j + 2, i] += c * products[i]
            gradients[bucket, j + 3, i] += d * products[i]


@compiled
def back_to_accumulator(accumulator: Vector, back: Vector) -> None:
    """From the slopes of its products [width / 2], the accumulator becomes the slopes of itself."""
    half = back.shape[0]
    for i in range(half):
        x, y = accumulator[i], accumulator[half + i]
        clipped_x, clipped_y = min(max(x, _ZERO), _ONE), min(max(y, _ZERO), _ONE)
        accumulator[i] = back[i] * clipped_y if x > _ZERO and x < _ONE else _ZERO
        accumulator[half + i] = back[i] * clipped_x if y > _ZERO and y < _ONE else _ZERO


@compiled
def scatter(
    rows: NDArray[np.int64],
    counts: NDArray[np.int64],
    deltas: Vector,
    places: NDArray[np.int64],
    order: NDArray[np.int64],
    gradient: Layers,
) -> None:
    """Add the gradients of accumulators, `deltas` [n, width], to the bias and to the rows of the feature weights.

    Row by row, so that each is read and written once for all accumulators that have its feature. `places` [rows + 1]
    and `order` [n * MAX_PIECES] are room.
    """
    weights = gradient.feature_weights
    width = deltas.shape[1]
    sort_by_row(rows, counts, places, order)
    for n in range(counts.shape[0]):
        for i in range(width):
            gradient.feature_bias[i] += deltas[n, i]
    first = 0
    for row in range(places.shape[0] - 1):
        k, last = first, places[row]
        while k + 4 <= last:
            a, b, c, d = order[k], order[k + 1], order[k + 2], order[k + 3]
            for i in range(width):
                weights[row, i] += (deltas[a, i] + deltas[b, i]) + (deltas[c, i] + deltas[d, i])
            k += 4
        while k < last:
            a = order[k]
            for i in range(width):
                weights[row, i] += deltas[a, i]
            k += 1
        first = last


@compiled
def sort_by_row(
    rows: NDArray[np.int64], counts: NDArray[np.int64], places: NDArray[np.int64], order: NDArray[np.int64]
) -> None:
    """Write to `order` which accumulators have each row, row after row, and to `places` where those of each end."""
    places[:] = 0
    for n in range(counts.shape[0]):
        for k in range(counts[n]):
            places[rows[n, k] + 1] += 1
    for row in range(places.shape[0] - 1):
        places[row + 1] += places[row]
    for n in range(counts.shape[0]):
        for k in range(counts[n]):
            row = rows[n, k]
            order[places[row]] = n
            places[row] += 1


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
    samples: NDArray[np.void], views: NDArray[np.uint8], label: Label, power: float, layers: Layers, gradient: Layers
) -> float:
    """Add to `gradient` that of the samples' summed |error| ** power; returns the sum of squared errors."""
    width = layers.feature_bias.shape[0]
    half = width // 2
    rows, counts = np.empty((2 * _CHUNK, MAX_PIECES), np.int64), np.empty(2 * _CHUNK, np.int64)
    accumulators = np.empty((2 * _CHUNK, width), np.float32)
    places, order = (
        np.empty(layers.feature_weights.shape[0] + 1, np.int64),
        np.empty(2 * _CHUNK * MAX_PIECES, np.int64),
    )
    room = np.empty(width, np.int16)
    products, back = np.empty(width, np.float32), np.empty(width, np.float32)
    sums, neurons = np.empty(HIDDEN, np.float32), np.empty(NEURONS, np.float32)
    steepness, factor, exponent = np.float32(SCALE / label.scale_cp), np.float32(power), np.float32(power - 1)
    loss = 0.0
    for start in range(0, samples.shape[0], _CHUNK):
        size = min(_CHUNK, samples.shape[0] - start)
        for n in range(size):
            own, other = accumulators[2 * n], accumulators[2 * n + 1]
            count = active_features(samples[start + n], views, rows[2 * n], rows[2 * n + 1])
            counts[2 * n] = counts[2 * n + 1] = count
            accumulate(rows[2 * n], count, layers, room, own)
            accumulate(rows[2 * n + 1], count, layers, room, other)
            multiply(own, products[:half])
            multiply(other, products[half:])
            bucket = output_bucket(count)
            expected = _ONE / (_ONE + np.exp(-steepness * output_of(products, layers, bucket, sums, neurons)))
            error = expected - target_of(samples[start + n], label)
            loss += error * error
            error_slope = factor * np.float32(math.copysign(abs(error) ** exponent, error))
            slope = steepness * error_slope * expected * (_ONE - expected)
            back_to_sums(slope, bucket, layers, gradient, sums, neurons)
            back_to_products(sums, bucket, layers, gradient, products, back)
            back_to_accumulator(own, back[:half])
            back_to_accumulator(other, back[half:])
        scatter(rows[: 2 * size], counts[: 2 * size], accumulators, places, order, gradient)
    return loss
