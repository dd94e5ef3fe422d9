"""The searcher: same limits, same nodes; limits kept; lines complete; stopped at once; the cache of compiled code."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path

import pytest

from engine88.board.defs import MATE
from engine88.compiler import jit
from engine88.control.deepening import PvLine, Searcher
from engine88.evaluation.network.loaded_network import DEFAULT_FILE, lay_out, load_network
from engine88.rules.position import Position
from engine88.search.tt import TranspositionTable
from tests.engine88.evaluation.network.made_networks import random_network
from tests.engine88.games import PLAIN_PYTHON, compiled_only
from tests.engine88.searching import KIWIPETE, MIDDLEGAME, depth, searcher_of

ROOT = Path(__file__).resolve().parents[3]


def lines_of(fen: str, *, max_depth: int = 127, max_nodes: int = 0, multipv: int = 1) -> list[PvLine]:
    lines: list[PvLine] = []

    def note(line: PvLine) -> bool:
        lines.append(line)
        return False

    searcher_of(fen).run(max_depth, max_nodes, multipv, (), note)
    return lines


def test_a_searcher_keeps_the_network_that_its_kernels_read() -> None:
    network = lay_out(random_network())
    memory = weakref.ref(network.memory.array)
    searcher = Searcher(TranspositionTable(1), network=network)
    del network
    gc.collect()
    assert memory() is not None
    del searcher
    gc.collect()
    assert memory() is None


@compiled_only("it searches thousands of nodes")
@pytest.mark.parametrize("fen", [KIWIPETE, MIDDLEGAME])
def test_the_same_search_twice_is_the_same(fen: str) -> None:
    first = lines_of(fen, max_depth=depth(9, 2))
    assert first
    assert first == lines_of(fen, max_depth=depth(9, 2))


@compiled_only("it searches thousands of nodes")
def test_a_new_game_is_a_fresh_start() -> None:
    table = TranspositionTable(4)
    searcher = searcher_of(KIWIPETE, table)
    first = searcher.run(depth(8, 2))
    searcher.run(depth(9, 2))
    table.clear()
    searcher.new_game()
    searcher.set_position(Position.from_fen(KIWIPETE))
    assert searcher.run(depth(8, 2)) == first


@pytest.mark.parametrize("limit", [1, 50, 1000, 20_000])
def test_the_node_limit_is_exact(limit: int) -> None:
    if PLAIN_PYTHON and limit > 50:
        pytest.skip("too slow without the compiler")
    searcher = searcher_of(MIDDLEGAME)
    searcher.run(max_nodes=limit)
    assert searcher.nodes == limit


def test_lines_are_playable() -> None:
    for line in lines_of(KIWIPETE, max_depth=depth(9, 2)):
        position = Position.from_fen(KIWIPETE)
        assert line.pv
        for move in line.pv:
            position = position.push(position.move_name(move))
        assert 0.0 < line.effort <= 1.0
        assert line.seldepth >= 1
        assert line.multipv == 1
        assert line.completed == (line.bound == "exact")


def test_depths_are_complete_and_in_order() -> None:
    completed = [line.depth for line in lines_of(MIDDLEGAME, max_depth=depth(8, 2)) if line.completed]
    assert completed == list(range(1, depth(8, 2) + 1))


@compiled_only("it searches thousands of nodes")
def test_several_lines_are_different_and_sorted() -> None:
    last = [line for line in lines_of(KIWIPETE, max_depth=depth(7, 1), multipv=4) if line.completed][-4:]
    assert [line.multipv for line in last] == [1, 2, 3, 4]
    assert len({line.pv[0] for line in last}) == 4
    assert [line.score for line in last] == sorted((line.score for line in last), reverse=True)


def test_search_moves_restrict_the_root() -> None:
    searcher = searcher_of(MIDDLEGAME)
    position = Position.from_fen(MIDDLEGAME)
    wanted = tuple(position.parse_move(name) for name in ("a2a3", "h2h3"))
    line = searcher.run(depth(6, 1), 0, 1, wanted)
    assert line is not None
    assert line.pv[0] in wanted


def test_no_legal_move_no_line() -> None:
    for fen in ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"):
        assert searcher_of(fen).run(5) is None


def test_on_line_may_end_the_search() -> None:
    best = searcher_of(MIDDLEGAME).run(127, 0, 1, (), lambda line: line.completed and line.depth >= depth(5, 1))
    assert best is not None
    assert best.depth == depth(5, 1)


def test_all_lines_of_the_last_iteration_are_given() -> None:
    given: list[tuple[int, int]] = []

    def note(line: PvLine) -> bool:
        if line.completed:
            given.append((line.depth, line.multipv))
        return line.completed and line.depth == 2

    searcher_of(MIDDLEGAME).run(127, 0, 3, (), note)
    assert given == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)]


def test_stop_from_another_thread_and_nodes_while_running() -> None:
    searcher = searcher_of(MIDDLEGAME)
    found: list[PvLine | None] = []
    thread = threading.Thread(target=lambda: found.append(searcher.run()))
    thread.start()
    deadline = time.monotonic() + 60
    while searcher.nodes < (100 if PLAIN_PYTHON else 50_000) and time.monotonic() < deadline:
        time.sleep(0.001)
    searched = searcher.nodes
    searcher.stop()
    thread.join(30)
    assert not thread.is_alive()
    assert searched > 0
    assert len(found) == 1


def test_a_stopped_searcher_searches_again_after_set_position() -> None:
    searcher = searcher_of(MIDDLEGAME)
    searcher.stop()
    searcher.set_position(Position.from_fen(MIDDLEGAME))
    assert searcher.run(2) is not None


def test_a_searcher_evaluates_by_its_network_or_by_the_hand_written_terms() -> None:
    """One ply deep the score is an evaluation."""
    by_terms, by_network = (
        searcher_of(MIDDLEGAME).run(1),
        searcher_of(MIDDLEGAME, network=load_network(DEFAULT_FILE)).run(1),
    )
    assert by_terms is not None
    assert by_network is not None
    assert by_terms.score != by_network.score


def test_two_searchers_share_one_table() -> None:
    table = TranspositionTable(4)
    searchers = [Searcher(table, index) for index in range(2)]
    for searcher in searchers:
        searcher.set_position(Position.from_fen(KIWIPETE))
    lines: list[PvLine | None] = [None, None]

    def run(index: int) -> None:
        lines[index] = searchers[index].run(depth(8, 1))

    threads = [threading.Thread(target=run, args=(index,)) for index in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    legal = set(Position.from_fen(KIWIPETE).legal_codes())
    assert all(line is not None and line.pv[0] in legal for line in lines)


@compiled_only("it searches thousands of nodes")
def test_a_mate_ends_in_mate() -> None:
    line = searcher_of("6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1").run(depth(9, 4))
    assert line is not None
    position = Position.from_fen("6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1")
    for move in line.pv:
        position = position.push(position.move_name(move))
    assert line.score == MATE - len(line.pv)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.result == "1-0"


@compiled_only("looks at compiled code")
def test_one_signature_per_kernel() -> None:
    jit.import_kernels()
    searcher_of(MIDDLEGAME).run(6)
    several = {
        kernel.__name__: [str(signature) for signature in kernel.signatures]
        for kernel in jit.KERNELS
        if kernel.__name__ in ("search", "qsearch", "search_root", "next_move", "evaluate", "probe", "store")
        and len(kernel.signatures) > 1
    }
    assert several == {}


SEARCH_IN_A_FRESH_PROCESS = """
from engine88.control.deepening import Searcher
from engine88.rules.position import Position
from engine88.search.tt import TranspositionTable
searcher = Searcher(TranspositionTable(1))
searcher.set_position(Position.start())
searcher.run(6)
print(searcher.nodes)
"""


@compiled_only("looks at compiled code")
def test_two_fresh_processes_on_one_cache_folder_search_the_same() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", SEARCH_IN_A_FRESH_PROCESS]
    runs = [subprocess.run(command, env=environment, capture_output=True, text=True, timeout=250) for _ in range(2)]
    assert [run.returncode for run in runs] == [0, 0], runs[-1].stderr
    assert runs[0].stdout == runs[1].stdout
    assert int(runs[0].stdout) > 100
