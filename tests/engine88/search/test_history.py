"""Histories move towards what was good, never beyond their limits; corrections towards the error they saw."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine88.board.moves import is_tactical
from engine88.compiler.jit import int64
from engine88.rules.position import Position
from engine88.search import history
from engine88.search.params import HISTORY_LIMIT
from engine88.search.search_state import CORRECTION_ENTRIES, clear_histories
from tests.engine88.games import tried
from tests.engine88.searching import MIDDLEGAME, Records, node_of

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


def test_continuation_history_belongs_to_the_move_before() -> None:
    records = Records(MIDDLEGAME)
    best, _ = two_quiets(MIDDLEGAME)
    previous = node_of(records.state, PLY - 1)
    previous.piece_to = 300
    row = history.piece_to_index(records.board, best)
    history.update_continuation_histories(records.state, PLY, row, int64(1000))
    after_that = history.continuation_pair(records.state, PLY, row)
    previous.piece_to = 301
    assert history.continuation_pair(records.state, PLY, row) < after_that


def test_the_history_by_pawn_structure_belongs_to_the_pawns() -> None:
    records, other = Records(MIDDLEGAME), Records(MIDDLEGAME.replace("pp2bppp", "pp2bp1p"))
    best, _ = two_quiets(MIDDLEGAME)
    row = history.piece_to_index(records.board, best)
    history.update_pawn_history(records.board, records.state, row, int64(1000))
    assert history.pawn_history(records.board, records.state, row) > 0
    assert history.pawn_history(other.board, records.state, row) == 0


def test_in_check_only_the_last_two_moves_learn() -> None:
    records = Records(MIDDLEGAME)
    for back in range(1, 7):
        node_of(records.state, PLY - back).piece_to = 300 + back
    for in_check, learnt in ((1, {301, 302}), (0, {301, 302, 303, 304, 306})):
        node_of(records.state, PLY).in_check = in_check
        history.update_continuation_histories(records.state, PLY, int64(99), int64(1000))
        assert set(records.state.continuation_history[:, 99].nonzero()[0].tolist()) == learnt


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
    history.update_quiet_history(records.board, records.state, PLY, best, int64(500))
    history.update_corrections(records.board, records.state, PLY, int64(8), int64(50))
    clear_histories(records.state)
    for field in ("history", "continuation_history", "pawn_history", "corrections"):
        assert not records.state[field].any()
    assert node_of(records.state, PLY).quiet_count == 0
