"""What a network learns is its own score, not the one that the search has scaled by material."""

import numpy as np
import pytest

from engine88.board.defs import MATE_BOUND
from engine88.evaluation.evaluate import evaluate
from engine88.evaluation.evaluation_state import new_evaluation_state
from engine88.evaluation.network.inference import network_score
from engine88.evaluation.network.loaded_network import DEFAULT_FILE, load_network
from engine88.rules.position import Position
from engine88.training.game_file import MAX_SCORE_CP
from engine88.training.label import label_cp

A_KNIGHT_UP = "r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
A_PAWN_UP = "8/8/1p1k4/p1p2p2/P1P2P2/1P1K2P1/8/8 w - - 0 1"


@pytest.mark.parametrize("fen", [A_KNIGHT_UP, A_PAWN_UP])
def test_a_label_is_what_the_network_says_before_it_is_scaled(fen: str) -> None:
    network = load_network(DEFAULT_FILE)  # its memory must stay alive
    board, evaluation = Position.from_fen(fen).board, new_evaluation_state(network)
    alone, scaled = int(network_score(board, evaluation.network)), int(evaluate(board, evaluation))
    assert abs(alone - scaled) > 2
    assert abs(int(label_cp(board, evaluation, scaled)) - alone) <= 2  # rounded twice


def test_mates_and_the_scores_of_the_terms_are_left_alone() -> None:
    network = load_network(DEFAULT_FILE)
    board = Position.from_fen(A_PAWN_UP).board
    for mate in (MATE_BOUND + 3, -MATE_BOUND - 3):
        assert label_cp(board, new_evaluation_state(network), mate) == np.clip(mate, -MAX_SCORE_CP, MAX_SCORE_CP)
    assert label_cp(board, new_evaluation_state(), 100) == 100
