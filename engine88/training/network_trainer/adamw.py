"""AdamW (Loshchilov and Hutter 2019) on one vector of parameters, with clipping."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine88.training.compiled import compiled

MOMENTUM: Final = np.float32(0.9)
VARIANCE_MOMENTUM: Final = np.float32(0.999)
EPSILON: Final = np.float32(1e-8)


@compiled
def adamw_step(
    parameters: NDArray[np.float32],
    gradient: NDArray[np.float32],
    moments: NDArray[np.float32],
    rates: tuple[float, float, float],
    bound: float,
) -> None:
    """One step in place; moments [2, n] are the running means of the gradient and its square.

    `rates` are the learning rate corrected for the young means, the correction of the variance's root, and the
    share by which every parameter decays; parameters stay within +-bound.
    """
    rate = np.float32(rates[0])
    root = np.float32(rates[1])
    kept = np.float32(1) - np.float32(rates[2])
    limit = np.float32(bound)
    for i in range(parameters.shape[0]):
        slope = gradient[i]
        mean = MOMENTUM * moments[0, i] + (np.float32(1) - MOMENTUM) * slope
        square = VARIANCE_MOMENTUM * moments[1, i] + (np.float32(1) - VARIANCE_MOMENTUM) * slope * slope
        moments[0, i] = mean
        moments[1, i] = square
        value = kept * parameters[i] - rate * mean / (np.sqrt(square) * root + EPSILON)
        parameters[i] = min(max(value, -limit), limit)


class AdamW:
    """The moments of one vector of parameters."""

    def __init__(self, size: int, decay: float, bound: float) -> None:
        """Start with no moments."""
        self._moments = np.zeros((2, size), np.float32)
        self._steps = 0
        self._decay = decay
        self._bound = bound

    def step(self, parameters: NDArray[np.float32], gradient: NDArray[np.float32], rate: float) -> None:
        """Move `parameters` against the gradient (both [n]) in place, at a learning rate."""
        self._steps += 1
        corrected = rate / (1 - float(MOMENTUM) ** self._steps)
        root = 1 / np.sqrt(1 - float(VARIANCE_MOMENTUM) ** self._steps)
        adamw_step(parameters, gradient, self._moments, (corrected, float(root), rate * self._decay), self._bound)
