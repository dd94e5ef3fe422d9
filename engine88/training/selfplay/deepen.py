"""Iterative deepening as one kernel: short searches that end by nodes, without a step back to Python between them.

It calls the same kernels as `control.deepening`, so that both search the same nodes.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine88.board.defs import INFINITE, MAX_PLY, NO_MOVE
from engine88.board.move_list import MoveList, new_move_list
from engine88.board.record import Board
from engine88.evaluation.evaluation_state import EvaluationState, new_evaluation_state
from engine88.evaluation.network.loaded_network import LoadedNetwork
from engine88.search.aspiration import open_window, search_window
from engine88.search.search_root import collect_root_moves, search_root
from engine88.search.search_state import NODE, STACK_OFFSET, SearchState, clear_histories, new_search_state
from engine88.search.tt import BOUND_EXACT, BOUND_LOWER, GENERATIONS, TranspositionTable
from engine88.training.compiled import compiled, int64

MOST_DEPTH: Final = MAX_PLY - 1
_FULL: Final = int64(INFINITE)
_NODE_BYTES: Final = int64(NODE.itemsize)


class SearchMemory(NamedTuple):
    """What one search works with beside its board; `stack` is the memory of `state.stack`."""

    lists: MoveList
    state: SearchState
    evaluation: EvaluationState
    stack: NDArray[np.uint8]


class Searching:
    """The memory of one thread's searches, with a transposition table of its own."""

    def __init__(self, table_mb: int, network: LoadedNetwork | None) -> None:
        """Evaluate by `network`, or by the hand-written terms."""
        self._table = TranspositionTable(table_mb)
        self._network = network  # the evaluation points into its memory
        state: Any = new_search_state()
        self.memory = SearchMemory(new_move_list(), state, new_evaluation_state(network), state["stack"].view(np.uint8))

    def clear(self) -> None:
        """Forget everything learnt, as for a new game."""
        table, state = self._table, self.memory.state
        table.clear()
        clear_histories(state)
        state.tt_base, state.tt_buckets, state.generation = table.address, table.buckets, 0


@compiled
def deepen(board: Board, memory: SearchMemory, soft_nodes: int, hard_nodes: int) -> tuple[int, int]:
    """Search until an iteration has passed `soft_nodes`, never more than `hard_nodes`; the move and its score.

    The score is for the side to move, in centipawns. The move is NO_MOVE if there is no legal one.
    """
    state = memory.state
    state.stop = np.uint8(0)
    state.max_nodes = hard_nodes
    state.node_count = 0
    state.pv_index = 0
    state.generation = (state.generation + 1) % GENERATIONS
    used = STACK_OFFSET + int64(state.seldepth) + 2  # nodes of the search before, and the one below its last
    memory.stack[: used * _NODE_BYTES] = 0
    state.seldepth = 0
    best_move = int64(NO_MOVE)
    best_score = int64(0)
    if collect_root_moves(board, memory.lists, state) == 0:
        return best_move, best_score
    for depth in range(1, MOST_DEPTH + 1):
        open_window(state, int64(depth), best_score)
        while True:
            score = search_window(board, memory.lists, state, memory.evaluation, int64(depth))
            if state.window_bound == BOUND_EXACT or state.window_bound == BOUND_LOWER:
                best_move = int64(state.pv[0, 0])
                best_score = score
            if state.stop or state.window_bound == BOUND_EXACT:
                break
        if state.stop or state.node_count >= soft_nodes:
            break
    if best_move == NO_MOVE:  # not even one ply within the limit
        state.stop = np.uint8(0)
        state.max_nodes = 0
        best_score = int64(search_root(board, memory.lists, state, memory.evaluation, -_FULL, _FULL, int64(1)))
        best_move = int64(state.pv[0, 0])
    return best_move, best_score
