"""The integer inference against plain numbers, from scratch and move by move."""

from __future__ import annotations

import random
from dataclasses import replace

import chess
import numpy as np
import pytest

from engine88.board.record import copy_board
from engine88.compiler.dot_products import ROWS
from engine88.compiler.jit import int64
from engine88.evaluation.evaluate import MATERIAL_UNIT, evaluate, material_scale
from engine88.evaluation.network.inference import network_score
from engine88.evaluation.network.layout import BLOCK, MOST_WIDTH
from engine88.evaluation.network.network_file import (
    FEATURES,
    HIDDEN,
    MAX_HIDDEN_WEIGHT,
    MAX_OUTPUT_WEIGHT,
    OUTPUT_BUCKETS,
    QA,
)
from engine88.rules.fen import read_fen
from engine88.rules.make_move import make_move, make_null_move, unmake_move, unmake_null_move
from engine88.rules.position import Position
from tests.engine88.evaluation.network.made_networks import random_network, score_of, state_with
from tests.engine88.games import PLAIN_PYTHON
from tests.helpers.examples import scaled

GAMES = 4 if PLAIN_PYTHON else scaled(24)
STARTS = (
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/P1P3k1/8/3pP3/8/8/1p1p2K1/8 w - d6 0 1",
)


@pytest.mark.parametrize(
    ("width", "mirrored", "king_buckets"),
    [
        (2, True, 1),
        (BLOCK, False, 1),
        (BLOCK, False, 4),
        (BLOCK, True, 8),
        (BLOCK + 2, True, 4),
        (MOST_WIDTH, True, 4),
    ],
)
def test_scores_equal_the_plain_sum_along_random_games(width: int, mirrored: bool, king_buckets: int) -> None:
    network = random_network(width, mirrored=mirrored, king_buckets=king_buckets)
    state, loaded = state_with(network)
    chance = random.Random(width)
    for game in range(GAMES):
        board = chess.Board(STARTS[game % len(STARTS)])
        position = Position.from_fen(board.fen())
        ours = copy_board(position.board)
        while not board.is_game_over() and board.ply() < 90:
            move = chance.choice(list(board.legal_moves))
            make_move(ours, int64(position.parse_move(move.uci())))
            position = position.push(move.uci())
            board.push(move)
            if chance.random() < 0.5:  # a gap between evaluated positions is caught up
                found = int(network_score(ours, state.network))
                assert found == score_of(network, board), board.fen()
    assert loaded.meta.width == width


@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_sum_does_not_overflow(sign: int) -> None:
    every_neuron_full = replace(
        random_network(MOST_WIDTH),
        feature_weights=np.zeros((FEATURES, MOST_WIDTH), np.int16),
        feature_bias=np.full(MOST_WIDTH, QA, np.int16),
        hidden_weights=np.full((OUTPUT_BUCKETS, HIDDEN, MOST_WIDTH), sign * MAX_HIDDEN_WEIGHT, np.int16),
        output_weights=np.full((OUTPUT_BUCKETS, 2 * (HIDDEN - 1)), MAX_OUTPUT_WEIGHT, np.int16),
    )
    state, _loaded = state_with(every_neuron_full)
    found = int(network_score(read_fen(STARTS[0]), state.network))
    assert found == score_of(every_neuron_full, chess.Board(STARTS[0]))
    assert int(state.network.hidden[HIDDEN - 1]) == sign * MOST_WIDTH * (QA * QA // 4) * MAX_HIDDEN_WEIGHT


def test_the_second_layer_has_the_rows_of_the_product() -> None:
    assert HIDDEN == ROWS


def test_moves_taken_back_and_passes_leave_no_trace() -> None:
    network = random_network()
    state, _loaded = state_with(network)
    fresh, _other = state_with(network)
    chance = random.Random(5)
    board = read_fen(STARTS[1])
    position = Position.from_fen(STARTS[1])
    first = int(network_score(board, state.network))
    for _ in range(20 if PLAIN_PYTHON else 300):
        move = chance.choice(position.legal_codes())
        make_move(board, int64(move))
        network_score(board, state.network)
        if not position.push(move).is_check():
            make_null_move(board)
            passed = int(network_score(board, state.network))
            assert passed == int(network_score(copy_board(board), fresh.network))
            unmake_null_move(board)
        unmake_move(board)
        assert int(network_score(board, state.network)) == first


@pytest.mark.parametrize("king_buckets", [1, 4, 8])
def test_an_accumulator_follows_a_king_that_changes_its_view(king_buckets: int) -> None:
    network = random_network(king_buckets=king_buckets)
    state, _loaded = state_with(network)
    position = Position.from_fen("4k3/8/8/8/8/8/4P3/3K4 w - - 0 1")
    board = copy_board(position.board)
    network_score(board, state.network)
    for name in ("d1e1", "e8d8", "e1d1", "d8e8", "e2e4", "e8e7", "d1c1", "e7e6", "c1c2", "e6e5"):
        make_move(board, int64(position.parse_move(name)))
        position = position.push(name)
        assert int(network_score(board, state.network)) == score_of(network, chess.Board(position.fen())), name


def test_both_sides_see_the_same_board() -> None:
    network = random_network()
    state, _loaded = state_with(network)
    board = chess.Board(STARTS[1])
    mirrored = board.mirror()
    scores = [int(network_score(read_fen(one.fen()), state.network)) for one in (board, mirrored)]
    assert scores[0] == scores[1]


def test_the_seam_uses_the_network_and_keeps_what_is_known_exactly() -> None:
    network = random_network()
    state, _loaded = state_with(network)
    start = read_fen(chess.STARTING_FEN)
    expected = score_of(network, chess.Board()) * material_scale(start) / MATERIAL_UNIT
    assert abs(int(evaluate(start, state)) - expected) <= 2
    bare = read_fen("8/8/8/4k3/8/8/4N3/4K3 w - - 0 1")  # a lone knight wins nothing, whatever a network thinks
    assert abs(int(evaluate(bare, state))) <= 1
