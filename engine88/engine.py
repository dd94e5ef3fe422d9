"""The engine as a library: give it a position and limits, get infos and a move.

    with Engine(EngineOptions(hash_mb=64)) as engine:
        result = engine.search(Position.start(), Limits(movetime_ms=1000))
        print(result.best_move, result.info.score_cp)

One search runs at a time; `stop` and `ponderhit` may be called from any thread.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from queue import SimpleQueue
from types import TracebackType

from engine88.compiler.warmup import wait_for_background
from engine88.contract import (
    NO_NETWORK,
    EngineOptions,
    Limits,
    SearchInfo,
    SearchResult,
    StaticEvaluation,
)
from engine88.control.deepening import Searcher
from engine88.control.reports import static_evaluation
from engine88.control.running_search import OnInfo, OnProgress, RunningSearch, SearchThreads
from engine88.control.threads import Alarm, Worker
from engine88.evaluation.network.loaded_network import LoadedNetwork, load_network, network_file
from engine88.evaluation.network.network_file import NetworkFileError
from engine88.rules.position import Position
from engine88.search.tt import TranspositionTable


class Engine:
    """A chess engine with its transposition table and threads; close it (or use ``with``) to give them back."""

    def __init__(self, options: EngineOptions | None = None) -> None:
        """Make an engine; the default options are those of `EngineOptions`."""
        self._options = options or EngineOptions()
        self._threads = SearchThreads(TranspositionTable(self._options.hash_mb), [], [], Alarm())
        self._worker = Worker("engine88-main")
        self._running: RunningSearch | None = None
        self._job: Future[SearchResult] | None = None
        self.evaluation_note = ""
        self._network = self._find_network()
        self._resize_threads()

    @property
    def options(self) -> EngineOptions:
        """The effective options."""
        return self._options

    @property
    def nodes(self) -> int:
        """Nodes of the search in progress or the last one, all threads."""
        return sum(searcher.nodes for searcher in self._threads.searchers)

    def configure(self, options: EngineOptions) -> None:
        """Apply options; a search in progress is ended first if the table or the threads must change.

        Raises MemoryError when there is no room for the table; then the old options stay.
        """
        old = self._options
        if old.hash_mb != options.hash_mb:
            self._finish()
            self._threads.table = TranspositionTable(options.hash_mb)
            self._threads.searchers.clear()
        self._options = options
        if (old.eval_file, old.limit_strength) != (options.eval_file, options.limit_strength):
            self._finish()
            if old.eval_file != options.eval_file:
                self._network = self._find_network()
            self._threads.table.clear()  # scores of another evaluation, or of searches deeper than a level's
            self._threads.searchers.clear()
        if len(self._threads.searchers) != options.threads:
            self._finish()
            self._resize_threads()

    def new_game(self) -> None:
        """Clear everything learnt; a search in progress is ended first."""
        self._finish()
        self._threads.table.clear()
        for searcher in self._threads.searchers:
            searcher.new_game()

    def clear_hash(self) -> None:
        """Empty the transposition table; a search in progress is ended first."""
        self._finish()
        self._threads.table.clear()

    def start(
        self, position: Position, limits: Limits, on_info: OnInfo | None = None, on_progress: OnProgress | None = None
    ) -> "Future[SearchResult]":
        """Begin a search and return at once; a search in progress is ended first.

        The callbacks run in the engine's threads.  Raises ValueError for a move of ``searchmoves`` that is not legal.
        """
        self._finish()
        running = RunningSearch(self._threads, position, limits, self._options, on_info, on_progress)
        self._running = running
        self._job = self._worker.submit(running.run)
        return self._job

    def search(self, position: Position, limits: Limits, on_info: OnInfo | None = None) -> SearchResult:
        """Search and return the answer; without any limit this takes until `stop` is called."""
        return self.start(position, limits, on_info).result()

    def analyse(self, position: Position, limits: Limits) -> Iterator[SearchInfo]:
        """Yield infos as they come; leaving the loop ends the search."""
        infos: SimpleQueue[SearchInfo | None] = SimpleQueue()
        job = self.start(position, limits, infos.put)
        job.add_done_callback(lambda _: infos.put(None))
        try:
            while (info := infos.get()) is not None:
                yield info
            job.result()
        finally:
            if self._job is job:
                self._finish()

    def evaluate(self, position: Position) -> StaticEvaluation | None:
        """Return the static evaluation with its terms; None in check, where none is made."""
        return None if position.is_check() else static_evaluation(position, self._network)

    def run_in_search_thread(self, job: Callable[[], None]) -> None:
        """Run something else (perft, bench) in the search thread, after the search in progress was ended."""
        self._finish()
        self._worker.submit(job)

    def stop(self) -> None:
        """End the search in progress, if any, and let it answer now."""
        if self._running is not None:
            self._running.stop()

    def ponderhit(self) -> None:
        """Turn a pondering search into one on the clock."""
        if self._running is not None:
            self._running.ponderhit()

    def close(self) -> None:
        """End the search and the threads; the engine is of no use afterwards."""
        self._finish()
        for worker in (self._worker, *self._threads.helpers):
            worker.close()
        self._threads.helpers.clear()
        self._threads.alarm.close()

    def __enter__(self) -> "Engine":
        """Return the engine itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the engine."""
        self.close()

    def _finish(self) -> None:
        """End the search in progress and wait for its answer; its error stays with its future."""
        if self._running is None or self._job is None:
            return
        self._running.stop()
        self._job.exception()
        self._running = self._job = None

    def _find_network(self) -> LoadedNetwork | None:
        """Load the network that the options name; if it cannot be used, note why and do without."""
        name = self._options.eval_file
        if name == NO_NETWORK:
            self.evaluation_note = "evaluation: hand-written terms"
            return None
        try:
            network = load_network(network_file(name))
        except NetworkFileError as error:
            self.evaluation_note = f"evaluation: hand-written terms, since EvalFile cannot be used: {error}"
            return None
        self.evaluation_note = f"evaluation: network {network.meta.name}, {network.meta.width} neurons"
        return network

    def _resize_threads(self) -> None:
        """Have one searcher per thread, and a worker for each but the first."""
        searchers, helpers = self._threads.searchers, self._threads.helpers
        if self._network is None:
            wait_for_background()  # the hand-written terms are compiled there
        del searchers[self._options.threads :]
        while len(searchers) < self._options.threads:
            searchers.append(Searcher(self._threads.table, len(searchers), self._network))
        while len(helpers) > len(searchers) - 1:
            helpers.pop().close()
        while len(helpers) < len(searchers) - 1:
            helpers.append(Worker(f"engine88-helper-{len(helpers) + 1}"))
