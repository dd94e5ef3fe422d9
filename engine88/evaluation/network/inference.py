"""From accumulators to centipawns, in integers.

    score = (sum over both accumulators of clamp(value, 0, QA)^2 * weight / QA + bias) * SCALE / (QA * QB)

with the output weights and the bias of the position's bucket.

The activation is SCReLU, a clipped rectifier that is squared. `clamp(value) * weight` fits 16 bits (255 * 127), so that
the compiler may multiply and add pairs of 16-bit lanes; the sum over 256 neurons fits 32 bits, wider networks add such
sums in 64 bits.
"""

import numpy as np

from engine88.board.record import Board
from engine88.compiler.cache_folder import DEBUG
from engine88.compiler.jit import inlined, int64, kernel, uint64
from engine88.evaluation.network.accumulator import (
    accumulate,
    accumulator_at,
    assert_accumulator,
    weights_of,
    width_of,
)
from engine88.evaluation.network.layout import BLOCK, MOST_SUMMED, OUTPUT_ROW, NetworkState, output_bucket
from engine88.evaluation.network.network_file import QA, QB, SCALE
from engine88.evaluation.rounding import divide_toward_zero


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
    row = (OUTPUT_ROW + 2 * bucket) * width
    total = _activated(state, accumulator_at(state, height, side), row) + _activated(
        state, accumulator_at(state, height, 1 - side), row + width
    )
    scaled = (divide_toward_zero(total, int64(QA)) + int64(state.output_bias[uint64(bucket)])) * SCALE
    return divide_toward_zero(scaled, int64(QA * QB))


@inlined
def _activated(state: NetworkState, accumulator: int, row: int) -> int:
    """Return the sum of an activated accumulator times the output weights that begin at `row`."""
    total, width = int64(0), width_of(state)
    for first in range(0, width, MOST_SUMMED):
        count = min(width - first, MOST_SUMMED) & -BLOCK
        total += _activated_part(state, accumulator + first, row + first, count)
    if DEBUG:
        weights, values = weights_of(state), state.accumulators
        exact = int64(0)
        for i in range(width):
            clamped = min(max(int64(values[uint64(accumulator + i)]), 0), QA)
            exact += clamped * clamped * int64(weights[uint64(row + i)])
        assert exact == total, "the sum of an activated accumulator overflows 32 bits"
    return total


@inlined
def _activated_part(state: NetworkState, accumulator: int, row: int, count: int) -> int:
    """Return that sum over `count` neurons, whole blocks and at most MOST_SUMMED."""
    weights, values = weights_of(state), state.accumulators
    total = np.int32(0)
    for i in range(count):
        value = np.int16(min(max(values[uint64(accumulator + i)], np.int16(0)), np.int16(QA)))
        weighted = np.int16(value * weights[uint64(row + i)])
        total = np.int32(total + np.int32(weighted) * np.int32(value))  # the compiler's product of int32 is an int64
    return int64(total)
