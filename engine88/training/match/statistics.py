"""Statistics of a match from its pairs of games: Elo with error bars, and the sequential test of two hypotheses.

A pair is two games from one opening with colours changed; its five results (pentanomial) vary less than two games from
different openings would. Sources: M. Van den Bergh, "The generalized sequential probability ratio test for chess"
(GSPRT) and "Normalized Elo"; chessprogramming wiki, "Sequential Probability Ratio Test".
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

Model = Literal["logistic", "normalised"]

_CONFIDENCE: Final = 1.959964  # standard deviations of a 95 % bar
_NORMALISED_UNIT: Final = 800 / math.log(10)  # normalised Elo of one standard deviation of a game
_SHARE_OF_A_PAIR: Final = 0.2  # one pair is added, spread over all results: a few equal ones leave no doubt otherwise


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of elo0 against elo1 with the chances of a wrong answer."""

    elo0: float
    elo1: float
    model: Model = "logistic"
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which elo0 (lower) or elo1 (upper) is accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)


@dataclass(frozen=True, slots=True)
class Statistics:
    """What the pairs say of the first engine: score (0..1) of a game, Elo with 95 % bars, likelihood of superiority."""

    pairs: int
    score: float
    elo: float
    elo_low: float
    elo_high: float
    normalised_elo: float
    normalised_bar: float
    superiority: float


def statistics(pentanomial: Sequence[int]) -> Statistics:
    """The statistics of pairs; `pentanomial[i]` is the number of pairs in which the first engine made i half points."""
    pairs = sum(pentanomial)
    if pairs == 0:
        return Statistics(0, 0.5, 0.0, -math.inf, math.inf, 0.0, math.inf, 0.5)
    score = sum(count * half_points for half_points, count in enumerate(pentanomial)) / 4 / pairs
    _, variance = _moments(pentanomial)
    error = math.sqrt(variance / pairs)
    per_game = math.sqrt(2 * variance)  # standard deviation of one game
    return Statistics(
        pairs,
        score,
        elo_of(score),
        elo_of(score - _CONFIDENCE * error),
        elo_of(score + _CONFIDENCE * error),
        (score - 0.5) / per_game * _NORMALISED_UNIT,
        _CONFIDENCE * error / per_game * _NORMALISED_UNIT,
        0.5 * (1 + math.erf((score - 0.5) / error / math.sqrt(2))),
    )


def log_likelihood_ratio(pentanomial: Sequence[int], sprt: Sprt) -> float:
    """How much likelier elo1 is than elo0, as a logarithm (the approximation of GSPRT by mean and variance)."""
    pairs = sum(pentanomial)
    if pairs == 0:
        return 0.0
    mean, variance = _moments(pentanomial)
    if sprt.model == "normalised":
        unit = math.sqrt(2 * variance) / _NORMALISED_UNIT
        score0, score1 = 0.5 + sprt.elo0 * unit, 0.5 + sprt.elo1 * unit
    else:
        score0, score1 = score_of(sprt.elo0), score_of(sprt.elo1)
    return pairs * (score1 - score0) * (2 * mean - score0 - score1) / (2 * variance)


def verdict(pentanomial: Sequence[int], sprt: Sprt) -> str | None:
    """What the test has decided, or None while it is open."""
    ratio = log_likelihood_ratio(pentanomial, sprt)
    low, high = sprt.bounds
    if ratio >= high:
        return f"SPRT: {sprt.elo1:g} Elo accepted"
    return f"SPRT: {sprt.elo0:g} Elo accepted" if ratio <= low else None


def elo_of(score: float) -> float:
    """The difference in logistic Elo of an expected score."""
    return math.inf if score >= 1 else -math.inf if score <= 0 else -400 * math.log10(1 / score - 1)


def score_of(elo: float) -> float:
    """The expected score of a difference in logistic Elo."""
    return 1 / (1 + 10 ** (-elo / 400))


def _moments(pentanomial: Sequence[int]) -> tuple[float, float]:
    """Mean and variance of the score (0..1) of a pair, with one pair added."""
    counts = [count + _SHARE_OF_A_PAIR for count in pentanomial]
    total = sum(counts)
    mean = sum(count * i / 4 for i, count in enumerate(counts)) / total
    return mean, sum(count * (i / 4 - mean) ** 2 for i, count in enumerate(counts)) / total
