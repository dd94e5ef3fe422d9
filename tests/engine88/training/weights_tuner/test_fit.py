"""The fit finds weights that were hidden in the results, and stays where it is when it is pulled hard."""

from __future__ import annotations

import numpy as np

from engine88.evaluation.classical.terms import OFFSETS, TERM_COUNT
from engine88.training.weights_tuner.fit import FitOptions, best_slope, train
from engine88.training.weights_tuner.model import Model, expected_result
from engine88.training.weights_tuner.trace import Traces
from tests.engine88.training.weights_tuner.test_model import made_traces

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
