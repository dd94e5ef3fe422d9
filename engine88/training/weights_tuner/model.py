"""The evaluation as a function of its weights: scores and gradient over traced positions (see trace)."""

import numpy as np
from numpy.typing import NDArray

from engine88.evaluation.classical.king_safety import ENDGAME_DIVISOR, MIDDLEGAME_SQUARE_DIVISOR
from engine88.evaluation.classical.score import FULL_PHASE
from engine88.evaluation.classical.terms import PACKED, SAFETY_WEIGHTS, TERM_COUNT, endgame, middlegame
from engine88.training.weights_tuner.trace import Traces


def expected_result(score_cp: NDArray[np.floating], slope: float) -> NDArray[np.float64]:
    """Logistic curve: expected result of White, 0 to 1, of a score in centipawns."""
    return 1.0 / (1.0 + np.exp(-slope * score_cp.astype(np.float64)))


class Model:
    """Weights as one vector: middlegame halves, endgame halves, safety units."""

    def __init__(self, parameters: NDArray[np.float64]) -> None:
        """`parameters`: 2 * TERM_COUNT + SAFETY_COUNT numbers, in centipawns and units."""
        self.parameters = parameters

    @classmethod
    def of_present_weights(cls) -> "Model":
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
