"""What surrounds a passed pawn: kings, blockers, attacked ways, rooks behind it."""

from __future__ import annotations

import pytest

from engine88.evaluation.classical.passers import passer_scores
from engine88.evaluation.classical.pawns import probe_pawns
from engine88.evaluation.classical.terms import endgame
from engine88.evaluation.evaluate import evaluate
from engine88.evaluation.evaluation_state import new_evaluation_state
from engine88.rules.fen import read_fen


def surroundings(placement: str) -> int:
    """Endgame value for White of the surroundings of its passed pawns."""
    board, state = read_fen(f"{placement} w - - 0 1"), new_evaluation_state()
    evaluate(board, state)
    evaluation = state.classical
    return int(endgame(passer_scores(board, evaluation, probe_pawns(board, evaluation), 0)))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("8/8/1K6/P7/8/8/8/5k1n", "8/8/2k5/P7/8/8/8/5K1n"),  # own king near, enemy king far
        ("7k/8/8/P7/8/8/8/1n5K", "7k/8/n7/P7/8/8/8/7K"),  # a knight on the stop square
        ("7k/8/P7/8/8/8/8/R1r4K", "7k/8/P7/8/8/8/8/r1R4K"),  # own rook behind it, not the enemy's
    ],
)
def test_the_better_surroundings_score_more(better: str, worse: str) -> None:
    assert surroundings(better) > surroundings(worse)


def test_pawns_at_home_have_no_surroundings() -> None:
    assert surroundings("4k3/1r6/8/8/8/8/P7/4K3") == 0
