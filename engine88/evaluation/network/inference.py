"""From accumulators to centipawns, in integers; the formula is that of `network_file`.

A product of two neurons is a quarter of that of their integers, which fits 16 bits: 255 * 255 / 4 = 16,256. 512 of them
times weights of up to 127 stay below 2**31, so that the compiler may multiply and add pairs of 16-bit lanes.
"""

import numpy as np

from engine88.board.record import Board
from engine88.compiler.cache_folder import DEBUG
from engine88.compiler.dot_products import dot_products
from engine88.compiler.jit import assertion, inlined, int64, kernel, uint64
from engine88.evaluation.network.accumulator import (
    accumulate,
    accumulator_at,
    assert_accumulator,
    weights_of,
    width_of,
)
from engine88.evaluation.network.layout import BLOCK, HIDDEN_ROW, NetworkState, output_bucket
from engine88.evaluation.network.network_file import HIDDEN, ONE, QA, QO, SCALE
from engine88.evaluation.rounding import divide_toward_zero

PRODUCT_SHIFT = 2
HIDDEN_SHIFT = 10


@kernel
def network_score(board: Board, state: NetworkState) -> int:
    """Return the network's judgement of the position in centipawns for the side to move, not limited yet."""
    side = int64(board.side)
    accumulate(board, state, side)
    accumulate(board, state, 1 - side)
    if DEBUG:
        assert_accumulator(board, state, side)
        assert_accumulator(board, state, 1 - side)
    width, height = width_of(state), int64(board.stack_size)
    bucket = output_bucket(int64(board.list_sizes[0]) + int64(board.list_sizes[1]))
    _multiply(state, accumulator_at(state, height, side), int64(0))
    _multiply(state, accumulator_at(state, height, 1 - side), width >> 1)
    first = (HIDDEN_ROW + HIDDEN * bucket) * width
    dot_products(state.products, weights_of(state), uint64(first), uint64(width), state.hidden)
    if DEBUG:
        assert_hidden(state, bucket)
    return divide_toward_zero(_output(state, bucket) * SCALE, int64(ONE * QO))


@inlined
def _multiply(state: NetworkState, accumulator: int, first: int) -> None:
    """Write the products of the halves of an accumulator, from `first` on."""
    values, products = state.accumulators, state.products
    half = (width_of(state) >> 1) & -(BLOCK // 2)
    for i in range(half):
        one = np.uint16(min(max(values[uint64(accumulator + i)], np.int16(0)), np.int16(QA)))
        other = np.uint16(min(max(values[uint64(accumulator + half + i)], np.int16(0)), np.int16(QA)))
        products[uint64(first + i)] = np.int16(np.uint16(one * other) >> np.uint16(PRODUCT_SHIFT))


@inlined
def _output(state: NetworkState, bucket: int) -> int:
    """Return the output of the second layer, times ONE * QO."""
    sums, biases, weights = state.hidden, state.hidden_bias, state.output_weights
    row = uint64(bucket)
    total = int64(state.output_bias[row])
    for i in range(HIDDEN - 1):
        value = (sums[uint64(i)] >> HIDDEN_SHIFT) + biases[row, uint64(i)]
        clipped = min(max(value, 0), ONE)
        size = min(abs(value), ONE)
        total += clipped * weights[row, uint64(i)] + size * size // ONE * weights[row, uint64(HIDDEN - 1 + i)]
    last = int64(sums[uint64(HIDDEN - 1)] >> HIDDEN_SHIFT) + int64(biases[row, uint64(HIDDEN - 1)])
    return total + last * QO


@assertion
def assert_hidden(state: NetworkState, bucket: int) -> None:
    """Raise AssertionError unless the sums of the second layer are exact; called under ENGINE88_DEBUG=1 only."""
    width, weights = width_of(state), weights_of(state)
    first = (HIDDEN_ROW + HIDDEN * bucket) * width
    for neuron in range(HIDDEN):
        total = int64(0)
        for i in range(width):
            total += int64(state.products[i]) * int64(weights[first + neuron * width + i])
        assert total == int64(state.hidden[neuron]), "a sum of the second layer overflows 32 bits"
