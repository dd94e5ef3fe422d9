"""Logistic regression of the weights on the results of games (P. Österlund's method for Texel), by Adam.

The label of a position is its game's result, mixed with the search score turned into an expected result. The
loss is the cross entropy plus a pull of each weight towards its present value.
"""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine88.evaluation.classical.terms import OFFSETS
from engine88.evaluation.classical.weights import SAFETY, TAPERED
from engine88.training.weights_tuner.dataset import LabelledPosition, read_positions
from engine88.training.weights_tuner.model import Model, expected_result
from engine88.training.weights_tuner.quiet_positions import quiet_positions
from engine88.training.weights_tuner.trace import Traces, trace_positions
from engine88.training.weights_tuner.write_weights import write_weights

HELD_OUT_SHARE: Final = 0.1
BATCH: Final = 8192
LEARNING_RATE: Final = 0.8  # centipawns a step at first, falling to a tenth
PULL_UNIT: Final = 4e-7  # loss per squared centipawn of a weight's way from its present value
MOMENTUM: Final = 0.9
VARIANCE_MOMENTUM: Final = 0.999


@dataclass(frozen=True, slots=True)
class FitOptions:
    """Passes over the data, pull towards the present weights, share of the search score in the label, seed."""

    epochs: int
    pull: float
    score_share: float
    seed: int


class Adam:
    """Adam (Kingma and Ba 2014) on one vector of parameters."""

    def __init__(self, size: int) -> None:
        """Start with no moments."""
        self._mean = np.zeros(size)
        self._variance = np.zeros(size)
        self._steps = 0

    def step(self, gradient: NDArray[np.float64], rate: float) -> NDArray[np.float64]:
        """What to subtract from the parameters."""
        self._steps += 1
        self._mean = MOMENTUM * self._mean + (1 - MOMENTUM) * gradient
        self._variance = VARIANCE_MOMENTUM * self._variance + (1 - VARIANCE_MOMENTUM) * gradient**2
        mean = self._mean / (1 - MOMENTUM**self._steps)
        variance = self._variance / (1 - VARIANCE_MOMENTUM**self._steps)
        return rate * mean / (np.sqrt(variance) + 1e-10)


def best_slope(traces: Traces, model: Model) -> float:
    """Slope of the logistic curve (per centipawn) under which the present weights predict the results best."""
    slopes = np.linspace(0.001, 0.009, 81)
    scores = model.scores(traces)
    return float(min(slopes, key=lambda slope: cross_entropy(expected_result(scores, slope), traces.result)))


def cross_entropy(expected: NDArray[np.float64], label: NDArray[np.float32]) -> float:
    """Mean cross entropy of expected results against labels."""
    clipped = np.clip(expected, 1e-9, 1 - 1e-9)
    return float(-np.mean(label * np.log(clipped) + (1 - label) * np.log(1 - clipped)))


def train(traces: Traces, model: Model, options: FitOptions) -> Model:
    """The fitted model; reports the loss on held-out positions (the last tenth: other games) to stderr."""
    split = int(len(traces) * (1 - HELD_OUT_SHARE))
    training, held_out = traces.rows(np.arange(split)), traces.rows(np.arange(split, len(traces)))
    slope = best_slope(training, model)
    labels = (1 - options.score_share) * training.result + options.score_share * expected_result(
        training.score_cp, slope
    )
    start = model.parameters.copy()
    adam = Adam(len(start))
    generator = np.random.default_rng(options.seed)
    _report(0, slope, model, training, held_out)
    for epoch in range(1, options.epochs + 1):
        rate = LEARNING_RATE * (1 - 0.9 * epoch / options.epochs)
        order = generator.permutation(split)
        for first in range(0, split, BATCH):
            chosen = order[first : first + BATCH]
            gradient = model.gradient(training.rows(chosen), labels[chosen], slope)
            gradient += 2 * options.pull * PULL_UNIT * (model.parameters - start)
            model = Model(model.parameters - adam.step(gradient, rate))
        if epoch % 10 == 0 or epoch == options.epochs:
            _report(epoch, slope, model, training, held_out)
    return model


def _report(epoch: int, slope: float, model: Model, training: Traces, held_out: Traces) -> None:
    losses = [cross_entropy(expected_result(model.scores(part), slope), part.result) for part in (training, held_out)]
    line = f"epoch {epoch}: loss {losses[0]:.5f}, held out {losses[1]:.5f} (slope {slope:.4f} per centipawn)"
    print(line, file=sys.stderr, flush=True)  # noqa: T201 -- progress of a tool


def fit_weights(paths: Sequence[Path], out: Path, options: FitOptions) -> None:
    """Fit the weights to the positions of some files and write them as a module; `.games` are files of games."""
    traces = trace_positions(chain.from_iterable(_positions(path, options.seed) for path in paths))
    model = train(traces, Model.of_present_weights(), options)
    middlegames, endgames, safety = model.rounded()
    tapered = {
        name: tuple(
            tuple(half[OFFSETS[name] : OFFSETS[name] + len(TAPERED[name][0])]) for half in (middlegames, endgames)
        )
        for name in TAPERED
    }
    write_weights(
        out, {name: (halves[0], halves[1]) for name, halves in tapered.items()}, dict(zip(SAFETY, safety, strict=True))
    )


def _positions(path: Path, seed: int) -> Iterable[LabelledPosition]:
    return quiet_positions(path, seed) if path.suffix == ".games" else read_positions(path)
