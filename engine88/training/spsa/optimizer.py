"""Simultaneous perturbation stochastic approximation: which settings meet, and what their games say.

In each pair of games all dimensions are moved at once, by their steps and with signs drawn by lot, once one way and
once the other; the result moves each dimension towards the side that did better. Where a run stands depends on its
settings and the results alone, in their order, so a run is kept as a list of results.

Source: J. C. Spall, "Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization", IEEE
Transactions on Aerospace and Electronic Systems 34(3), 1998; the gains are given by their last values, as usual for
engines.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

ALPHA: Final = 0.602
GAMMA: Final = 0.101
STABILITY_SHARE: Final = 0.1
STEPS_IN_RANGE: Final = 20.0
LEAST_STEP: Final = 0.5
"""A whole number that moves by less would mostly stay where it is."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """One number: where it starts, its range (inclusive), and by how much it is moved in the last pair."""

    name: str
    start: int
    low: int
    high: int
    step: float


def dimension(name: str, start: int, low: float, high: float) -> Dimension:
    """A dimension with the usual step, a twentieth of its range; raises ValueError for a start outside it."""
    if not low <= start <= high:
        raise ValueError(f"{name} is {start}, outside its range {low:g} to {high:g}; change it in param_ranges.py")
    return Dimension(name, start, int(low), int(high), max((high - low) / STEPS_IN_RANGE, LEAST_STEP))


@dataclass(frozen=True, slots=True)
class Schedule:
    """Number of pairs, the seed of signs, and `rate`: what a won game moves in the last pair, in steps."""

    pairs: int
    seed: str
    rate: float = 0.002


class Proposal(NamedTuple):
    """The two settings of a pair, whole numbers in the order of the dimensions."""

    first: tuple[int, ...]
    second: tuple[int, ...]


class SpsaOptimizer:
    """Where a run stands; `centre` holds a float64 for each dimension."""

    def __init__(self, dimensions: Sequence[Dimension], schedule: Schedule) -> None:
        """Begin at the starts."""
        self.dimensions = tuple(dimensions)
        self.pairs = 0
        self.centre = np.array([one.start for one in dimensions], np.float64)
        self._low = np.array([one.low for one in dimensions], np.float64)
        self._high = np.array([one.high for one in dimensions], np.float64)
        last_steps = np.array([one.step for one in dimensions], np.float64)
        self._stability = STABILITY_SHARE * schedule.pairs
        self._first_steps = last_steps * schedule.pairs**GAMMA
        self._first_gains = schedule.rate * last_steps**2 * (self._stability + schedule.pairs) ** ALPHA
        self._seed = [*schedule.seed.encode()]

    def propose(self, pair: int) -> Proposal:
        """The settings that meet in a pair, from where the run stands now; both are rounded by one lot."""
        moved = self._steps(pair) * self._signs(pair)
        lots = self._random(pair, 1).random(len(self.dimensions))
        first, second = (self._rounded(self.centre + way * moved, lots) for way in (1, -1))
        return Proposal(first, second)

    def add(self, half_points: int) -> None:
        """Take the result of the next pair: the half points, 0 to 4, of its first setting."""
        if not 0 <= half_points <= 4:
            raise ValueError(f"a pair of games gives 0 to 4 half points, not {half_points}")
        pair = self.pairs
        gain = self._first_gains / (self._stability + pair + 1) ** ALPHA
        way = gain / self._steps(pair) * self._signs(pair) * (half_points - 2)
        self.centre = np.clip(self.centre + way, self._low, self._high)
        self.pairs += 1

    def values(self) -> tuple[int, ...]:
        """The nearest whole numbers."""
        return tuple(int(value) for value in np.rint(self.centre))

    def in_steps(self) -> NDArray[np.float64]:
        """How far each dimension has come from its start, in its steps."""
        starts = np.array([one.start for one in self.dimensions], np.float64)
        return (self.centre - starts) / np.array([one.step for one in self.dimensions], np.float64)

    def _steps(self, pair: int) -> NDArray[np.float64]:
        steps: NDArray[np.float64] = self._first_steps / (pair + 1) ** GAMMA
        return steps

    def _signs(self, pair: int) -> NDArray[np.float64]:
        return self._random(pair, 0).choice([-1.0, 1.0], len(self.dimensions))

    def _random(self, pair: int, purpose: int) -> np.random.Generator:
        return np.random.default_rng([*self._seed, pair, purpose])

    def _rounded(self, values: NDArray[np.float64], lots: NDArray[np.float64]) -> tuple[int, ...]:
        whole = np.floor(np.clip(values, self._low, self._high) + lots)
        return tuple(int(value) for value in np.clip(whole, self._low, self._high))


def follow(optimizer: SpsaOptimizer, results: Iterable[int], points: int = 200) -> NDArray[np.float64]:
    """Take many results; return where the run stood at so many moments, in steps: rows of the dimensions."""
    results = list(results)
    wanted = set(np.linspace(0, len(results), points + 1, dtype=int).tolist())
    rows = [optimizer.in_steps()]
    for number, half_points in enumerate(results, 1):
        optimizer.add(half_points)
        if number in wanted:
            rows.append(optimizer.in_steps())
    return np.array(rows)
