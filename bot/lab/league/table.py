"""The table of a league: points, and ratings by the model of Bradley and Terry with their error bars."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.lab.league.league_file import Played
from bot.lab.players import Contestant

_PER_ELO = math.log(10) / 400
_STEPS, _LONGEST_STEP = 50, 300.0
SIGMAS = 1.96  # 95 %


@dataclass(frozen=True, slots=True)
class Row:
    """One player's results. `error` is half the width of the 95 % interval in Elo."""

    name: str
    elo: float
    error: float
    wins: int
    draws: int
    losses: int
    forfeits: int
    faults: int
    #: Points and games against each opponent.
    against: Mapping[str, tuple[float, int]]

    @property
    def games(self) -> int:
        """Games played."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Points won."""
        return self.wins + self.draws / 2


def table(players: Sequence[Contestant], games: Sequence[Played]) -> list[Row]:
    """Return the rows, the best first. Ratings are relative to levels of known strength, else to the average."""
    names = [player.name for player in players]
    found = {name: _against(name, games) for name in names}
    elos, errors = bradley_terry([[found[one].get(other, (0.0, 0)) for other in names] for one in names])
    levels = [player.elo - elo for player, elo in zip(players, elos, strict=True) if player.elo is not None]
    shift = sum(levels) / len(levels) if levels else 0.0
    rows = []
    for name, elo, error in zip(names, elos, errors, strict=True):
        points = [game.points(name) for game in games if name in (game.white, game.black)]
        counts = (points.count(1.0), points.count(0.5), points.count(0.0))
        forfeits = sum(game.forfeited(name) for game in games if name in (game.white, game.black))
        faults = sum(len(game.faults.get(name, ())) for game in games)
        rows.append(Row(name, elo + shift, error, *counts, forfeits, faults, found[name]))
    return sorted(rows, key=lambda row: (-row.elo, row.name))


def _against(name: str, games: Sequence[Played]) -> dict[str, tuple[float, int]]:
    found: dict[str, tuple[float, int]] = {}
    for game in games:
        if name in (game.white, game.black):
            other = game.black if name == game.white else game.white
            points, count = found.get(other, (0.0, 0))
            found[other] = (points + game.points(name), count + 1)
    return found


def bradley_terry(results: Sequence[Sequence[tuple[float, int]]]) -> tuple[list[float], list[float]]:
    """Return Elo ratings whose average is 0, and half the width of their 95 % intervals about the average.

    `results[i][j]`: points of i against j, and their games. The ratings maximise the likelihood of

        expected points of i against j = 1 / (1 + 10^((elo_j - elo_i) / 400)),

    a draw being half a point (R. A. Bradley and M. E. Terry, Biometrika 39, 1952). One more draw of each player against
    a player rated 0 keeps the ratings finite where somebody won or lost all games. Newton's method finds the maximum;
    the inverse of the information matrix there holds the variances.
    """
    size = range(len(results))
    elos = [0.0 for _ in size]
    inverse: list[list[float]] = []
    for _ in range(_STEPS):
        gradient = [0.5 - _expected(elos[i], 0.0) for i in size]
        weights = [[0.0 for _ in size] for _ in size]
        for i in size:
            weights[i][i] += _weight(elos[i], 0.0)
            for j in size:
                points, count = results[i][j]
                gradient[i] += points - count * _expected(elos[i], elos[j])
                weights[i][i] += count * _weight(elos[i], elos[j])
                weights[i][j] -= count * _weight(elos[i], elos[j])
        inverse = _inverse(weights)
        steps = [sum(inverse[i][j] * gradient[j] for j in size) / _PER_ELO for i in size]
        elos = [elo + max(-_LONGEST_STEP, min(_LONGEST_STEP, step)) for elo, step in zip(elos, steps, strict=True)]
        if all(abs(step) < 0.001 for step in steps):
            break
    average = sum(elos) / max(1, len(elos))
    return [elo - average for elo in elos], [SIGMAS * math.sqrt(one) / _PER_ELO for one in _about_average(inverse)]


def _about_average(covariance: Sequence[Sequence[float]]) -> list[float]:
    """Return the variance of each value's difference from their average."""
    size = len(covariance)
    means = [sum(row) / size for row in covariance]
    return [covariance[i][i] - 2 * means[i] + sum(means) / size for i in range(size)]


def _expected(own: float, other: float) -> float:
    return 1 / (1 + math.exp((other - own) * _PER_ELO))


def _weight(own: float, other: float) -> float:
    expected = _expected(own, other)
    return expected * (1 - expected)


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Invert a symmetric, positive definite matrix by the Gauss-Jordan method: the bot does not import NumPy."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for i in range(size):
        pivot = rows[i][i]
        rows[i] = [value / pivot for value in rows[i]]
        for k in range(size):
            if k != i:
                factor = rows[k][i]
                rows[k] = [value - factor * own for value, own in zip(rows[k], rows[i], strict=True)]
    return [row[size:] for row in rows]
