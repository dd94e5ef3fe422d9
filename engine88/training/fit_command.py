"""The command `fit`: fits the weights of the hand-written evaluation to games, or to labelled positions."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine88.evaluation.classical.king_safety import ENDGAME_DIVISOR, MIDDLEGAME_SQUARE_DIVISOR
from engine88.evaluation.classical.score import FULL_PHASE
from engine88.evaluation.classical.terms import OFFSETS, PACKED, SAFETY_WEIGHTS, TERM_COUNT, endgame, middlegame
from engine88.evaluation.classical.weights import SAFETY, TAPERED
from engine88.training.selfplay.run_file import say
from engine88.training.traces import LabelledPosition, Traces, quiet_positions, read_positions, trace_positions


def expected_result(score_cp: NDArray[np.floating], slope: float) -> NDArray[np.float64]:
    """Logistic curve: expected result of White, 0 to 1, of a score in centipawns."""
    return 1.0 / (1.0 + np.exp(-slope * score_cp.astype(np.float64)))


class Model:
    """Weights as one vector: middlegame halves, endgame halves, safety units."""

    def __init__(self, parameters: NDArray[np.float64]) -> None:
        """`parameters`: 2 * TERM_COUNT + SAFETY_COUNT numbers, in centipawns and units."""
        self.parameters = parameters

    @classmethod
    def of_present_weights(cls) -> Model:
        """The weights that the kernels were compiled with."""
        packed = [int(value) for value in PACKED]
        halves = [int(middlegame(value)) for value in packed] + [int(endgame(value)) for value in packed]
        return cls(np.array(halves + [int(unit) for unit in SAFETY_WEIGHTS], dtype=np.float64))

    def scores(self, traces: Traces) -> NDArray[np.float64]:
        """Score of each position in centipawns from White's side, without the fifty-move damping."""
        return np.concatenate(
            [
                self._scores(traces.rows(part))
                for part in np.array_split(np.arange(len(traces)), len(traces) // 20000 + 1)
            ]
        )

    def _scores(self, traces: Traces) -> NDArray[np.float64]:
        coefficients = traces.coefficients.astype(np.float64)
        danger = self._danger(traces)
        middle = coefficients @ self.parameters[:TERM_COUNT]
        middle += (danger[:, 1] ** 2 - danger[:, 0] ** 2) / MIDDLEGAME_SQUARE_DIVISOR
        end = coefficients @ self.parameters[TERM_COUNT : 2 * TERM_COUNT]
        end += (danger[:, 1] - danger[:, 0]) / ENDGAME_DIVISOR
        return (traces.phase * middle + (FULL_PHASE - traces.phase) * traces.scale * end) / FULL_PHASE

    def _danger(self, traces: Traces) -> NDArray[np.float64]:
        """Units against both kings, (n, 2), never negative."""
        units = traces.units.astype(np.float64) @ self.parameters[2 * TERM_COUNT :]
        return np.maximum(units, 0.0)

    def gradient(self, traces: Traces, label: NDArray[np.float64], slope: float) -> NDArray[np.float64]:
        """Gradient of the mean cross entropy against the labels."""
        error = slope * (expected_result(self._scores(traces), slope) - label) / len(traces)
        middle = error * traces.phase / FULL_PHASE
        end = error * (FULL_PHASE - traces.phase) * traces.scale / FULL_PHASE
        coefficients = traces.coefficients.astype(np.float64)
        danger = self._danger(traces)
        slopes = (
            2 * danger / MIDDLEGAME_SQUARE_DIVISOR * middle[:, None] + (danger > 0) / ENDGAME_DIVISOR * end[:, None]
        )
        slopes[:, 0] *= -1
        safety = np.einsum("nk,nks->s", slopes, traces.units.astype(np.float64))
        return np.concatenate([middle @ coefficients, end @ coefficients, safety])

    def rounded(self) -> tuple[list[int], list[int], list[int]]:
        """(middlegame halves, endgame halves, safety units) as whole numbers."""
        whole = [round(value) for value in self.parameters.tolist()]
        return whole[:TERM_COUNT], whole[TERM_COUNT : 2 * TERM_COUNT], whole[2 * TERM_COUNT :]


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
    say(f"epoch {epoch}: loss {losses[0]:.5f}, held out {losses[1]:.5f} (slope {slope:.4f} per centipawn)")


def fit_weights(paths: Sequence[Path], out: Path, options: FitOptions) -> None:
    """Fit the weights to the positions of some files and write them as a module; `.games` are files of games."""
    traces = trace_positions(chain.from_iterable(_positions(path, options.seed) for path in paths))
    model = train(traces, Model.of_present_weights(), options)
    middlegames, endgames, safety = model.rounded()
    tapered = {}
    for name, (present, _) in TAPERED.items():
        part = slice(OFFSETS[name], OFFSETS[name] + len(present))
        tapered[name] = middlegames[part], endgames[part]
    out.write_text(weights_source(tapered, dict(zip(SAFETY, safety, strict=True))), encoding="utf-8")


def _positions(path: Path, seed: int) -> Iterable[LabelledPosition]:
    return quiet_positions(path, seed) if path.suffix == ".games" else read_positions(path)


LINE_LENGTH: Final = 116
COLUMNS: Final = 8
HEADER: Final = '''"""Weights of the evaluation in centipawns; written by `python -m engine88.training fit`.

TAPERED: term -> (middlegame values, endgame values). Piece-square values: the ranks 1 to 8 of
the owner, two a line, each with the files a to d. SAFETY: units of attack on a king; king_safety turns their sum
into centipawns.
"""

from typing import Final

'''

Tapered = Mapping[str, tuple[Sequence[int], Sequence[int]]]


def weights_source(tapered: Tapered, safety: Mapping[str, int]) -> str:
    """Source text of weights.py."""
    lines = [HEADER + "TAPERED: Final[dict[str, tuple[tuple[int, ...], tuple[int, ...]]]] = {"]
    for name, (middlegames, endgames) in tapered.items():
        both = (tuple(middlegames), tuple(endgames))
        if len(one_line := f'    "{name}": {both},') <= LINE_LENGTH:
            lines.append(one_line)
        else:
            lines += [f'    "{name}": (', *_tuple_lines(middlegames), *_tuple_lines(endgames), "    ),"]
    lines += ["}", "", "SAFETY: Final[dict[str, int]] = {"]
    lines += [f'    "{name}": {value},' for name, value in safety.items()]
    return "\n".join([*lines, "}", ""])


def _tuple_lines(values: Sequence[int]) -> list[str]:
    """A tuple of values: eight a line (two ranks of a half board), or one line where that is enough."""
    if len(text := f"        {tuple(values)},") <= LINE_LENGTH:
        return [text]
    rows = [values[start : start + COLUMNS] for start in range(0, len(values), COLUMNS)]
    return ["        (", *("            " + ", ".join(str(value) for value in row) + "," for row in rows), "        ),"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument("positions", type=Path, nargs="+", help="files of games (.games), or of labelled positions")
    parser.add_argument("--out", type=Path, required=True, help="weights file to write, as classical/weights.py")
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--pull", type=float, default=1.0, help="strength of the pull towards the present weights")
    parser.add_argument("--score-share", type=float, default=0.4, help="share of the search score in the label, 0 to 1")
    parser.add_argument("--seed", type=int, default=1)


def run(options: argparse.Namespace) -> int:
    """Fit and write; returns the exit status."""
    fit_options = FitOptions(options.epochs, options.pull, options.score_share, options.seed)
    fit_weights(options.positions, options.out, fit_options)
    return 0
