"""What the tests of the search share: positions, a searcher, raw records for kernels."""

from __future__ import annotations

from typing import Any

from engine88.board.move_list import new_move_list
from engine88.board.record import copy_board
from engine88.control.deepening import Searcher
from engine88.evaluation.evaluation_state import new_evaluation_state
from engine88.evaluation.network.loaded_network import LoadedNetwork
from engine88.rules.position import Position
from engine88.search.search_state import STACK_OFFSET, new_search_state
from engine88.search.tt import TranspositionTable
from tests.engine88.games import PLAIN_PYTHON

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
MIDDLEGAME = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9"


def node_of(state: Any, ply: int) -> Any:
    """The node at a ply; `node_at` is for kernels: to Python it would give a copy."""
    return state.stack[ply + STACK_OFFSET]


def depth(compiled: int, interpreted: int) -> int:
    """The depth a test can afford."""
    return interpreted if PLAIN_PYTHON else compiled


class Records:
    """The four records that kernels take, with a table of one megabyte."""

    def __init__(self, fen: str) -> None:
        self.table = TranspositionTable(1)
        self.board = copy_board(Position.from_fen(fen).board)
        self.lists = new_move_list()
        self.state = new_search_state()
        self.evaluation = new_evaluation_state()
        self.state.tt_base, self.state.tt_buckets = self.table.address, self.table.buckets
        self.state.root_depth = 10


def searcher_of(fen: str, table: TranspositionTable | None = None, network: LoadedNetwork | None = None) -> Searcher:
    """A fresh searcher that stands before the position."""
    searcher = Searcher(table or TranspositionTable(4), network=network)
    searcher.set_position(Position.from_fen(fen))
    return searcher
