"""AdamW against its formulas in float64."""

from __future__ import annotations

import numpy as np

from engine88.training.network_trainer.adamw import AdamW


def test_steps_agree_with_the_formulas() -> None:
    generator = np.random.default_rng(2)
    parameters = generator.normal(0, 1, 40).astype(np.float32)
    expected, mean, square = parameters.astype(np.float64), np.zeros(40), np.zeros(40)
    descent = AdamW(40, 0.1, 50.0)
    for step in range(1, 8):
        gradient = generator.normal(0, 0.01, 40).astype(np.float32)
        rate = 0.1 / step
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient.astype(np.float64) ** 2
        expected -= rate * 0.1 * expected
        expected -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        descent.step(parameters, gradient, rate)
    np.testing.assert_allclose(parameters, expected, rtol=1e-4, atol=1e-5)


def test_parameters_stay_within_the_bound() -> None:
    parameters = np.zeros(2, np.float32)
    descent = AdamW(2, 0.0, 0.5)
    for _ in range(20):
        descent.step(parameters, np.array([1, -1], np.float32), 0.1)
    assert parameters.tolist() == [-0.5, 0.5]
