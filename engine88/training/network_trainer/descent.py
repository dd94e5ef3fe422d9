"""Steps of AdamW on the weights of a network, as compiled kernels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine88.training.compiled import compiled
from engine88.training.network_trainer.layers import MAX_WEIGHT, UNITS, Layers

MOMENTUM: Final = np.float32(0.9)
VARIANCE_MOMENTUM: Final = np.float32(0.999)
EPSILON: Final = np.float32(1e-8)

_LIMIT: Final = np.float32(MAX_WEIGHT)
_TILE: Final = 2048  # columns at a time: what a step reads and writes of them stays in the first caches
_ONE: Final = np.float32(1)

Vector = NDArray[np.float32]


class Block(NamedTuple):
    """One array of a network's weights while it learns, of as many sets as there are king buckets, or of one.

    `used` [sets, n] is what the network computes with, rounded as the engine rounds it: the set's own weights, the
    first rows of `values` [sets + 1, n], and what all sets share, its last row, times `unit`, in steps of `step`.
    `means` and `squares` [sets + 1, n] are running means of the gradient and of its square, `gradients`
    [threads, sets, n] what each thread has summed since the last step. All are float32, but `used` may be int16.
    """

    values: NDArray[np.float32]
    means: NDArray[np.float32]
    squares: NDArray[np.float32]
    used: NDArray[Any]
    gradients: NDArray[np.float32]
    unit: float
    step: float


class StepSize(NamedTuple):
    """The learning rate corrected for the young means, the correction of the variance's root, the share that decays."""

    rate: float
    root: float
    decay: float


@compiled
def adamw(block: Block, row: int, first: int, slope: Vector, size: StepSize) -> None:
    """One step of the values of a row from column `first` on, against `slope`; they stay within +-MAX_WEIGHT.

    I. Loshchilov and F. Hutter, Decoupled weight decay regularization, 2019.
    """
    values, means, squares = block.values[row], block.means[row], block.squares[row]
    rate, root, kept = np.float32(size.rate), np.float32(size.root), _ONE - np.float32(size.decay)
    for i in range(slope.shape[0]):
        mean = MOMENTUM * means[first + i] + (_ONE - MOMENTUM) * slope[i]
        square = VARIANCE_MOMENTUM * squares[first + i] + (_ONE - VARIANCE_MOMENTUM) * slope[i] * slope[i]
        means[first + i] = mean
        squares[first + i] = square
        value = kept * values[first + i] - rate * mean / (np.sqrt(square) * root + EPSILON)
        values[first + i] = min(max(value, -_LIMIT), _LIMIT)


@compiled
def take_gradient(gradients: NDArray[np.float32], row: int, first: int, count: int, slope: Vector) -> None:
    """Write to `slope` the mean of the gradients of `count` positions of all threads, and set those to zero."""
    for i in range(slope.shape[0]):
        slope[i] = gradients[0, row, first + i]
        gradients[0, row, first + i] = 0
    for thread in range(1, gradients.shape[0]):
        for i in range(slope.shape[0]):
            slope[i] += gradients[thread, row, first + i]
            gradients[thread, row, first + i] = 0
    for i in range(slope.shape[0]):
        slope[i] /= np.float32(count)


@compiled
def use(block: Block, first: int, last: int) -> None:
    """Write columns of `used`, within +-MAX_WEIGHT and rounded."""
    sets, unit, step = block.used.shape[0], np.float32(block.unit), np.float32(block.step)
    shared = block.values[sets]
    for row in range(sets):
        values, used = block.values[row], block.used[row]
        for i in range(first, last):
            value = min(max(values[i] + shared[i], -_LIMIT), _LIMIT)
            used[i] = np.rint(value * unit) * step


