"""Results of a search as values of the public API: infos, progress reports, static evaluations."""

import math
import time
from collections.abc import Sequence
from dataclasses import replace

from engine88.board.defs import MATE, WHITE, is_mate
from engine88.contract import EngineOptions, SearchInfo, SearchProgress, StaticEvaluation, TermScore, Wdl
from engine88.control.deepening import PvLine, Searcher
from engine88.evaluation.classical.score import GROUPS, break_down
from engine88.evaluation.evaluate import evaluate
from engine88.evaluation.evaluation_state import new_evaluation_state
from engine88.evaluation.network.loaded_network import LoadedNetwork
from engine88.rules.position import Position
from engine88.search.tt import TranspositionTable

WIN_HALF_CP, WIN_SCALE_CP = 135.0, 120.0
"""A score at which the side to move wins half of its games, and how steeply that changes, centipawns.

A maximum-likelihood fit to the scores and results of 31,964 positions from games of the engine against itself. Source:
chessprogramming wiki, "Pawn Advantage, Win Percentage, and Elo".
"""


class Reporter:
    """Counts nodes and time of one search and names its moves."""

    def __init__(
        self,
        position: Position,
        options: EngineOptions,
        searchers: Sequence[Searcher],
        table: TranspositionTable,
        started_s: float,
    ) -> None:
        """Report on a search that began at ``started_s`` of `time.perf_counter`."""
        self._position, self._options = position, options
        self._searchers, self._table, self._started_s = searchers, table, started_s

    def info(self, line: PvLine) -> SearchInfo:
        """Turn a line of the searcher into one of the border."""
        nodes, nps, time_ms = self._counts(line.nodes)
        mate = mate_in_moves(line.score) if is_mate(line.score) else None
        names = tuple(self._position.move_name(move) for move in line.pv)
        info = SearchInfo(
            line.depth, line.seldepth, line.multipv, line.score if mate is None else None, mate,
            line.bound, nodes, nps, self._table.hashfull(), time_ms, names,
        )  # fmt: skip
        if not self._options.show_wdl:
            return info
        return replace(info, wdl=wdl_of_score(line.score) if mate is None else wdl_of_mate(mate))

    def progress(self, depth: int) -> SearchProgress:
        """Return the progress while an iteration of this depth is under way."""
        move = self._searchers[0].root_move
        name = self._position.move_name(move) if move else None
        nodes, nps, time_ms = self._counts(self._searchers[0].nodes)
        return SearchProgress(depth, name, nodes, nps, self._table.hashfull(), time_ms)

    def no_move(self) -> SearchInfo:
        """Report mate or stalemate at the root."""
        mated = self._position.is_check()
        return SearchInfo(0, 0, 1, None if mated else 0, 0 if mated else None, "exact", 0, 0, 0, 0, ())

    def _counts(self, nodes: int) -> tuple[int, int, int]:
        """Return nodes of all threads, nodes per second, and milliseconds."""
        if len(self._searchers) > 1:
            nodes = sum(searcher.nodes for searcher in self._searchers)
        elapsed_s = max(time.perf_counter() - self._started_s, 1e-4)
        return nodes, int(nodes / elapsed_s), int(elapsed_s * 1000.0)


class IterationLines:
    """The lines of the last iterations, so that scores of the same depth are compared."""

    def __init__(self, count: int) -> None:
        """Expect ``count`` lines from each iteration."""
        self._count = count
        self._whole: tuple[PvLine, ...] = ()
        self._begun: dict[int, PvLine] = {}
        self.depth = 0

    def add(self, line: PvLine) -> None:
        """Take a finished line."""
        if line.depth != self.depth:
            self.depth, self._begun = line.depth, {}
        self._begun[line.multipv] = line
        if len(self._begun) == self._count:
            self._whole = tuple(self._begun[number] for number in sorted(self._begun))

    def newest(self) -> tuple[PvLine, ...]:
        """Return the best line known, from the deepest iteration, as a tuple of one.

        Empty when nothing was finished.
        """
        line = self._begun.get(1)
        return (line,) if line is not None else self._whole[:1]

    def remaining(self) -> tuple[PvLine, ...]:
        """Return the lines of the last whole iteration that a stopped one has not searched, numbered after its own."""
        begun = {line.pv[0] for line in self._begun.values()}
        others = [line for line in self._whole if line.pv[0] not in begun][: self._count - len(begun)]
        return tuple(replace(line, multipv=number) for number, line in enumerate(others, len(begun) + 1))

    def comparable(self) -> tuple[PvLine, ...]:
        """Return the lines of the last whole iteration, none before there was one."""
        return self._whole


def mate_in_moves(score: int) -> int:
    """Turn a mate score into moves, negative when it is against us."""
    return (MATE - score + 1) // 2 if score > 0 else -((MATE + score) // 2)


def static_evaluation(position: Position, network: LoadedNetwork | None = None) -> StaticEvaluation:
    """Evaluate a position that is not in check, without a search; a network has no terms to show."""
    board, state = position.board, new_evaluation_state(network)
    score_cp = int(evaluate(board, state))
    rows = state.classical.breakdown.tolist() if network is None and break_down(board, state.classical) else []
    terms = (TermScore(name, *row) for name, row in zip(GROUPS, rows, strict=False))
    return StaticEvaluation(score_cp, score_cp if position.side == WHITE else -score_cp, tuple(terms))


def wdl_of_score(score_cp: int) -> Wdl:
    """Return the expectation at a score, for `UCI_ShowWDL`: a logistic curve for wins, its mirror image for losses."""
    win = _curve(score_cp)
    loss = _curve(-score_cp)
    return Wdl(win, 1000 - win - loss, loss)


def wdl_of_mate(mate: int) -> Wdl:
    """Return the expectation of a forced mate: for us when positive, against us otherwise."""
    return Wdl(1000, 0, 0) if mate > 0 else Wdl(0, 0, 1000)


def _curve(score_cp: float) -> int:
    """Return the chance to win in per mille."""
    return round(1000.0 / (1.0 + math.exp(_clamped((WIN_HALF_CP - score_cp) / WIN_SCALE_CP))))


def _clamped(exponent: float) -> float:
    """Keep the exponential within its range."""
    return max(-50.0, min(50.0, exponent))
