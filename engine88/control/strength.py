"""Limited playing strength: ``UCI_LimitStrength`` and ``UCI_Elo``.

Weak human players calculate less and choose among moves that look equally good to them. A limited engine therefore
searches few nodes with several lines, and picks one line at random by a softmax of the scores. Lines much worse than
the best are never picked, and neither is any other line beside a mate.

STRENGTH_LEVELS gives nodes of each line, lines and temperature by Elo; between its points nodes are interpolated by
their logarithm. It was calibrated by matches at the same UCI_Elo against an earlier version, which had been calibrated
against Stockfish 15.1 (docs/strength.md).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from engine88.contract import MAX_ELO, MIN_ELO


@dataclass(frozen=True, slots=True)
class Handicap:
    """What a weakened engine may do.

    Nodes for one move, all lines together; lines to compare; softmax temperature in centipawns.
    """

    nodes: int
    lines: int
    temperature_cp: float


@dataclass(frozen=True, slots=True)
class StrengthLevel:
    """One calibrated point of STRENGTH_LEVELS.

    `line_nodes` are for each of the lines, so that fewer lines make a move quicker and hardly a better one. One ply of
    every line is searched in any case.
    """

    elo: int
    line_nodes: int
    lines: int
    temperature_cp: float


STRENGTH_LEVELS = (
    StrengthLevel(1000, 22, 4, 170.0),
    StrengthLevel(1350, 66, 4, 47.0),
    StrengthLevel(1600, 165, 4, 30.0),
    StrengthLevel(1750, 350, 4, 20.0),
    StrengthLevel(1900, 1_400, 4, 8.6),
    StrengthLevel(2200, 16_500, 2, 4.7),
    StrengthLevel(2500, 120_000, 1, 0.0),
    StrengthLevel(2800, 650_000, 1, 0.0),
)
# A line is "plausible" when it is at most this many temperatures worse than the best.
MAX_TEMPERATURES = 3.0


def handicap(elo: int) -> Handicap:
    """Return the handicap for an Elo of MIN_ELO..MAX_ELO; raises ValueError outside."""
    if not MIN_ELO <= elo <= MAX_ELO:
        raise ValueError(f"UCI_Elo must be from {MIN_ELO} to {MAX_ELO}, not {elo}")
    low = max((level for level in STRENGTH_LEVELS if level.elo <= elo), key=lambda level: level.elo)
    high = min((level for level in STRENGTH_LEVELS if level.elo >= elo), key=lambda level: level.elo)
    share = (elo - low.elo) / max(high.elo - low.elo, 1)
    nodes = low.lines * low.line_nodes * (high.line_nodes / low.line_nodes) ** share
    return Handicap(round(nodes), low.lines, low.temperature_cp + share * (high.temperature_cp - low.temperature_cp))


def choose_line(scores_cp: Sequence[int], temperature_cp: float, random: Random) -> int:
    """Return the index of the line to play: the first (best) most often, an implausible one never.

    ``scores_cp`` are the lines' scores for the side to move, in any order; mates count as their large scores, so that
    beside a mate nothing else is plausible.  Raises ValueError when there is no line.
    """
    if not scores_cp:
        raise ValueError("there is no line to choose from")
    best = max(scores_cp)
    if temperature_cp <= 0.0:
        return scores_cp.index(best)
    weights = [_weight((best - score) / temperature_cp) for score in scores_cp]
    return random.choices(range(len(scores_cp)), weights)[0]


def _weight(temperatures: float) -> float:
    """Return the softmax weight of a line that many temperatures worse than the best."""
    return math.exp(-temperatures) if temperatures <= MAX_TEMPERATURES else 0.0
