"""The seam: symmetric, pure, bounded; known endgames; damping by the fifty-move clock."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import chess
import numpy as np
import pytest
from hypothesis import given, settings

from engine88.board.defs import MATE_BOUND
from engine88.evaluation.evaluate import SCORE_LIMIT, evaluate
from engine88.evaluation.evaluation_state import new_evaluation_state
from engine88.evaluation.network.network_file import FEATURES, OUTPUT_BUCKETS
from engine88.rules.fen import START_FEN, read_fen
from tests.engine88.evaluation.network.made_networks import random_network, state_with
from tests.engine88.games import choices, examples, starts, walk


def judge(fen: str) -> int:
    """Judgement by a fresh record."""
    return int(evaluate(read_fen(fen), new_evaluation_state()))


@settings(max_examples=examples(60), deadline=None)
@given(starts(), choices)
def test_a_mirrored_position_has_the_same_score(start: Any, numbers: list[int]) -> None:
    evaluation = new_evaluation_state()
    for position, board in walk(start, numbers):
        mirrored = read_fen(board.mirror().fen(en_passant="fen"), chess960=board.chess960)
        assert evaluate(position.board, evaluation) == evaluate(mirrored, evaluation), board.fen()


@settings(max_examples=examples(30), deadline=None)
@given(starts(), choices)
def test_a_used_evaluation_record_scores_like_a_fresh_one(start: Any, numbers: list[int]) -> None:
    used = new_evaluation_state()
    for position, _ in walk(start, numbers):
        before = bytes(position.board.tobytes())
        assert evaluate(position.board, used) == evaluate(position.board, new_evaluation_state())
        assert bytes(position.board.tobytes()) == before


def test_castling_rights_and_clock_of_a_fresh_game_do_not_count() -> None:
    assert judge(START_FEN) == judge(START_FEN.replace("KQkq", "-"))


def test_the_start_is_worth_the_tempo() -> None:
    assert 0 < judge(START_FEN) < 50


@pytest.mark.parametrize("piece", "PNBRQ")
def test_a_piece_more_is_better(piece: str) -> None:
    board = chess.Board()
    square = {"P": chess.E7, "N": chess.B8, "B": chess.C8, "R": chess.A8, "Q": chess.D8}[piece]
    board.remove_piece_at(square)
    board.castling_rights = chess.BB_EMPTY
    assert judge(board.fen()) > 40


def test_nine_queens_stay_below_mate_scores() -> None:
    board = chess.Board.empty()
    for square in (chess.A1, chess.B1, chess.C1, chess.D1, chess.E1, chess.F1, chess.A2, chess.B2, chess.C2):
        board.set_piece_at(square, chess.Piece.from_symbol("Q"))
    for square, symbol in ((chess.G2, "K"), (chess.H8, "k"), (chess.H7, "p"), (chess.G7, "p"), (chess.G8, "n")):
        board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    board.turn = chess.BLACK
    score = judge(board.fen())
    assert -MATE_BOUND < -SCORE_LIMIT <= score < -4000
    assert judge(board.mirror().fen()) == score


def test_a_score_of_the_network_counts_more_with_more_pieces() -> None:
    network = random_network()
    alike: dict[str, Any] = {
        name: np.stack([getattr(network, name)[0]] * OUTPUT_BUCKETS)
        for name in ("hidden_weights", "hidden_bias", "output_weights", "output_bias")
    }
    blind = replace(network, feature_weights=np.zeros((FEATURES, 32), np.int16), **alike)
    state, _network = state_with(blind)
    ending = evaluate(read_fen("4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1"), state)
    queens = evaluate(read_fen("q3k3/pppp4/8/8/8/8/4PPPP/Q3K3 w - - 0 1"), state)
    everything = evaluate(read_fen(START_FEN), state)
    assert 0 < abs(ending) < abs(queens) < abs(everything) < 1.5 * abs(ending)


def test_the_clock_draws_the_score_towards_zero() -> None:
    scores = [judge(f"4k3/pp6/8/8/8/8/PPP5/R3K3 w - - {clock} 80") for clock in (0, 40, 80, 100)]
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] * 2 == pytest.approx(scores[0], abs=2)


def test_a_clock_beyond_a_hundred_counts_as_a_hundred() -> None:
    assert judge("4k3/pp6/8/8/8/8/PPP5/R3K3 w - - 100 80") == judge("4k3/pp6/8/8/8/8/PPP5/R3K3 w - - 149 99")
