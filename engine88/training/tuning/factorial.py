"""Factorial games: in each pair one side has a random half of the changes and the other side the rest.

So one set of games measures all changes at once, each against a mixture of the others and as precisely as a match of
its own would. The effects are those of a linear regression. Source: R. A. Fisher, "The Design of Experiments" (1935),
chapter 6.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine88.training.tuning.spsa import SettingsPair

_BAR: Final = 1.959964
"""Standard deviations of a 95 % bar."""
_ELO_OF_A_SCORE: Final = 4 * 400 / np.log(10)
"""Elo of a difference of 1 in the expected score, near one half."""


@dataclass(frozen=True, slots=True)
class Change:
    """A number, and the two values that are compared."""

    name: str
    first: int
    second: int


def parse_change(text: str, names: Collection[str]) -> Change:
    """Read NAME=FIRST:SECOND; raises ValueError for another form, and for a name that is not one of `names`."""
    match = re.fullmatch(r"([\w\[\]]+)=(-?\d+):(-?\d+)", text)
    if match is None:
        raise ValueError(
            f"cannot read the change {text!r}; write NAME=FIRST:SECOND with whole numbers, like LMR_BASE=700:960"
        )
    if match[1] not in names:
        raise ValueError(f"{match[1]} is not a number that may move here; see param_ranges.py")
    return Change(match[1], int(match[2]), int(match[3]))


class Effect(NamedTuple):
    """What the second value of a change gains over the first, Elo, and half the width of its 95 % bar."""

    change: Change
    elo: float
    bar: float


def sides(seed: str, pair: int, changes: Sequence[Change]) -> SettingsPair:
    """The settings that meet in a pair: one has the second value wherever the other has the first."""
    seconds = _seconds(seed, pair, len(changes))
    drawn = list(zip(changes, seconds.tolist(), strict=True))
    return SettingsPair(
        tuple(one.second if is_second else one.first for one, is_second in drawn),
        tuple(one.first if is_second else one.second for one, is_second in drawn),
    )


def effects(seed: str, changes: Sequence[Change], results: Sequence[int]) -> list[Effect]:
    """The effect of each change, the best first; `results` are half points, 0 to 4, of the first setting of a pair.

    A pair scores half a point a game, plus the effect of each change whose second value its first setting has, minus
    that of the others. Empty until there are two more pairs than changes: fewer leave no error to estimate.
    """
    count, size = len(results), len(changes) + 1
    if count <= size:
        return []
    rows = np.ones((count, size))
    for pair in range(count):
        rows[pair, 1:] = np.where(_seconds(seed, pair, len(changes)), 1.0, -1.0)
    scores = np.array(results) / 4 - 0.5
    slopes, bars = regression(rows, scores, count - size)
    found_effects = [
        Effect(change, _ELO_OF_A_SCORE * slope, _ELO_OF_A_SCORE * bar)
        for change, slope, bar in zip(changes, slopes[1:].tolist(), bars[1:].tolist(), strict=True)
    ]
    return sorted(found_effects, key=lambda one: -one.elo)


def regression(
    rows: NDArray[np.float64], values: NDArray[np.float64], degrees_of_freedom: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The least-squares slopes of `values` [n] in the columns of `rows` [n, k], and half of their 95 % bars.

    `degrees_of_freedom` is the number of values less that of fitted numbers.
    """
    slopes = np.asarray(np.linalg.lstsq(rows, values, rcond=None)[0], np.float64)
    variance = float(np.sum((values - rows @ slopes) ** 2)) / degrees_of_freedom
    return slopes, _BAR * np.sqrt(variance * np.diag(np.linalg.pinv(rows.T @ rows)))


def effects_table(found: Sequence[Effect]) -> str:
    """A line for each effect."""
    lines = [f"{'name':<36} {'first':>7} {'second':>7} {'Elo':>7}"]
    lines += [
        f"{one.change.name:<36} {one.change.first:>7} {one.change.second:>7} {one.elo:>+7.1f} +-{one.bar:.1f}"
        for one in found
    ]
    return "\n".join(lines)


def _seconds(seed: str, pair: int, count: int) -> NDArray[np.bool_]:
    """Which changes the first setting of a pair has at their second value."""
    return np.random.default_rng([*seed.encode(), pair]).integers(0, 2, count).astype(np.bool_)
