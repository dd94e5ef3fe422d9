"""Playing weaker on purpose: ``UCI_LimitStrength`` and ``UCI_Elo``.

A weak human does not drop a queen at random: he sees less far, and he chooses among the moves that look good to
him. So a weakened engine searches few nodes (it sees less far) with several lines, and draws one of them by a
softmax of the score differences (it is not sure). A line that is much worse than the best is never drawn, and a
mate in hand is never let go.

The ladder below gives, for each Elo, nodes, lines and doubt; it is interpolated (nodes by their logarithm) and
was set by matches against Stockfish 15.1 at the same UCI_Elo (docs/strength.md).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from engine88.contract import MAX_ELO, MIN_ELO


@dataclass(frozen=True, slots=True)
class Handicap:
    """What a weakened engine may do.

    Nodes for one move, lines to compare, doubt (softmax temperature, centipawns).
    """

    nodes: int
    lines: int
    doubt_cp: float


@dataclass(frozen=True, slots=True)
class Rung:
    """One calibrated point of the ladder."""

    elo: int
    nodes: int
    lines: int
    doubt_cp: float


LADDER = (
    Rung(1000, 60, 4, 70.0),
    Rung(1350, 220, 4, 43.0),
    Rung(1600, 3_300, 4, 20.0),
    Rung(2000, 38_000, 2, 5.5),
    Rung(2300, 250_000, 2, 3.0),
    Rung(2600, 1_000_000, 1, 0.0),
)
# A line is "plausible" when it is at most this many doubts worse than the best.
PLAUSIBLE_DOUBTS = 3.0


def handicap(elo: int) -> Handicap:
    """Return the handicap for an Elo of MIN_ELO..MAX_ELO; raises ValueError outside."""
    if not MIN_ELO <= elo <= MAX_ELO:
        raise ValueError(f"UCI_Elo must be from {MIN_ELO} to {MAX_ELO}, not {elo}")
    low = max((rung for rung in LADDER if rung.elo <= elo), key=lambda rung: rung.elo)
    high = min((rung for rung in LADDER if rung.elo >= elo), key=lambda rung: rung.elo)
    share = (elo - low.elo) / max(high.elo - low.elo, 1)
    nodes = math.exp(math.log(low.nodes) + share * (math.log(high.nodes) - math.log(low.nodes)))
    return Handicap(round(nodes), low.lines, low.doubt_cp + share * (high.doubt_cp - low.doubt_cp))


def choose(scores_cp: Sequence[int], doubt_cp: float, random: Random) -> int:
    """Return the index of the line to play: the first (best) most often, an implausible one never.

    ``scores_cp`` are the lines' scores for the side to move, in any order; mates count as their large scores, so that
    beside a mate nothing else is plausible.  Raises ValueError when there is no line.
    """
    if not scores_cp:
        raise ValueError("there is no line to choose from")
    best = max(scores_cp)
    if doubt_cp <= 0.0:
        return scores_cp.index(best)
    weights = [_weight((best - score) / doubt_cp) for score in scores_cp]
    return random.choices(range(len(scores_cp)), weights)[0]


def _weight(doubts: float) -> float:
    """Return the softmax weight of a line that many doubts worse than the best."""
    return math.exp(-doubts) if doubts <= PLAUSIBLE_DOUBTS else 0.0
