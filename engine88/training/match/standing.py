"""The standing of a match: its file of games, the sum of their results, and what they say of the engines.

A pair is two games from one opening with colours changed; its five results (pentanomial) vary less than two games from
different openings would. Sources: M. Van den Bergh, "The generalized sequential probability ratio test for chess"
(GSPRT) and "Normalized Elo"; chessprogramming wiki, "Sequential Probability Ratio Test".
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
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


_GAME: Final = re.compile(
    r'\[Event "[^"\n]*"\]\n(?:\[[^\n]*\]\n)*?\[Round "(?P<pair>\d+)\.(?P<game>[12])"\]\n(?:\[[^\n]*\]\n)*?'
    r'\[Result "(?P<result>1-0|0-1|1/2-1/2)"\]\n\[Termination "(?P<reason>[^"\n]*)"\]\n(?:\[[^\n]*\]\n)*\n'
    r"(?:(?!\[)[^\n]+\n)+\n"
)
_HALF_POINTS: Final = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}


@dataclass(frozen=True, slots=True)
class PlayedPair:
    """The half points of the first engine in both games of a pair, and why they ended."""

    half_points: tuple[int, int]
    reasons: tuple[str, str]


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """The whole pairs at the start of a PGN file, and how many bytes they take."""

    pairs: tuple[PlayedPair, ...]
    size: int


def read_pairs(text: str) -> MatchRecord:
    """The whole pairs at the start of the text that `play_pair` writes, in the order of their numbers."""
    pairs: list[PlayedPair] = []
    at = end = 0
    while True:
        first = _GAME.match(text, at)
        second = _GAME.match(text, first.end()) if first else None
        if first is None or second is None:
            return MatchRecord(tuple(pairs), len(text[:end].encode()))
        wanted = str(len(pairs) + 1)
        numbers = [first["pair"], first["game"], second["pair"], second["game"]]
        if numbers != [wanted, "1", wanted, "2"]:
            return MatchRecord(tuple(pairs), len(text[:end].encode()))
        points = _HALF_POINTS[first["result"]], 2 - _HALF_POINTS[second["result"]]
        pairs.append(PlayedPair(points, (first["reason"], second["reason"])))
        at = end = second.end()


class Standing:
    """Counts pairs; `pentanomial[i]` pairs gave the first engine i half points, `reasons` says how games ended."""

    def __init__(self, pairs: Iterable[PlayedPair] = ()) -> None:
        """Begin with the pairs that were played before."""
        self.pentanomial = [0] * 5
        self._games = [0] * 3
        self.reasons: Counter[str] = Counter()
        for pair in pairs:
            self.add(pair)

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return sum(self.pentanomial)

    def add(self, pair: PlayedPair) -> None:
        """Count one more."""
        self.pentanomial[sum(pair.half_points)] += 1
        for half_points in pair.half_points:
            self._games[half_points] += 1
        self.reasons.update(pair.reasons)

    def line(self, sprt: Sprt | None) -> str:
        """Games, results, Elo with 95 % bars, and the test if there is one."""
        found = statistics(self.pentanomial)
        lost, drawn, won = self._games
        text = (
            f"{2 * self.pairs} games: +{won} ={drawn} -{lost}, pairs {self.pentanomial}, {100 * found.score:.1f} %, "
            f"Elo {found.elo:+.1f} ({found.elo_low:+.1f} to {found.elo_high:+.1f}), "
            f"normalised {found.normalised_elo:+.1f} +-{found.normalised_bar:.1f}, "
            f"superior {100 * found.superiority:.1f} %"
        )
        if sprt is None:
            return text
        low, high = sprt.bounds
        ratio = log_likelihood_ratio(self.pentanomial, sprt)
        return f"{text}, LLR {ratio:+.2f} ({low:.2f} to {high:.2f}) [{sprt.elo0:g}, {sprt.elo1:g}]"

    def endings(self) -> str:
        """How the games ended, the most frequent first."""
        return ", ".join(f"{count} {reason}" for reason, count in self.reasons.most_common())
