"""Iterative deepening with aspiration windows: one `Searcher` is one thread's search over the shared table.

Source: chessprogramming wiki, "Iterative Deepening", "Aspiration Windows", "Lazy SMP".
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from engine88.board.defs import INFINITE, MAX_PLY, NO_MOVE
from engine88.board.move_list import new_move_list
from engine88.board.record import copy_board
from engine88.compiler.jit import int64
from engine88.contract import Bound
from engine88.evaluation.evaluation_state import new_evaluation_state
from engine88.evaluation.network.loaded_network import LoadedNetwork
from engine88.rules.make_move import make_move, unmake_move
from engine88.rules.position import Position
from engine88.search.aspiration import open_window, search_window
from engine88.search.search_root import collect_root_moves, probe_tt_move
from engine88.search.search_state import clear_histories, new_search_state
from engine88.search.tt import BOUND_EXACT, BOUND_LOWER, BOUND_UPPER, TranspositionTable

BOUND_NAMES: dict[int, Bound] = {BOUND_EXACT: "exact", BOUND_LOWER: "lower", BOUND_UPPER: "upper"}
OnLine = Callable[["PvLine"], bool]


@dataclass(frozen=True, slots=True)
class PvLine:
    """One principal variation of one iteration; scores in centipawns for the side to move at the root.

    A `completed` line may be played: the search of its depth is done, or was stopped after its best move was searched
    or failed high (bound "lower"). Others report a failed aspiration window. `effort` is the share (0..1) of the root's
    nodes below the best move.
    """

    depth: int
    seldepth: int
    multipv: int
    score: int
    bound: Bound
    pv: tuple[int, ...]
    nodes: int
    completed: bool
    effort: float


class Searcher:
    """The search of one thread: owns its board, histories and evaluation state; the table is shared.

    `run` works in the thread that calls it and releases the GIL; `stop` and `nodes` may be used from any other.
    With one searcher on a cleared table the same limits by depth or nodes give the same nodes and lines.
    """

    def __init__(self, table: TranspositionTable, thread_index: int = 0, network: LoadedNetwork | None = None) -> None:
        """Make a searcher that evaluates by a network, or by the hand-written terms.

        `thread_index` 0 is the main one, odd helpers skip odd depths to spread over the tree.
        """
        self._table = table
        self._network = network  # the evaluation points into its memory
        self._thread_index = thread_index
        self._state: Any = new_search_state()  # its fields in brackets: attributes take four times as long
        self._lists = new_move_list()
        self._evaluation = new_evaluation_state(network)
        self._board: Any = None

    @property
    def nodes(self) -> int:
        """Nodes of the current or last search."""
        return int(self._state["node_count"])

    @property
    def root_move(self) -> int:
        """The packed root move being searched, 0 before the first."""
        return int(self._state["root_move"])

    def set_position(self, position: Position) -> None:
        """Copy the position with its history, and clear an earlier `stop`."""
        self._board = copy_board(position.board)
        self._state["stop"] = 0
        self._state["node_count"] = 0
        self._state["seldepth"] = 0

    def new_game(self) -> None:
        """Clear the histories; the table is cleared by its owner."""
        clear_histories(self._state)

    def stop(self) -> None:
        """End `run` within microseconds; the stop remains effective until the next `set_position`."""
        self._state["stop"] = 1

    def run(
        self,
        max_depth: int = MAX_PLY - 1,
        max_nodes: int = 0,
        multipv: int = 1,
        search_moves: tuple[int, ...] = (),
        on_line: OnLine | None = None,
    ) -> PvLine | None:
        """Search ever deeper until a limit, `stop`, or `on_line` returning True; return the last completed best line.

        The other lines of an iteration are still given to `on_line` after it has returned True. `max_nodes` 0 means
        without limit. `search_moves` restricts the root. None if there is no legal move, or no time for one.
        """
        self._prepare(max_nodes)
        count = self._root_moves(search_moves)
        best: PvLine | None = None
        for depth in self._depths(max_depth if count else 0):
            is_last = False
            for line in self._iteration(depth, min(multipv, count), best):
                if line.completed and line.multipv == 1:
                    best = line
                if on_line is not None and on_line(line):
                    is_last = True
            if is_last or self._state["stop"]:
                break
        return best

    def _prepare(self, max_nodes: int) -> None:
        state, table = self._state, self._table
        state["max_nodes"] = max_nodes
        state["node_count"] = 0
        state["tt_base"], state["tt_buckets"], state["generation"] = table.address, table.buckets, table.generation
        state["stack"].fill(0)

    def _root_moves(self, search_moves: tuple[int, ...]) -> int:
        state = self._state
        count = int(collect_root_moves(self._board, self._lists, state))
        if search_moves:
            wanted = [move for move in state["root_moves"][:count].tolist() if move in search_moves]
            state["root_moves"][: len(wanted)] = wanted
            state["root_count"] = count = len(wanted)
        return count

    def _depths(self, max_depth: int) -> Iterator[int]:
        """Yield the depths of the iterations; helpers with an odd index skip odd depths."""
        for depth in range(1, min(max_depth, MAX_PLY - 1) + 1):
            if self._thread_index % 2 == 1 and depth % 2 == 1 and 1 < depth < max_depth:
                continue
            yield depth

    def _iteration(self, depth: int, multipv: int, before: PvLine | None) -> Iterator[PvLine]:
        """Search the best `multipv` lines of one depth in order; yield failed windows too.

        The lines of a depth are yielded together, best first: a later one may score higher.
        """
        state = self._state
        completed: list[PvLine] = []
        for index in range(multipv):
            state["pv_index"] = index
            state["seldepth"] = 0
            previous_score = int(state["root_scores"][index]) if before is not None else -INFINITE
            for line in self._aspiration_search(depth, index, previous_score):
                if line.completed:
                    completed.append(line)
                else:
                    yield line
            if state["stop"]:
                break
        ranked = sorted(completed, key=lambda line: line.score, reverse=True)
        yield from (replace(line, multipv=rank) for rank, line in enumerate(ranked, 1))

    def _aspiration_search(self, depth: int, index: int, previous_score: int) -> Iterator[PvLine]:
        """Search a depth until the score is inside the window; yield the failures too.

        If it is stopped before that, the last move that failed high is the best: it beat the one before.
        """
        state = self._state
        failed_high: PvLine | None = None
        open_window(state, int64(depth), int64(previous_score))
        while True:
            score = int(search_window(self._board, self._lists, state, self._evaluation, int64(depth)))
            bound = BOUND_NAMES[int(state["window_bound"])]
            if bound == "exact":
                if index == 0 or not state["stop"]:
                    yield self._make_line(depth, index, score, bound, True)
                return
            line = self._make_line(depth, index, score, bound, False)
            if bound == "lower":
                failed_high = line
            if state["stop"]:
                if failed_high is not None and index == 0:
                    yield replace(failed_high, nodes=self.nodes, completed=True)
                return
            yield line

    def _make_line(self, depth: int, index: int, score: int, bound: Bound, completed: bool) -> PvLine:
        state = self._state
        effort = int(state["root_nodes"][index]) / max(1, int(state["root_nodes"][: state["root_count"]].sum()))
        return PvLine(
            depth, max(int(state["seldepth"]), 1), index + 1, score, bound, self._pv(), self.nodes, completed, effort
        )

    def _pv(self) -> tuple[int, ...]:
        """Return the principal variation; a single move is extended from the table, to have a ponder move."""
        state, board = self._state, self._board
        line = [int(move) for move in state["pv"][0, : int(state["pv_lengths"][0])]]
        if len(line) == 1:
            make_move(board, int64(line[0]))
            answer = int(probe_tt_move(board, state))
            unmake_move(board)
            if answer != NO_MOVE:
                line.append(answer)
        return tuple(line)
