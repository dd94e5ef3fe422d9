"""Histories move towards what was good, never beyond their limits; corrections towards the error they saw."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine88.board.defs import NO_MOVE
from engine88.board.moves import is_tactical
from engine88.compiler.jit import int64
from engine88.rules.make_move import make_move, unmake_move
from engine88.rules.movegen import generate_quiets
from engine88.rules.position import Position
from engine88.search import history
from engine88.search.params import HISTORY_LIMIT
from engine88.search.search_state import CORRECTION_ENTRIES, clear_histories
from tests.engine88.games import tried
from tests.engine88.searching import KIWIPETE, MIDDLEGAME, Records, node_of

PLY = int64(2)


def two_quiets(fen: str) -> tuple[int, int]:
    quiets = [int64(move) for move in Position.from_fen(fen).legal_codes() if not is_tactical(move)]
    return quiets[0], quiets[1]


@tried(50)
@given(st.lists(st.integers(-2000, 2000), max_size=60))
def test_gravity_keeps_within_the_limit(bonuses: list[int]) -> None:
    entry = int64(0)
    for bonus in bonuses:
        before, entry = entry, history.history_gravity(entry, int64(bonus), int64(HISTORY_LIMIT))
        assert -HISTORY_LIMIT <= entry <= HISTORY_LIMIT
        if abs(before) < HISTORY_LIMIT // 2 and abs(bonus) > 1:
            assert (entry > before) == (bonus > 0)


def test_a_beta_cutoff_raises_its_move_and_lowers_those_before_it() -> None:
    records = Records(MIDDLEGAME)
    best, other = two_quiets(MIDDLEGAME)
    node = node_of(records.state, PLY)
    history.add_searched_move(node, other, False)
    history.update_histories(records.board, records.state, PLY, best, False, int64(6))
    assert history.quiet_history(records.board, records.state, PLY, best) > 0
    assert history.quiet_history(records.board, records.state, PLY, other) < 0


def test_captures_have_a_history_of_their_own() -> None:
    records = Records(KIWIPETE)
    capture = next(int64(move) for move in Position.from_fen(KIWIPETE).legal_codes() if is_tactical(move))
    history.update_histories(records.board, records.state, PLY, capture, True, int64(5))
    assert history.capture_history(records.board, records.state, capture) > 0
    assert not records.state.history.any()


def test_continuation_history_belongs_to_the_move_before() -> None:
    records = Records(MIDDLEGAME)
    best, _ = two_quiets(MIDDLEGAME)
    previous = node_of(records.state, PLY - 1)
    previous.piece_to = 300
    row = history.piece_to_index(records.board, best)
    history.update_continuation_histories(records.state, PLY, row, int64(1000))
    after_that = history.quiet_history(records.board, records.state, PLY, best)
    previous.piece_to = 301
    assert history.quiet_history(records.board, records.state, PLY, best) < after_that


def test_a_quiet_move_gains_if_no_answer_beats_alpha() -> None:
    records = Records(MIDDLEGAME)
    move, other = two_quiets(MIDDLEGAME)
    node = node_of(records.state, PLY - 1)
    node.current_move, node.piece_to = move, history.piece_to_index(records.board, move)
    make_move(records.board, move)
    history.reward_move_before(records.board, records.state, PLY, int64(6))
    unmake_move(records.board)
    main = int(records.state.history[records.board.side, history.butterfly_index(move)])
    assert 0 < main < history.quiet_history(records.board, records.state, PLY - 1, move)
    assert history.quiet_history(records.board, records.state, PLY - 1, other) == 0


@pytest.mark.parametrize("fen", [MIDDLEGAME, KIWIPETE])
def test_a_capture_or_a_pass_gains_nothing_from_its_answers(fen: str) -> None:
    records = Records(fen)
    captures = [int64(move) for move in Position.from_fen(fen).legal_codes() if is_tactical(move)]
    for move in (int64(NO_MOVE), *captures):
        node_of(records.state, PLY - 1).current_move = move
        history.reward_move_before(records.board, records.state, PLY, int64(6))
    assert not records.state.history.any()
    assert not records.state.continuation_history.any()


@pytest.mark.parametrize("fen", [MIDDLEGAME, KIWIPETE, KIWIPETE.replace(" w ", " b ")])
def test_a_list_of_quiet_moves_is_scored_as_each_move_alone(fen: str) -> None:
    records, random = Records(fen), np.random.default_rng(1)
    for name in ("history", "continuation_history"):
        table = records.state[name]
        table[:] = random.integers(-HISTORY_LIMIT, HISTORY_LIMIT, table.shape)
    for back in (1, 2, 4):
        node_of(records.state, PLY - back).piece_to = 300 + back
    end = generate_quiets(records.board, records.lists, int64(0))
    history.score_by_history(records.board, records.lists, records.state, PLY, int64(0), end)
    moves = records.lists.moves[:end].tolist()
    alone = [history.quiet_history(records.board, records.state, PLY, int64(move)) for move in moves]
    assert records.lists.scores[:end].tolist() == alone
    assert len(set(alone)) > end // 2


def test_corrections_move_towards_the_error() -> None:
    for error in (80, -80):
        records = Records(MIDDLEGAME)
        for _ in range(30):
            history.update_corrections(records.board, records.state, PLY, int64(8), int64(error))
        moved = history.corrected_eval(records.board, records.state, PLY, int64(10)) - 10
        assert moved * error > 0
        assert abs(moved) < 300


@pytest.mark.parametrize(("side", "tables"), [("w", [0, 2, 4, 6]), ("b", [1, 3, 5, 6])])
def test_each_feature_has_its_own_table_of_corrections(side: str, tables: list[int]) -> None:
    records = Records(f"4k3/pppp4/2n5/8/8/5N2/PPPP4/4K3 {side} - - 0 1")
    indices = history.correction_indices(records.board, records.state, PLY)
    assert [int(index) // CORRECTION_ENTRIES for index in indices] == tables


def test_a_new_game_forgets() -> None:
    records = Records(MIDDLEGAME)
    best, other = two_quiets(MIDDLEGAME)
    history.add_searched_move(node_of(records.state, PLY), other, False)
    history.update_histories(records.board, records.state, PLY, best, False, int64(6))
    history.update_corrections(records.board, records.state, PLY, int64(8), int64(50))
    clear_histories(records.state)
    for field in ("history", "continuation_history", "corrections"):
        assert not records.state[field].any()
    assert node_of(records.state, PLY).quiet_count == 0
