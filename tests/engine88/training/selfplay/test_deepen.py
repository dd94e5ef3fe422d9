"""The kernel that deepens searches what the engine's own iterative deepening searches, node for node."""

from __future__ import annotations

import pytest

from engine88.board.record import copy_board
from engine88.compiler.warmup import warm_up
from engine88.control.deepening import Searcher
from engine88.evaluation.network.loaded_network import DEFAULT_FILE, load_network
from engine88.rules.position import Position
from engine88.search.tt import TranspositionTable
from engine88.training.selfplay.deepen import Searching, deepen

POSITIONS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
    "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1",  # mate in two
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",  # mate in one
)


@pytest.mark.parametrize("fen", POSITIONS)
@pytest.mark.parametrize(("soft", "hard"), [(1, 5000), (1000, 5000), (4000, 4100), (300, 300)])
def test_the_same_search_as_the_engine(fen: str, soft: int, hard: int) -> None:
    warm_up()
    network = load_network(DEFAULT_FILE)
    position = Position.from_fen(fen)
    table = TranspositionTable(1)
    table.new_search()
    searcher = Searcher(table, network=network)
    searcher.set_position(position)
    line = searcher.run(max_nodes=hard, on_line=lambda line: line.completed and searcher.nodes >= soft)
    assert line is not None
    searching = Searching(1, network)
    searching.clear()
    move, score_cp = deepen(copy_board(position.board), searching.memory, soft, hard)
    assert (move, score_cp) == (line.pv[0], line.score)
    assert int(searching.memory.state.node_count) == searcher.nodes


def test_a_limit_below_one_ply_gives_a_legal_move() -> None:
    warm_up()
    searching = Searching(1, None)
    searching.clear()
    position = Position.from_fen(POSITIONS[1])
    move, _ = deepen(copy_board(position.board), searching.memory, 1, 2)
    assert int(move) in position.legal_codes()


@pytest.mark.parametrize("fen", ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"])
def test_without_a_legal_move_there_is_none(fen: str) -> None:
    warm_up()
    searching = Searching(1, None)
    searching.clear()
    assert deepen(copy_board(Position.from_fen(fen).board), searching.memory, 100, 200) == (0, 0)


def test_every_search_begins_with_cleared_nodes() -> None:
    warm_up()
    searching = Searching(1, load_network(DEFAULT_FILE))
    searching.clear()
    mated = Position.from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    for fen in POSITIONS:
        for nodes in (4000, 20, 400):
            deepen(copy_board(Position.from_fen(fen).board), searching.memory, nodes, 2 * nodes)
            assert searching.memory.stack.any()
            deepen(copy_board(mated.board), searching.memory, nodes, nodes)  # ends once the nodes are cleared
            assert not searching.memory.stack.any()
