"""The steps of AdamW, what king buckets share, and rounding."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from engine88.evaluation.network.network_file import FEATURES, QA, NetworkMeta
from engine88.training.network_trainer.descent import Descent
from engine88.training.network_trainer.layers import MAX_WEIGHT, UNITS, Layers, dequantise, quantise, random_layers

WIDTH = 6


@pytest.fixture(name="pool", scope="module")
def _pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2) as pool:
        yield pool


def some_layers(king_buckets: int = 1) -> Layers:
    generator = np.random.default_rng(2)
    layers = random_layers(WIDTH, generator, king_buckets)
    weights, bias, *others = (generator.normal(0, 0.3, array.shape).astype(np.float32) for array in layers)
    return Layers(np.rint(weights * QA).astype(np.int16), np.rint(bias * QA).astype(np.int16), *others)


def unrounded(layers: Layers) -> list[np.ndarray]:
    """The parameters without the factors of the file."""
    return [array / QA if array.dtype == np.int16 else array for array in layers]


class TextbookAdamW:
    """The formulas, in float64."""

    def __init__(self, start: np.ndarray, decay: float) -> None:
        self.values, self.mean, self.square = start.astype(np.float64), np.zeros(start.shape), np.zeros(start.shape)
        self.decay, self.steps = decay, 0

    def step(self, gradient: np.ndarray, rate: float) -> None:
        self.steps += 1
        self.mean = 0.9 * self.mean + 0.1 * gradient
        self.square = 0.999 * self.square + 0.001 * gradient**2
        mean, square = self.mean / (1 - 0.9**self.steps), self.square / (1 - 0.999**self.steps)
        self.values = self.values * (1 - rate * self.decay) - rate * mean / (np.sqrt(square) + 1e-8)


@pytest.mark.parametrize("threads", [1, 2])
def test_steps_agree_with_the_formulas(pool: ThreadPoolExecutor, threads: int) -> None:
    start, generator = some_layers(), np.random.default_rng(3)
    descent = Descent(start, 1, threads, 0.1)
    textbook = [TextbookAdamW(array, 0.1) for array in unrounded(start)]
    for step in range(1, 8):
        summed = [np.zeros(array.shape) for array in start]
        for layers in descent.gradients:
            for mine, total in zip(layers, summed, strict=True):
                mine[:] += generator.normal(0, 1, mine.shape)
                total += mine
        descent.step(100, 0.1 / step, pool)
        for one, gradient in zip(textbook, summed, strict=True):
            one.step(gradient / 100, 0.1 / step)
        assert not any(array.any() for layers in descent.gradients for array in layers)
    for learnt, one, unit in zip(unrounded(descent.layers), textbook, UNITS, strict=True):
        np.testing.assert_allclose(learnt, one.values, atol=0.501 / unit + 1e-5)


def test_king_buckets_learn_what_they_share_and_what_is_special(pool: ThreadPoolExecutor) -> None:
    start, generator = some_layers(4), np.random.default_rng(4)
    descent = Descent(start, 4, 2, 0.1)
    given = start.feature_weights.reshape(4, FEATURES, WIDTH) / QA
    shared, special = TextbookAdamW(given.mean(axis=0), 0.1), TextbookAdamW(given - given.mean(axis=0), 0.1)
    for _ in range(5):
        gradient = generator.normal(0, 1, given.shape)
        descent.gradients[1].feature_weights[:] = gradient.reshape(-1, WIDTH)
        descent.step(50, 0.01, pool)
        shared.step(gradient.sum(axis=0) / 50, 0.01)
        special.step(gradient / 50, 0.01)
    learnt = descent.layers.feature_weights.reshape(given.shape) / QA
    np.testing.assert_allclose(learnt, shared.values + special.values, atol=0.501 / QA + 1e-4)


@pytest.mark.parametrize("king_buckets", [1, 4])
def test_weights_stay_within_their_bound(pool: ThreadPoolExecutor, king_buckets: int) -> None:
    descent = Descent(some_layers(king_buckets), king_buckets, 1, 0.0)
    for _ in range(40):
        for array in descent.gradients[0]:
            array[..., ::2], array[..., 1::2] = 1, -1
        descent.step(1, 0.1, pool)
    for array, unit in zip(unrounded(descent.layers), UNITS, strict=True):
        np.testing.assert_allclose(np.abs(array), np.rint(np.float32(MAX_WEIGHT) * unit) / unit, rtol=1e-6)


@pytest.mark.parametrize("king_buckets", [1, 4])
def test_rounded_weights_are_those_of_the_engine(pool: ThreadPoolExecutor, king_buckets: int) -> None:
    descent = Descent(some_layers(king_buckets), king_buckets, 1, 0.1)
    meta = NetworkMeta("test", WIDTH, True, king_buckets=king_buckets)
    for _ in range(2):
        for mine, engines in zip(descent.layers, dequantise(quantise(descent.layers, meta)), strict=True):
            np.testing.assert_allclose(mine, engines, rtol=1e-6)
        descent.gradients[0].feature_weights[:] = 1
        descent.step(1, 0.001, pool)
