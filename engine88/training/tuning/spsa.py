"""Simultaneous perturbation stochastic approximation (Spall 1992), and its report."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

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


class SettingsPair(NamedTuple):
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

    def propose(self, pair: int) -> SettingsPair:
        """The settings that meet in a pair, from where the run stands now; both are rounded by one lot."""
        moved = self._steps(pair) * self._signs(pair)
        lots = self._random(pair, 1).random(len(self.dimensions))
        first, second = (self._rounded(self.centre + way * moved, lots) for way in (1, -1))
        return SettingsPair(first, second)

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
    """Take many results; return the values at so many moments, in steps: rows of the dimensions."""
    results = list(results)
    wanted = set(np.linspace(0, len(results), points + 1, dtype=int).tolist())
    rows = [optimizer.in_steps()]
    for number, half_points in enumerate(results, 1):
        optimizer.add(half_points)
        if number in wanted:
            rows.append(optimizer.in_steps())
    return np.array(rows)


NAMED_TRAJECTORIES: Final = 10
"""Trajectories that the picture names; the others are grey."""


def table(optimizer: SpsaOptimizer) -> str:
    """Every number that moved, furthest first: its start, its value now, and the way between in steps."""
    rows = sorted(
        zip(optimizer.dimensions, optimizer.values(), optimizer.in_steps(), strict=True), key=lambda row: -abs(row[2])
    )
    lines = [f"{'name':<36} {'start':>7} {'now':>7} {'steps':>7}"]
    lines += [
        f"{one.name:<36} {one.start:>7} {value:>7} {way:>+7.2f}" for one, value, way in rows if value != one.start
    ]
    return "\n".join(lines)


def draw_trajectories(path: Path, title: str, optimizer: SpsaOptimizer, ways: NDArray[np.float64], pairs: int) -> bool:
    """Draw where the numbers stood (rows of `ways`, in steps) over the pairs; False where matplotlib is missing."""
    try:
        figures: Any = importlib.import_module("matplotlib.figure")
    except ModuleNotFoundError:
        return False
    figure = figures.Figure(figsize=(9, 5), layout="constrained")
    axes = figure.subplots()
    at = np.linspace(0, pairs, len(ways))
    furthest = np.argsort(-np.abs(ways[-1]))
    for number in furthest[NAMED_TRAJECTORIES:]:
        axes.plot(at, ways[:, number], color="0.8", linewidth=0.8)
    for number in furthest[:NAMED_TRAJECTORIES]:
        axes.plot(at, ways[:, number], label=optimizer.dimensions[number].name)
    axes.set(title=title, xlabel="pairs of games", ylabel="way from the start, in steps")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1, 1))
    figure.savefig(path, dpi=110)
    return True


def with_values(source: str, values: Mapping[str, str]) -> str:
    """Return the text of `params.py` with these values; raises ValueError for a name that it does not define."""
    for name, value in values.items():
        pattern = re.compile(rf"^({name} = )(?:-?[\d.]+|\([\d., -]*\))", re.MULTILINE)
        source, count = pattern.subn(rf"\g<1>{value}", source)
        if count != 1:
            raise ValueError(f"{name} = NUMBER stands {count} times in that file; give the params.py of this engine")
    return source
