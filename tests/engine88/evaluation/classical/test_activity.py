"""Activity: outposts, files, bishops and shut-in rooks are worth what their names say."""

from __future__ import annotations

import pytest

from engine88.evaluation.evaluate import evaluate
from engine88.evaluation.evaluation_state import new_evaluation_state
from engine88.rules.fen import read_fen


def judge(placement: str) -> int:
    """White's judgement of a placement, White to move."""
    return int(evaluate(read_fen(f"{placement} w - - 0 1"), new_evaluation_state()))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        # a guarded knight that no pawn can drive away, against one that a pawn can
        ("r5k1/5ppp/1p6/3N4/2P5/8/5PPP/R5K1", "r5k1/5ppp/4p3/3N4/2P5/8/5PPP/R5K1"),
        # a rook on an open file, against one behind its pawn
        ("3r2k1/p4ppp/8/8/8/8/P4PPP/1R4K1", "3r2k1/p4ppp/8/8/8/8/P4PPP/R5K1"),
        # the same rooks and king; castled by hand or shut in the corner
        ("r4rk1/5ppp/8/8/8/8/5PPP/R4RK1", "r4rk1/5ppp/8/8/8/8/5PPP/R4K1R"),
        # a bishop whose pawns stand on the other shade
        ("6k1/pp3ppp/8/4p3/4P3/1P6/P1B2PPP/6K1", "6k1/pp3ppp/8/4p3/4P3/2P5/P1B2PPP/6K1"),
    ],
)
def test_the_better_placed_piece_scores_more(better: str, worse: str) -> None:
    assert judge(better) > judge(worse)


def test_two_bishops_beat_bishop_and_knight() -> None:
    pair = judge("rn2kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KB1R")
    mixed = judge("rn2kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1K1NR")
    assert pair > mixed
