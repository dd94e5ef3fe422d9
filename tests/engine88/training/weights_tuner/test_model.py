"""The model's gradient against differences of its loss; rounding; the logistic curve."""

from __future__ import annotations

import numpy as np
import pytest

from engine88.evaluation.classical.terms import SAFETY_COUNT, TERM_COUNT
from engine88.training.weights_tuner.fit import cross_entropy
from engine88.training.weights_tuner.model import Model, expected_result
from engine88.training.weights_tuner.trace import Traces

SLOPE = 0.004


def made_traces(count: int) -> Traces:
    """Traces of positions that never were, from a fixed seed."""
    generator = np.random.default_rng(7)
    return Traces(
        generator.integers(-2, 3, (count, TERM_COUNT)).astype(np.int8) * (generator.random((count, TERM_COUNT)) < 0.05),
        generator.integers(0, 3, (count, 2, SAFETY_COUNT)).astype(np.int8),
        generator.integers(0, 25, count).astype(np.float32),
        (generator.integers(1, 5, count) / 4).astype(np.float32),
        (generator.integers(0, 3, count) / 2).astype(np.float32),
        generator.integers(-300, 300, count).astype(np.float32),
    )


def test_the_gradient_is_the_slope_of_the_loss() -> None:
    traces = made_traces(40)
    model = Model.of_present_weights()
    label = traces.result.astype(np.float64)
    gradient = model.gradient(traces, label, SLOPE)
    chosen = [0, 10, TERM_COUNT - 1, TERM_COUNT, TERM_COUNT + 40, *range(2 * TERM_COUNT, 2 * TERM_COUNT + SAFETY_COUNT)]
    for index in chosen:
        step = np.zeros_like(model.parameters)
        step[index] = 1e-3
        losses = [
            cross_entropy(expected_result(Model(model.parameters + sign * step).scores(traces), SLOPE), traces.result)
            for sign in (1, -1)
        ]
        assert gradient[index] == pytest.approx((losses[0] - losses[1]) / 2e-3, rel=1e-3, abs=1e-9)


def test_expected_results_are_symmetric() -> None:
    scores = np.array([-200.0, 0.0, 200.0])
    expected = expected_result(scores, SLOPE)
    assert expected[1] == 0.5
    assert expected[0] + expected[2] == pytest.approx(1.0)


def test_present_weights_round_to_themselves() -> None:
    middlegames, endgames, safety = Model.of_present_weights().rounded()
    assert (len(middlegames), len(endgames), len(safety)) == (TERM_COUNT, TERM_COUNT, SAFETY_COUNT)
    assert Model.of_present_weights().parameters.tolist() == middlegames + endgames + safety
