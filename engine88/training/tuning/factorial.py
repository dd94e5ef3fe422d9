"""Factorial games: in each pair one side has a random half of the changes and the other side the rest.

So one set of games measures all changes at once, each against a mixture of the others and as precisely as a match of
its own would. The effects are those of a linear regression. Source: R. A. Fisher, "The Design of Experiments" (1935),
chapter 6.
"""

from collections.abc import Sequence
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
    """A number of the search, and the two values that are compared."""

    name: str
    first: int
    second: int


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
    found, *_ = np.linalg.lstsq(rows, scores, rcond=None)
    variance = float(np.sum((scores - rows @ found) ** 2)) / (count - size)
    errors = np.sqrt(variance * np.diag(np.linalg.pinv(rows.T @ rows)))
    found_effects = [
        Effect(change, _ELO_OF_A_SCORE * slope, _BAR * _ELO_OF_A_SCORE * error)
        for change, slope, error in zip(changes, found[1:].tolist(), errors[1:].tolist(), strict=True)
    ]
    return sorted(found_effects, key=lambda one: -one.elo)


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
