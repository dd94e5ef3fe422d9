"""A node teaches that the move which beat alpha is good, those before it bad, and its own move good if none did."""

from __future__ import annotations

import pytest

from engine88.board.defs import NO_MOVE
from engine88.board.moves import is_tactical
from engine88.compiler.jit import int64
from engine88.rules.make_move import make_move, unmake_move
from engine88.rules.position import Position
from engine88.search import history, learning
from engine88.search.reductions import NODE_CUT
from engine88.search.search_state import NO_EVAL
from tests.engine88.search.test_history import two_quiets
from tests.engine88.searching import KIWIPETE, MIDDLEGAME, Records, node_of

PLY = int64(7)
DEPTH = int64(6)


def tactical_moves(fen: str) -> list[int]:
    return [int64(move) for move in Position.from_fen(fen).legal_codes() if is_tactical(move)]


def after(records: Records, move: int, **fields: int) -> None:
    """Make a move at the ply before PLY, as a search does."""
    node = node_of(records.state, PLY - 1)
    node.current_move, node.piece_to = move, history.piece_to_index(records.board, move)
    for name, value in fields.items():
        node[name] = value
    make_move(records.board, move)


def main_history(records: Records, color: int, move: int) -> int:
    return int(records.state.history[color, history.butterfly_index(move)])


def learn(records: Records, best_move: int, best_score: int = 0) -> None:
    arguments = int64(best_move), int64(best_score), DEPTH, int64(NODE_CUT)
    learning.learn_from_node(records.board, records.state, PLY, *arguments)


def test_the_best_move_gains_and_those_before_it_lose() -> None:
    records = Records(MIDDLEGAME)
    best, other = two_quiets(MIDDLEGAME)
    history.add_searched_move(node_of(records.state, PLY), other, False)
    learn(records, best)
    assert history.quiet_history(records.board, records.state, PLY, best) > 0
    assert history.quiet_history(records.board, records.state, PLY, other) < 0


def test_captures_have_a_history_of_their_own() -> None:
    records = Records(KIWIPETE)
    capture, other, *_ = tactical_moves(KIWIPETE)
    history.add_searched_move(node_of(records.state, PLY), other, True)
    learn(records, capture)
    assert history.capture_history(records.board, records.state, capture) > 0
    assert history.capture_history(records.board, records.state, other) < 0
    assert not records.state.history.any()


def test_quiet_moves_lose_nothing_beside_a_capture_that_cuts() -> None:
    records = Records(KIWIPETE)
    quiet, _ = two_quiets(KIWIPETE)
    history.add_searched_move(node_of(records.state, PLY), quiet, False)
    learn(records, tactical_moves(KIWIPETE)[0])
    assert history.quiet_history(records.board, records.state, PLY, quiet) == 0


def test_the_table_move_gains_more() -> None:
    assert learning.history_bonus(DEPTH, True) > learning.history_bonus(DEPTH, False)


def test_a_malus_never_becomes_a_bonus() -> None:
    maluses = [learning.history_malus(int64(1), int64(count)) for count in range(1, 60)]
    assert maluses == sorted(maluses, reverse=True)
    assert maluses[0] > 0
    assert maluses[-1] == 0


@pytest.mark.parametrize(("move_count", "loses"), [(1, True), (2, False)])
def test_a_first_quiet_move_that_is_refuted_loses(move_count: int, loses: bool) -> None:
    records = Records(MIDDLEGAME)
    node_of(records.state, PLY - 1).tt_eval = NO_EVAL
    move, _ = two_quiets(MIDDLEGAME)
    after(records, move, move_count=move_count)
    row = int64(node_of(records.state, PLY - 1).piece_to)
    learn(records, int64(records_answer(records)))
    assert (history.continuation_pair(records.state, PLY - 1, row) < 0) == loses


def records_answer(records: Records) -> int:
    """A quiet move that answers the one made."""
    return next(move for move in Position(records.board).legal_codes() if not is_tactical(move))


def test_a_quiet_move_gains_if_no_answer_beats_alpha() -> None:
    records = Records(MIDDLEGAME)
    move, other = two_quiets(MIDDLEGAME)
    after(records, move)
    learn(records, NO_MOVE, -50)
    unmake_move(records.board)
    assert main_history(records, records.board.side, move) > 0
    assert main_history(records, records.board.side, other) == 0
    assert history.continuation_pair(records.state, PLY - 1, history.piece_to_index(records.board, move)) > 0


@pytest.mark.parametrize("fen", [MIDDLEGAME, KIWIPETE])
def test_a_capture_or_a_pass_gains_nothing_from_its_answers(fen: str) -> None:
    records = Records(fen)
    for move in (int64(NO_MOVE), *tactical_moves(fen)):
        node_of(records.state, PLY - 1).current_move = move
        learn(records, NO_MOVE)
    assert not records.state.history.any()
    assert not records.state.continuation_history.any()


def test_a_node_that_no_move_improves_belongs_to_the_variation_of_its_parent() -> None:
    records = Records(MIDDLEGAME)
    node_of(records.state, PLY - 1).tt_pv = 1
    learn(records, two_quiets(MIDDLEGAME)[0])
    assert node_of(records.state, PLY).tt_pv == 0
    learn(records, NO_MOVE)
    assert node_of(records.state, PLY).tt_pv == 1


@pytest.mark.parametrize(("before", "now", "gains"), [(0, -100, True), (0, 100, False)])
def test_a_quiet_move_gains_if_the_evaluation_rises(before: int, now: int, gains: bool) -> None:
    records = Records(MIDDLEGAME)
    move, _ = two_quiets(MIDDLEGAME)
    after(records, move, static_eval=before)
    node_of(records.state, PLY).static_eval = now  # of the opponent
    learning.learn_from_evaluation(records.board, records.state, PLY)
    assert (main_history(records, 1 - records.board.side, move) > 0) == gains


def test_checks_and_captures_learn_nothing_from_the_evaluation() -> None:
    quiet, capture = two_quiets(MIDDLEGAME)[0], tactical_moves(KIWIPETE)[0]
    for fen, move, in_check in ((MIDDLEGAME, quiet, 1), (KIWIPETE, capture, 0)):
        records = Records(fen)
        after(records, move, static_eval=0)
        node_of(records.state, PLY).in_check = in_check
        learning.learn_from_evaluation(records.board, records.state, PLY)
        assert not records.state.history.any()
