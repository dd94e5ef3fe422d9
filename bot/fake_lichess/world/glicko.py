"""Glicko-2 ratings (M. E. Glickman, "Example of the Glicko-2 system", 2013), with the bounds that Lichess sets.

http://www.glicko.net/glicko/glicko2.pdf; the numbers of the steps below are the paper's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

SCALE = 173.7178
TAU = 0.75
CONVERGENCE = 1e-6
MIN_RATING, MIN_DEVIATION, MAX_DEVIATION, MAX_VOLATILITY = 400.0, 45.0, 500.0, 0.1
PROVISIONAL_DEVIATION = 110.0


@dataclass(frozen=True)
class Glicko:
    """Rating and deviation on the usual scale, and the volatility."""

    rating: float = 1500.0
    deviation: float = MAX_DEVIATION
    volatility: float = 0.09

    @property
    def provisional(self) -> bool:
        """Too uncertain to be shown without a question mark."""
        return self.deviation > PROVISIONAL_DEVIATION

    @property
    def _mu(self) -> float:
        return (self.rating - 1500) / SCALE

    @property
    def _phi(self) -> float:
        return self.deviation / SCALE


Result = tuple[Glicko, float]


def rate(player: Glicko, results: Sequence[Result], tau: float = TAU, periods: float = 1.0) -> Glicko:
    """Return the rating after these results: opponent and score (1, 0.5 or 0) of each game.

    `periods`: how many rating periods have passed since the last results; 0 lets no uncertainty be added.
    """
    terms = [_game_terms(player, opponent, score) for opponent, score in results]
    variance = 1 / sum(information for information, _ in terms)  # step 3
    surprise = sum(difference for _, difference in terms)
    sigma = _volatility(player, variance * surprise, variance, tau)  # steps 4 and 5
    phi_star_squared = player._phi**2 + periods * sigma**2  # step 6
    phi = 1 / math.sqrt(1 / phi_star_squared + 1 / variance)  # step 7
    mu = player._mu + phi**2 * surprise
    return Glicko(1500 + SCALE * mu, SCALE * phi, sigma)  # step 8


def bounded(glicko: Glicko) -> Glicko:
    """Within the bounds of lila's `Glicko.cap`."""
    deviation = min(MAX_DEVIATION, max(MIN_DEVIATION, glicko.deviation))
    return Glicko(max(MIN_RATING, glicko.rating), deviation, min(MAX_VOLATILITY, glicko.volatility))


def _game_terms(player: Glicko, opponent: Glicko, score: float) -> tuple[float, float]:
    """Return the information of one game, and the weighted difference between its score and the expected one."""
    weight = 1 / math.sqrt(1 + 3 * opponent._phi**2 / math.pi**2)
    expected = 1 / (1 + math.exp(-weight * (player._mu - opponent._mu)))
    return weight**2 * expected * (1 - expected), weight * (score - expected)


def _volatility(player: Glicko, delta: float, variance: float, tau: float) -> float:
    """Step 5, the Illinois variant of regula falsi for the root of `slope`."""
    phi_squared, start = player._phi**2, math.log(player.volatility**2)

    def slope(x: float) -> float:
        total = phi_squared + variance + math.exp(x)
        return math.exp(x) * (delta**2 - total) / (2 * total**2) - (x - start) / tau**2

    low = start
    if delta**2 > phi_squared + variance:
        high = math.log(delta**2 - phi_squared - variance)
    else:
        steps = 1
        while slope(start - steps * tau) < 0:
            steps += 1
        high = start - steps * tau
    slope_low, slope_high = slope(low), slope(high)
    while abs(high - low) > CONVERGENCE:
        middle = low + (low - high) * slope_low / (slope_high - slope_low)
        slope_middle = slope(middle)
        if slope_middle * slope_high <= 0:
            low, slope_low = high, slope_high
        else:
            slope_low /= 2
        high, slope_high = middle, slope_middle
    return math.exp(low / 2)
