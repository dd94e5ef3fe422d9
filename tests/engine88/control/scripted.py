"""A search by script: searchers that search nothing, an alarm and a clock that move only on request."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from engine88.contract import EngineOptions, Limits
from engine88.control import reports, running_search
from engine88.control.deepening import PvLine
from engine88.control.running_search import OnInfo, OnProgress, RunningSearch, SearchThreads
from engine88.control.threads import Worker
from engine88.rules.position import Position

START_S = 1000.0


class ScriptedClock:
    """Stands for `time.perf_counter`."""

    def __init__(self) -> None:
        """Begin at START_S."""
        self.now_s = START_S

    def pass_ms(self, milliseconds: float) -> None:
        """Let time go by."""
        self.now_s += milliseconds / 1000.0


class ScriptedAlarm:
    """Keeps what it shall call; the test rings."""

    def __init__(self) -> None:
        """Begin with nothing due."""
        self.due: list[tuple[float, Callable[[], None]]] = []

    def at(self, when_s: float, action: Callable[[], None]) -> None:
        """Take an action."""
        self.due.append((when_s, action))

    def clear(self) -> None:
        """Forget all actions."""
        self.due.clear()

    def ring(self, until_s: float) -> None:
        """Call what is due by then, each once."""
        ready = [entry for entry in self.due if entry[0] <= until_s]
        self.due = [entry for entry in self.due if entry[0] > until_s]
        for _when_s, action in ready:
            action()


class ScriptedSearcher:
    """Gives its lines in order, `each_ms` apart, until it is asked to end."""

    def __init__(self, lines: Sequence[PvLine] = (), clock: ScriptedClock | None = None, each_ms: float = 0.0) -> None:
        """Have these lines to give."""
        self.lines, self.clock, self.each_ms = lines, clock or ScriptedClock(), each_ms
        self.nodes = self.root_move = 0
        self.runs: list[tuple[int, int, int, tuple[int, ...]]] = []
        self.stopped = False
        self.error: Exception | None = None
        self.before_line: Callable[[PvLine], None] = lambda _line: None

    def set_position(self, _position: Position) -> None:
        """Clear an earlier stop."""
        self.stopped = False

    def stop(self) -> None:
        """Give no further line."""
        self.stopped = True

    def run(
        self,
        depth: int,
        nodes: int,
        multipv: int,
        moves: tuple[int, ...] = (),
        on_line: Callable[[PvLine], bool] | None = None,
    ) -> PvLine | None:
        """Give the lines; the last one given is the result."""
        self.runs.append((depth, nodes, multipv, moves))
        if self.error is not None:
            raise self.error
        last = None
        for line in self.lines:
            if self.stopped or line.depth > depth:
                break
            self.before_line(line)
            self.clock.pass_ms(self.each_ms)
            last = line
            if on_line is not None and on_line(line):
                break
        return last


class Stage:
    """One main searcher, any number of helpers, and what they share."""

    def __init__(self, main: ScriptedSearcher, helpers: Sequence[ScriptedSearcher], workers: list[Worker]) -> None:
        """Put the searchers together."""
        self.main, self.helpers, self.clock = main, helpers, main.clock
        self.alarm = ScriptedAlarm()
        table: Any = SimpleNamespace(new_search=lambda: None, hashfull=lambda: 7)
        searchers: list[Any] = [main, *helpers]
        alarm: Any = self.alarm
        self.threads = SearchThreads(table, searchers, workers, alarm)

    def search(
        self,
        position: Position,
        limits: Limits,
        options: EngineOptions | None = None,
        on_info: OnInfo | None = None,
        on_progress: OnProgress | None = None,
    ) -> RunningSearch:
        """A search on this stage, not yet run."""
        return RunningSearch(self.threads, position, limits, options or EngineOptions(), on_info, on_progress)


@contextmanager
def staged(
    patch: pytest.MonkeyPatch, main: ScriptedSearcher, helpers: Sequence[ScriptedSearcher] = ()
) -> Iterator[Stage]:
    """A stage whose clock is the main searcher's."""
    clock = SimpleNamespace(perf_counter=lambda: main.clock.now_s)
    for module in (running_search, reports):
        patch.setattr(module, "time", clock)
    workers = [Worker(f"helper-{number}") for number, _ in enumerate(helpers)]
    try:
        yield Stage(main, helpers, workers)
    finally:
        for worker in workers:
            worker.close()


def deepening(
    position: Position, depths: int, *, move: str = "", score_cp: int = 20, effort: float = 0.5
) -> list[PvLine]:
    """Lines as of an iterative deepening that never changes its mind."""
    code = position.parse_move(move or position.legal_moves()[0])
    return [
        PvLine(depth, depth + 2, 1, score_cp, "exact", (code,), 100 * depth, True, effort)
        for depth in range(1, depths + 1)
    ]