@compiled
def descend(block: Block, first: int, last: int, count: int, size: StepSize) -> None:
    """One step of the columns first to last, after gradients of `count` positions."""
    sets = block.used.shape[0]
    slope, total = np.empty(_TILE, np.float32), np.empty(_TILE, np.float32)
    for start in range(first, last, _TILE):
        columns = min(_TILE, last - start)
        total[:] = 0
        for row in range(sets):
            take_gradient(block.gradients, row, start, count, slope[:columns])
            adamw(block, row, start, slope[:columns], size)
            total[:columns] += slope[:columns]
        if sets > 1:
            adamw(block, sets, start, total[:columns], size)
        use(block, start, start + columns)


class Descent:
    """The weights of a network while it learns.

    The feature weights of several king buckets are the sum of weights that all buckets share and of what is special to
    each, so that every bucket learns from all positions (a factorizer, as in Stockfish's trainer, nnue-pytorch).
    Gradients are those of the weights as the engine rounds them, steps go to the finer ones behind
    (quantisation-aware training with a straight-through estimator, Bengio et al. 2013). `layers` are the rounded
    weights, which each step changes; each thread adds its gradient to one of `gradients`.
    """

    def __init__(self, start: Layers, king_buckets: int, threads: int, decay: float) -> None:
        """Begin with a copy of `start`."""
        self._decay = decay
        self._steps = 0
        arrays = [start.feature_weights.reshape(king_buckets, -1), *(array.reshape(1, -1) for array in start[1:])]
        self._blocks = [_block(array, threads, unit) for array, unit in zip(arrays, UNITS, strict=True)]
        self.layers = _shaped(start, [block.used for block in self._blocks])
        self.gradients = [
            _shaped(start, [block.gradients[thread] for block in self._blocks]) for thread in range(threads)
        ]

    def state(self) -> dict[str, NDArray[Any]]:
        """What a later step depends on, by name."""
        return {"steps": np.array(self._steps), **self._arrays()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go back to what `state` returned. Raises KeyError or ValueError for that of other layers."""
        self._steps = int(state["steps"])
        for name, array in self._arrays().items():
            array[:] = state[name]
        for block in self._blocks:
            use(block, 0, block.used.shape[1])

    def _arrays(self) -> dict[str, NDArray[Any]]:
        fields = ("values", "means", "squares")
        return {f"{field} {n}": getattr(block, field) for n, block in enumerate(self._blocks) for field in fields}

    def step(self, count: int, rate: float, pool: Executor) -> None:
        """Move the weights against the gradient of `count` positions, and set the gradient to zero."""
        self._steps += 1
        root = 1 / math.sqrt(1 - float(VARIANCE_MOMENTUM) ** self._steps)
        size = StepSize(rate / (1 - float(MOMENTUM) ** self._steps), root, rate * self._decay)
        for block in self._blocks:
            threads, _, columns = block.gradients.shape
            borders = [columns * thread // threads for thread in range(threads + 1)]
            tuple(pool.map(partial(descend, block, count=count, size=size), borders, borders[1:]))


def _block(used: NDArray[Any], threads: int, unit: float) -> Block:
    """Weights [sets, n] that have learnt nothing yet, as what their sets share and what is special to each."""
    sets, columns = used.shape
    step = 1 / unit if used.dtype == np.float32 else 1.0
    weights = np.multiply(used, 1 / (unit * step), dtype=np.float32)
    values = np.zeros((sets + 1, columns), np.float32)
    if sets > 1:
        values[sets] = weights.mean(axis=0)
    values[:sets] = weights - values[sets]
    gradients = np.zeros((threads, sets, columns), np.float32)
    block = Block(values, np.zeros_like(values), np.zeros_like(values), used.copy(), gradients, float(unit), step)
    use(block, 0, columns)
    return block


def _shaped(like: Layers, arrays: Sequence[NDArray[np.float32]]) -> Layers:
    """Views of the arrays, shaped like layers."""
    return Layers(*(array.reshape(other.shape) for array, other in zip(arrays, like, strict=True)))
