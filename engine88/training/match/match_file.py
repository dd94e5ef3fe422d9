"""The PGN of a match: what was played is counted from it, so that a match goes on after any end."""

import re
from dataclasses import dataclass
from typing import Final

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
