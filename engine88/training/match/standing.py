"""The standing of a match: its file of games and the sum of their results."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine88.training.match.statistics import Sprt, log_likelihood_ratio, statistics

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
