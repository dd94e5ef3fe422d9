"""How good a move was, from the scores before and after it, by the formulas that Lichess publishes.

Source: https://lichess.org/page/accuracy. The chance to win in percent is
50 + 50 * (2 / (1 + exp(-0.00368208 * centipawns)) - 1); a move's accuracy in percent is
103.1668 * exp(-0.04354 * (chance before - chance after)) - 3.1669, at most 100, both for the mover. The accuracy of
several moves is their arithmetic mean here; Lichess's figure for a game weights them by how sharp the position was.
"""

from __future__ import annotations

import math

#: Scores beyond, mates among them, count as this many centipawns.
MOST_CP = 1000
#: Losses in percent of winning chance from which a move is called so, the worst first; Lichess names them alike.
_JUDGEMENTS = ((15.0, "blunder"), (10.0, "mistake"), (5.0, "inaccuracy"))
JUDGEMENTS = tuple(name for _loss, name in _JUDGEMENTS)


def winning_chance(score_cp: int | None, mate_in: int | None) -> float:
    """Return the chance to win in percent of the side whose score this is; without a score 50."""
    if mate_in is not None:
        score_cp = MOST_CP if mate_in > 0 else -MOST_CP
    clipped = max(-MOST_CP, min(MOST_CP, score_cp or 0))
    return 50.0 + 50.0 * (2.0 / (1.0 + math.exp(-0.00368208 * clipped)) - 1.0)


def move_accuracy(before: float, after: float) -> float:
    """Return a move's accuracy in percent from the mover's chances in percent before and after it."""
    if after >= before:
        return 100.0
    return max(0.0, min(100.0, 103.1668 * math.exp(-0.04354 * (before - after)) - 3.1669))


def judgement(before: float, after: float) -> str:
    """Return "blunder", "mistake", "inaccuracy", or "" for a move that is none of them."""
    return next((name for loss, name in _JUDGEMENTS if before - after >= loss), "")
