"""One search from `go` to `bestmove`: its threads, its limits, its answer.

The main searcher deepens and decides; helpers search the same position over the same table and are stopped when
it is done. Kernels never read a clock: an `Alarm` stops them at the hard limit, and `time_manager.should_stop` is asked
between iterations.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random

from engine88.board.defs import MATE, WHITE, is_mate
from engine88.contract import MAX_DEPTH, EngineOptions, Limits, SearchInfo, SearchProgress, SearchResult
from engine88.control.deepening import PvLine, Searcher
from engine88.control.reports import IterationLines, Reporter, mate_in_moves
from engine88.control.strength import choose_line, handicap
from engine88.control.threads import Alarm, Worker
from engine88.control.time_manager import Iteration, TimeManagerState, allocate, should_stop
from engine88.rules.position import Position
from engine88.search.tt import TranspositionTable

OnInfo = Callable[[SearchInfo], None]
OnProgress = Callable[[SearchProgress], None]

# A long search reports its progress: first after FIRST_PROGRESS_S, then once every interval. Bounds (fail high, fail
# low) are reported from then on too.
FIRST_PROGRESS_S, PROGRESS_INTERVAL_S = 3.0, 1.0
# A mate is settled when the search has looked this much deeper than its plies.
SETTLED_MARGIN_PLIES = 4


@dataclass
class SearchThreads:
    """The resources of a search: a searcher per thread (the first decides), a worker per helper, table and alarm."""

    table: TranspositionTable
    searchers: list[Searcher]
    helpers: list[Worker]
    alarm: Alarm
    random: Random = field(default_factory=Random)


class RunningSearch:
    """One search; made and stopped by any thread, run by one."""

    def __init__(
        self,
        threads: SearchThreads,
        position: Position,
        limits: Limits,
        options: EngineOptions,
        on_info: OnInfo | None = None,
        on_progress: OnProgress | None = None,
    ) -> None:
        """Take the position into all searchers.  ValueError names a move of ``searchmoves`` that is not legal."""
        self._started_s = self._budget_started_s = time.perf_counter()
        self._threads, self._position, self._limits, self._options = threads, position, limits, options
        self._on_info, self._on_progress = on_info, on_progress
        self._search_moves = tuple(position.parse_move(name) for name in limits.searchmoves)
        self._choices = limits.searchmoves or tuple(position.legal_moves())
        self._budget = allocate(limits, position.side == WHITE, options.move_overhead_ms)
        self._handicap = handicap(options.elo) if options.limit_strength else None
        self._time_state = TimeManagerState()
        self._lines = IterationLines(self._line_count())
        self._reporter = Reporter(position, options, threads.searchers, threads.table, self._started_s)
        self._lock = threading.Lock()
        self._pondering = limits.ponder
        self._over = False
        self._answer_allowed = threading.Event()
        if not (limits.ponder or limits.infinite):
            self._answer_allowed.set()
        threads.table.new_search()
        for searcher in threads.searchers:
            searcher.set_position(position)

    def run(self) -> SearchResult:
        """Search, wait for `stop` or `ponderhit` if the GUI asked to (ponder, infinite), and answer."""
        try:
            self._arm_alarm(self._started_s)
            if self._on_progress is not None:
                self._threads.alarm.at(self._started_s + FIRST_PROGRESS_S, self._send_progress)
            result = self._search() if self._choices else self._no_move()
            self._answer_allowed.wait()
            return result
        finally:
            with self._lock:
                self._over = True
            self._threads.alarm.clear()

    def stop(self) -> None:
        """End the search now; the answer comes from the thread that runs it.  Does nothing once it is over."""
        with self._lock:
            self._stop_searchers()
        self._answer_allowed.set()

    def ponderhit(self) -> None:
        """Start the clock of a pondering search: the expected move was played. Time spent pondering counts as spent."""
        now_s = time.perf_counter()
        with self._lock:
            if not self._pondering:
                return
            self._pondering = False
            if self._budget is not None and self._budget.fixed:
                self._budget_started_s = now_s
            if self._should_stop():
                self._stop_searchers()
        self._arm_alarm(now_s)
        if not self._limits.infinite:
            self._answer_allowed.set()

    # -- what ends it

    def _arm_alarm(self, from_s: float) -> None:
        """Set the alarm for the hard limit, unless the clock does not run (yet)."""
        if self._budget is not None and not self._pondering:
            self._threads.alarm.at(from_s + self._budget.hard_ms / 1000.0, self.stop)

    def _stop_searchers(self) -> None:
        """Set every stop byte; the lock is held, so that a late alarm cannot stop the next search."""
        if not self._over:
            for searcher in self._threads.searchers:
                searcher.stop()

    def _should_stop(self) -> bool:
        """Return whether the clock asks for no further iteration."""
        if self._budget is None or self._pondering:
            return False
        elapsed_ms = (time.perf_counter() - self._budget_started_s) * 1000.0
        return should_stop(self._budget, self._time_state, elapsed_ms, len(self._choices))

    def _mate_found(self, line: PvLine) -> bool:
        """Return whether a line fulfils ``go mate N``."""
        return self._limits.mate > 0 and is_mate(line.score) and 0 < mate_in_moves(line.score) <= self._limits.mate

    def _send_progress(self) -> None:
        """Report progress and schedule the next report."""
        if self._over or self._on_progress is None:
            return
        if self._lines.depth > 0:
            self._on_progress(self._reporter.progress(self._lines.depth + 1))
        self._threads.alarm.at(time.perf_counter() + PROGRESS_INTERVAL_S, self._send_progress)

    # -- the search

    def _search(self) -> SearchResult:
        """Run helpers and main searcher, then answer from the lines found."""
        main, *others = self._threads.searchers
        jobs = [
            worker.submit(partial(self._run, searcher))
            for worker, searcher in zip(self._threads.helpers, others, strict=True)
        ]
        try:
            self._run(main, self._on_line)
        finally:
            for searcher in others:
                searcher.stop()
        for job in jobs:
            job.result()
        for line in self._lines.remaining():  # a GUI keeps the last report of each number, and would show a move twice
            self._report(line)
        return self._answer()

    def _run(self, searcher: Searcher, on_line: Callable[[PvLine], bool] | None = None) -> PvLine | None:
        """Run one searcher under the limits that it checks itself."""
        depth = self._limits.depth or MAX_DEPTH
        return searcher.run(depth, self._node_limit(), self._line_count(), self._search_moves, on_line)

    def _node_limit(self) -> int:
        """Nodes for each searcher, 0 for no limit."""
        wanted = (self._limits.nodes, self._handicap.nodes if self._handicap else 0)
        least = min((nodes for nodes in wanted if nodes > 0), default=0)
        return -(-least // len(self._threads.searchers))

    def _line_count(self) -> int:
        """Lines to search: those asked for, and those a weakened engine chooses among."""
        wanted = max(self._options.multipv, self._handicap.lines if self._handicap else 1)
        return max(1, min(wanted, len(self._choices)))

    def _on_line(self, line: PvLine) -> bool:
        """Record and report a line, and return whether the search should end."""
        self._add(line)
        return line.completed and (self._should_stop() or self._mate_found(line))

    def _on_last_line(self, line: PvLine) -> bool:
        """Record and report a line of a search that no clock ends."""
        self._add(line)
        return False

    def _add(self, line: PvLine) -> None:
        """Record a line, and report it."""
        if line.completed:
            self._lines.add(line)
            if line.multipv == 1:
                self._time_state = self._time_state.updated(iteration_of(line))
        if self._is_reported(line):
            self._report(line)

    def _is_reported(self, line: PvLine) -> bool:
        """Finished lines are always shown; bounds only in long searches, where the next finished line may be far."""
        return line.completed or time.perf_counter() - self._started_s >= FIRST_PROGRESS_S

    def _report(self, line: PvLine) -> None:
        """Report a line unless only a weakened engine wants it."""
        if self._on_info is not None and line.multipv <= self._options.multipv:
            self._on_info(self._reporter.info(line))

    # -- the answer

    def _answer(self) -> SearchResult:
        """Choose among the lines; stopped before there were any, look one ply deep: that takes no time."""
        lines = self._known_lines()
        if not lines:
            main = self._threads.searchers[0]
            main.set_position(self._position)
            main.run(1, 0, self._line_count(), self._search_moves, self._on_last_line)
            lines = self._known_lines()
            if not lines:
                return SearchResult(self._choices[0])
        index = 0
        if self._handicap:
            index = choose_line([line.score for line in lines], self._handicap.temperature_cp, self._threads.random)
        info = self._reporter.info(lines[index])
        return SearchResult(info.pv[0], info.pv[1] if len(info.pv) > 1 else None, info)

    def _known_lines(self) -> tuple[PvLine, ...]:
        """Return what there is to choose among: a weakened engine looks at several."""
        return self._lines.comparable() if self._handicap else self._lines.newest()

    def _no_move(self) -> SearchResult:
        """Answer at mate or stalemate."""
        info = self._reporter.no_move()
        if self._on_info is not None:
            self._on_info(info)
        return SearchResult(None, None, info)


def iteration_of(line: PvLine) -> Iteration:
    """Return what the time manager wants to know of the best line of an iteration."""
    settled = is_mate(line.score) and line.depth >= MATE - abs(line.score) + SETTLED_MARGIN_PLIES
    return Iteration(line.depth, line.pv[0], line.score, line.effort, settled)
