"""Each debug assertion catches a fault that is planted for it; sound positions and a short search pass them all.

The assertions exist only under ENGINE88_DEBUG=1, so this file runs itself in a process with that and without the
compiler, which would need minutes for them. `.ci/full` runs the engine's tests with compiled assertions.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine88 import Engine, Limits
from engine88.board.defs import INFINITE, MATE, NO_MOVE
from engine88.board.invariants import assert_keys, assert_lists, assert_position
from engine88.board.moves import CAPTURE, encode
from engine88.compiler.cache_folder import DEBUG, folder_name
from engine88.compiler.jit import int64, uint64
from engine88.evaluation.network import accumulator
from engine88.evaluation.network.inference import network_score
from engine88.evaluation.network.layout import BLOCK, MOST_WIDTH
from engine88.evaluation.network.loaded_network import DEFAULT_FILE, load_network
from engine88.rules.invariants import assert_generated
from engine88.rules.make_move import make_move, unmake_move
from engine88.rules.movegen import generate_captures, generate_quiets
from engine88.rules.position import Position
from engine88.search import aspiration, history, invariants, move_picker, node, tt
from engine88.search.search_root import collect_root_moves
from tests.engine88.fresh_process import ROOT
from tests.engine88.planted_faults import (
    ALL_KINDS_OF_MOVES,
    CHECK,
    E1,
    E4,
    E8,
    EN_PASSANT_FEN,
    FAULTS,
    ONE_MOVE,
    PLY,
    catches,
)
from tests.engine88.searching import KIWIPETE, MIDDLEGAME, Records, node_of

debugged = pytest.mark.skipif(not DEBUG, reason="runs with ENGINE88_DEBUG=1, in the process that the last test starts")


def node_fault(message: str, spoil: Callable[[Records], None] = lambda _: None, **numbers: int) -> None:
    """Enter a node whose record is spoilt, or with a wrong number."""

    def fault() -> None:
        records = Records(MIDDLEGAME)
        node_of(records.state, 1).current_move = 1
        spoil(records)
        values = {"ply": 2, "alpha": -10, "beta": -9, "cut_node": 0, **numbers}
        invariants.assert_node(records.board, records.state, *(int64(value) for value in values.values()))

    catches(message)(fault)


def _set(ply: int, **fields: int) -> Callable[[Records], None]:
    def spoil(records: Records) -> None:
        for name, value in fields.items():
            node_of(records.state, ply)[name] = value

    return spoil


def _null_move_check(records: Records) -> None:
    records.board = Position.from_fen(CHECK).board
    _set(2, in_check=1)(records)
    _set(1, current_move=0)(records)


node_fault("a ply beyond the stack", ply=128)
node_fault("an empty window, or one beyond the scores of a search", alpha=5, beta=5)
node_fault("cut_node is neither 0 nor 1", cut_node=2)
node_fault("a node of the principal variation is expected to be cut", alpha=-50, cut_node=1)
node_fault("the node does not know whether its side is in check", _set(2, in_check=1))
node_fault("an illegal move is excluded", _set(2, excluded_move=12345))
node_fault("the parent's moves end beyond the move list", _set(1, picker_end=50_000))
node_fault("the parent's move has no piece-to index", _set(1, piece_to=1024))
node_fault("a check by a null move", _null_move_check)

catches("a mate that is shorter than the line")(lambda: invariants.assert_score(int64(4 - MATE), int64(5)))
catches("a mate that is shorter than the line to it")(lambda: invariants.assert_score(int64(MATE - 4), int64(5)))
catches("a reduction into quiescence")(lambda: invariants.assert_reduced(int64(0), int64(5)))
catches("an extension by more than two plies")(lambda: invariants.assert_reduced(int64(8), int64(5)))


def result_fault(message: str, move: int, score: int, alpha: int, key: int = 0, excluded: int = 0) -> None:
    """End a node with a wrong result."""

    def fault() -> None:
        records = Records("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
        node_of(records.state, 2).excluded_move = excluded
        numbers = int64(move), int64(score), int64(alpha), uint64(int(records.board.key) ^ key)
        invariants.assert_result(records.board, records.state, PLY, *numbers)

    catches(message)(fault)


result_fault("a best move without a score above alpha, or without it", ONE_MOVE, 0, 10)
result_fault("an illegal best move", encode(E1, E8, 0), 20, 10)
result_fault("the board is not the one that the node began with", NO_MOVE, 0, 10, key=1)
result_fault("the excluded move is the best one", encode(E1, 0x03, 0), 20, 10, excluded=encode(E1, 0x03, 0))


def root_fault(message: str, depth: int = 4, pv_index: int = 0, move: int = 0) -> None:
    """Search the root with a wrong number."""

    def fault() -> None:
        records = Records(MIDDLEGAME)
        collect_root_moves(records.board, records.lists, records.state)
        records.state.pv_index = pv_index
        if move:
            records.state.root_moves[3] = move
        invariants.assert_root(records.board, records.state, int64(-10), int64(10), int64(depth))

    catches(message)(fault)


root_fault("a depth beyond the stack", depth=0)
root_fault("pv_index is not an index of a root move", pv_index=99)
root_fault("an illegal root move", move=12345)


def stored(message: str, *, move: int = ONE_MOVE, score: int = 0, static_eval: int = 0, depth: int = 3) -> None:
    """Store numbers that an entry cannot hold."""
    catches(message)(lambda: _store(move, score, static_eval, depth, tt.BOUND_EXACT, 0, 0))


def _store(*numbers: int) -> None:
    move, score, static_eval, depth, bound, tt_pv, generation = map(int64, numbers)
    table, zero = tt.TranspositionTable(1), int64(0)
    where = uint64(table.address), uint64(table.buckets), uint64(88)
    tt.store(*where, generation, move, score, static_eval, depth, bound, tt_pv, zero)


stored("a move that does not survive the table", move=1 << 21 | ONE_MOVE)
stored("a score beyond those of a search", score=INFINITE + 1)
stored("an evaluation that needs more than 16 bits", static_eval=32768)
stored("a depth that needs more than 8 bits", depth=255)
catches("not a bound")(lambda: _store(ONE_MOVE, 0, 0, 3, 4, 0, 0))
catches("tt_pv is neither 0 nor 1")(lambda: _store(ONE_MOVE, 0, 0, 3, 1, 2, 0))
catches("not a generation")(lambda: _store(ONE_MOVE, 0, 0, 3, 1, 0, 32))


def picked(message: str, move: int, spoil: Callable[[Records], None] = lambda _: None) -> None:
    """Let the picker return a wrong move."""

    def fault() -> None:
        records = Records("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
        spoil(records)
        move_picker._checked(records.board, node_of(records.state, 2), int64(move))

    catches(message)(fault)


KING_STEP = encode(E1, 0x03, 0)
picked("the picker returns an illegal move", 12345)
picked("the picker returns the excluded move", KING_STEP, _set(2, excluded_move=KING_STEP))
picked("the losing captures begin before the list", KING_STEP, _set(2, picker_start=5))
picked("the picker reads beyond its moves", KING_STEP, _set(2, picker_index=5))


@catches("a quiet move in quiescence")
def _() -> None:
    move_picker.init_picker(Records(MIDDLEGAME).state, PLY, int64(ONE_MOVE), int64(move_picker.STAGE_QS_TT_MOVE))


catches("a history entry beyond its limit")(lambda: history.history_gravity(int64(99), int64(1), int64(98)))
catches("a history bonus beyond the limit of its table")(
    lambda: history.history_gravity(int64(9), int64(99), int64(98))
)


def history_fault(message: str, use: Callable[[Records], object], spoil: Callable[[Records], None]) -> None:
    """Use a history after spoiling a node."""

    def fault() -> None:
        records = Records(MIDDLEGAME)
        spoil(records)
        use(records)

    catches(message)(fault)


def _searched(records: Records) -> None:
    history.add_searched_move(node_of(records.state, 2), ONE_MOVE, False)


history_fault("the list of searched quiet moves overflows", _searched, _set(2, quiet_count=65))
history_fault("the list of searched captures overflows", _searched, _set(2, capture_count=65))
history_fault(
    "a piece-to index beyond its table",
    lambda records: history.correction_indices(records.board, records.state, PLY),
    _set(0, piece_to=1024),
)
history_fault(
    "a capture in the history of quiet moves",
    lambda records: history.update_quiet_history(
        records.board, records.state, PLY, int64(ONE_MOVE | CAPTURE), int64(9)
    ),
    lambda _: None,
)
history_fault(
    "a quiet move in the history of captures",
    lambda records: history.update_capture_history(records.board, records.state, int64(ONE_MOVE), int64(9)),
    lambda _: None,
)
history_fault(
    "a principal variation without a move",
    lambda records: node.update_pv(records.state, PLY, int64(0)),
    lambda _: None,
)


@catches("a principal variation longer than the search")
def _() -> None:
    state = Records(MIDDLEGAME).state
    state.pv_lengths[3] = -1
    node.update_pv(state, PLY, int64(ONE_MOVE))


@catches("gives_check is wrong")
def _() -> None:
    records = Records("4k3/8/8/8/8/8/R7/4K3 w - - 0 1")
    node.make_search_move(records.board, records.state, PLY, int64(encode(0x10, 0x70, 0)))


def window_fault(message: str, **fields: int) -> None:
    """Judge a score by a spoilt window."""

    def fault() -> None:
        state = Records(MIDDLEGAME).state
        aspiration.open_window(state, int64(9), int64(0))
        for name, value in fields.items():
            state[name] = value
        aspiration.judge_score(state, int64(0))

    catches(message)(fault)


window_fault("an empty window", window_alpha=5, window_beta=5)
window_fault("a window narrower than the first one", window_margin=1)


def network_fault(message: str, spoil: Callable[[Any], None], score: bool = False) -> None:
    """Spoil the accumulators of a position."""

    def fault() -> None:
        records = Records(MIDDLEGAME)
        state = records.evaluation.network
        load_network(DEFAULT_FILE).give_to(state)
        accumulator.accumulate(records.board, state, int64(0))
        spoil(state)
        if score:
            network_score(records.board, state)
        accumulator.assert_accumulator(records.board, state, int64(0))

    catches(message)(fault)


def _one_more(state: Any) -> None:
    state.accumulators[7] += 1


network_fault("a network wider than its accumulators", lambda state: setattr(state, "width", MOST_WIDTH + BLOCK))
network_fault("the accumulator is of another position", lambda state: state["keys"].fill(1))
network_fault("the accumulator differs from the sum of its features", _one_more)


@catches("a feature of an empty square")
def _() -> None:
    accumulator.feature_row(Records(MIDDLEGAME).evaluation.network, int64(0), int64(0), int64(0), int64(E4))


@catches("a feature of a square off the board")
def _() -> None:
    accumulator.feature_row(Records(MIDDLEGAME).evaluation.network, int64(0), int64(0), int64(1), int64(8))


@debugged
@pytest.mark.parametrize("message", FAULTS if DEBUG else [])
def test_a_planted_fault_is_caught(message: str) -> None:
    with pytest.raises(AssertionError) as caught:
        FAULTS[message]()
    assert str(caught.value) == message


@debugged
def test_sound_positions_pass() -> None:
    for fen in (KIWIPETE, MIDDLEGAME, EN_PASSANT_FEN, ALL_KINDS_OF_MOVES, CHECK):
        records = Records(fen)
        assert_lists(records.board)
        assert_keys(records.board)
        assert_position(records.board)
        if fen != CHECK:
            end = generate_captures(records.board, records.lists, int64(0))
            assert_generated(records.board, records.lists, int64(0), end, True)
            assert_generated(
                records.board, records.lists, end, generate_quiets(records.board, records.lists, end), False
            )
        for code in Position.from_fen(fen).legal_codes():
            make_move(records.board, int64(code))
            unmake_move(records.board)


@debugged
def test_perft_and_a_short_search_pass() -> None:
    position = Position.from_fen(ALL_KINDS_OF_MOVES)
    assert position.perft(2) == 383  # counted by python-chess
    with Engine() as engine:
        assert engine.search(position, Limits(depth=2)).best_move in position.legal_moves()


def test_ordinary_kernels_are_compiled_without_assertions() -> None:
    assert folder_name("engine88.rules.make_move").endswith("-debug") == DEBUG


@pytest.mark.slow
@pytest.mark.skipif(DEBUG, reason="starts the process in which the others run")
def test_every_assertion_in_a_process_of_its_own() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", str(Path(__file__))],
        cwd=ROOT,
        env={**os.environ, "ENGINE88_DEBUG": "1", "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
