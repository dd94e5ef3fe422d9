"""Games end where the rules or the scores end them; python-chess is the referee."""

from __future__ import annotations

import chess
import numpy as np
import pytest

from engine88.board.record import copy_board
from engine88.compiler.warmup import warm_up
from engine88.rules.position import Position
from engine88.training.selfplay.deepen import Searching
from engine88.training.selfplay.game import (
    BLACK_WON,
    DRAWN,
    WHITE_WON,
    GameRules,
    called_result,
    far_ahead,
    near_level,
    play_game,
)
from tests.engine88.games import compiled_only
from tests.engine88.training.random_games import uci

PLAYED_OUT = GameRules(300, 1000, won_plies=1000, level_plies=1000)


def played(fen: str, rules: GameRules) -> tuple[int, chess.Board, list[int]]:
    """The result, the board after all moves, and the scores."""
    warm_up()
    searching = Searching(1, None)
    searching.clear()
    moves, scores = np.empty(rules.most_plies, np.uint16), np.empty(rules.most_plies, np.int16)
    result, plies = play_game(copy_board(Position.from_fen(fen).board), searching.memory, rules, moves, scores)
    board = chess.Board(fen)
    for code in moves[:plies]:
        assert board.outcome(claim_draw=False) is None
        move = chess.Move.from_uci(uci(board, int(code)))
        assert move in board.legal_moves
        board.push(move)
    return int(result), board, scores[:plies].tolist()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fen", "result"),
    [
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", WHITE_WON),
        ("6q1/8/8/8/8/5k2/8/7K b - - 0 1", BLACK_WON),
        ("k7/8/8/8/8/8/8/K1N5 w - - 0 1", DRAWN),  # dead at once
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", DRAWN),  # stalemate
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", WHITE_WON),  # mate
    ],
)
def test_a_game_played_out_ends_as_the_referee_says(fen: str, result: int) -> None:
    found, board, _ = played(fen, PLAYED_OUT)
    assert found == result
    outcome = board.outcome(claim_draw=True)
    assert outcome is not None
    assert outcome.winner == {WHITE_WON: chess.WHITE, BLACK_WON: chess.BLACK, DRAWN: None}[found]


@compiled_only("it plays whole games")
def test_whole_games_end_as_the_referee_says() -> None:
    for seed in ("rnbqkb1r/pppp1ppp/5n2/4p3/4P3/3P4/PPP2PPP/RNBQKBNR w KQkq - 0 3", chess.STARTING_FEN):
        found, board, scores = played(seed, PLAYED_OUT)
        outcome = board.outcome(claim_draw=True)
        if len(scores) < PLAYED_OUT.most_plies:
            assert outcome is not None
        winner = outcome.winner if outcome else None
        assert winner == {WHITE_WON: chess.WHITE, BLACK_WON: chess.BLACK, DRAWN: None}[found]


def test_a_repetition_and_fifty_moves_are_draws() -> None:
    found, board, _ = played("4k3/4r3/8/8/8/8/4R3/4K3 w - - 90 80", PLAYED_OUT)
    assert found == DRAWN
    assert board.can_claim_draw() or board.is_insufficient_material()


def test_far_ahead_for_some_plies_is_won_without_playing_on() -> None:
    found, board, scores = played("7k/8/8/8/8/8/8/KQQ5 w - - 0 1", GameRules(300, 1000, won_plies=2))
    assert found == WHITE_WON
    assert len(scores) == 2
    assert min(scores) > 2000
    assert board.outcome() is None


@pytest.mark.parametrize(
    ("won", "level", "plies", "result"),
    [
        (5, 0, 10, WHITE_WON),
        (4, 0, 10, -1),
        (-5, 0, 10, BLACK_WON),
        (0, 14, 80, DRAWN),
        (0, 14, 79, -1),
        (0, 13, 200, -1),
    ],
)
def test_what_the_scores_say(won: int, level: int, plies: int, result: int) -> None:
    assert called_result(GameRules(), won, level, plies) == result


@pytest.mark.parametrize(("score", "level"), [(5, 8), (-5, 8), (6, 0), (-6, 0), (0, 8)])
def test_scores_within_the_bound_are_level(score: int, level: int) -> None:
    assert near_level(GameRules(level_cp=5), 7, score) == level


@pytest.mark.parametrize(
    ("won", "score", "ahead"),
    [(0, 11, 1), (2, 11, 3), (-2, 11, 1), (0, 10, 0), (-1, -11, -2), (3, -11, -1), (-1, -10, 0)],
)
def test_scores_beyond_the_bound_are_far_ahead(won: int, score: int, ahead: int) -> None:
    assert far_ahead(GameRules(won_cp=10), won, score) == ahead


@pytest.mark.parametrize(
    ("fen", "result"),
    [
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 90", WHITE_WON),  # mate goes before fifty moves
        ("R5k1/5pp1/7p/8/8/8/8/6K1 b - - 100 90", DRAWN),  # check, and a way out
        ("6k1/5pp1/7p/8/8/8/8/R5K1 w - - 100 90", DRAWN),
    ],
)
def test_fifty_moves_draw_unless_the_last_one_mates(fen: str, result: int) -> None:
    found, _, scores = played(fen, PLAYED_OUT)
    assert (found, scores) == (result, [])


def test_the_longest_game_is_a_draw() -> None:
    found, _, scores = played(chess.STARTING_FEN, GameRules(50, 100, most_plies=6))
    assert (found, len(scores)) == (DRAWN, 6)
