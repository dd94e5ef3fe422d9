"""The model of the weights, its fit, and the file that is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine88.evaluation.classical import weights
from engine88.evaluation.classical.terms import OFFSETS, SAFETY_COUNT, TERM_COUNT
from engine88.training.fit_command import (
    LINE_LENGTH,
    FitOptions,
    Model,
    best_slope,
    cross_entropy,
    expected_result,
    train,
    weights_source,
)
from engine88.training.traces import Traces

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


MATERIAL = OFFSETS["material"]


def hidden_truth(count: int) -> tuple[Traces, Model]:
    """Positions whose results follow a model in which a pawn is worth 60 more."""
    traces = made_traces(count)
    truth = Model.of_present_weights()
    truth.parameters[[MATERIAL, TERM_COUNT + MATERIAL]] += 60
    traces.coefficients[:, MATERIAL] = np.random.default_rng(3).integers(-3, 4, count)
    results = expected_result(truth.scores(traces), 0.004).astype(np.float32)
    return Traces(traces.coefficients, traces.units, traces.phase, traces.scale, results, traces.score_cp), truth


def test_a_hidden_weight_is_found() -> None:
    traces, truth = hidden_truth(1500)
    start = Model.of_present_weights()
    fitted = train(traces, start, FitOptions(epochs=40, pull=0.0, score_share=0.0, seed=1))
    slope = best_slope(traces, start)
    before = np.abs(expected_result(start.scores(traces), slope) - traces.result).mean()
    after = np.abs(expected_result(fitted.scores(traces), slope) - traces.result).mean()
    assert after < before / 2
    assert fitted.parameters[MATERIAL] > start.parameters[MATERIAL] + 10
    assert truth.parameters[MATERIAL] == start.parameters[MATERIAL] + 60


def test_a_hard_pull_keeps_the_weights() -> None:
    traces, _ = hidden_truth(500)
    start = Model.of_present_weights()
    fitted = train(traces, start, FitOptions(epochs=3, pull=1e9, score_share=0.0, seed=1))
    assert np.abs(fitted.parameters - start.parameters).max() < 3


def test_written_weights_read_back_equal() -> None:
    tapered = {"one": ((1,), (-2,)), "many": (tuple(range(32)), tuple(range(-320000, -32, 10000))[:32])}
    names: dict[str, Any] = {}
    exec(weights_source(tapered, {"ring": 3}), names)
    assert names["TAPERED"] == tapered
    assert names["SAFETY"] == {"ring": 3}


def test_the_present_weights_are_in_the_writers_form() -> None:
    source = weights_source(weights.TAPERED, weights.SAFETY)
    assert Path(weights.__file__).read_text(encoding="utf-8") == source
    assert max(map(len, source.splitlines())) <= LINE_LENGTH + 4
