"""One search: what ends it besides depth and nodes."""

import threading
from collections.abc import Iterator

import pytest

from engine88 import EngineOptions, Limits, Position
from engine88.contract import SearchInfo, SearchResult
from engine88.control.deepening import Searcher
from engine88.control.running_search import RunningSearch, SearchThreads
from engine88.control.strength import handicap
from engine88.control.threads import Alarm
from engine88.search.params import TIME_FORCED_DEPTH
from engine88.search.tt import TranspositionTable
from tests.engine88.games import compiled_only

DEADLINE_S = 120.0
HOUR = Limits(wtime_ms=3_600_000, btime_ms=3_600_000)
MATE_IN_TWO = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"


@pytest.fixture(scope="module")
def threads() -> Iterator[SearchThreads]:
    """One searcher with a small table."""
    table = TranspositionTable(1)
    threads = SearchThreads(table, [Searcher(table)], [], Alarm())
    yield threads
    threads.alarm.close()


def run_search(threads: SearchThreads, fen: str, limits: Limits, options: EngineOptions | None = None) -> SearchResult:
    """Search a position from an empty table."""
    threads.table.clear()
    threads.searchers[0].new_game()
    return RunningSearch(threads, Position.from_fen(fen), limits, options or EngineOptions()).run()


def test_a_mate_on_the_clock_is_played_without_using_it(threads: SearchThreads) -> None:
    """An hour is on the clock, two minutes would be planned: the test would run into its deadline."""
    result = run_search(threads, MATE_IN_TWO, HOUR)
    assert result.best_move == "a1a6"
    assert result.info is not None
    assert result.info.time_ms < 60_000


def test_a_forced_move_is_played_without_using_the_clock(threads: SearchThreads) -> None:
    fen = "k7/8/1K6/8/8/8/8/7R b - - 0 1"
    assert Position.from_fen(fen).legal_moves() == ["a8b8"]
    result = run_search(threads, fen, HOUR)
    assert result.info is not None
    assert result.info.depth <= TIME_FORCED_DEPTH


def test_a_stop_before_the_run_is_not_lost(threads: SearchThreads) -> None:
    """The answer is still one with a score, and reported as every other."""
    shown: list[SearchInfo] = []
    running = RunningSearch(threads, Position.start(), Limits(infinite=True), EngineOptions(), shown.append)
    running.stop()
    result = running.run()
    assert result.best_move in Position.start().legal_moves()
    assert result.info is not None
    assert [(info.depth, info.score_cp, info.pv) for info in shown] == [(1, result.info.score_cp, result.info.pv)]


def test_a_weakened_engine_stopped_before_the_run_reports_its_best_line(threads: SearchThreads) -> None:
    """It chooses among several lines, of which the GUI asked for one."""
    shown: list[SearchInfo] = []
    options = EngineOptions(limit_strength=True, elo=1350)
    running = RunningSearch(threads, Position.start(), Limits(infinite=True), options, shown.append)
    running.stop()
    assert running.run().best_move in Position.start().legal_moves()
    assert [(info.depth, info.multipv) for info in shown] == [(1, 1)]


@compiled_only("it searches thousands of nodes")
def test_after_a_stop_the_last_reports_of_all_numbers_have_every_move_once(threads: SearchThreads) -> None:
    """A GUI keeps the last report of each number."""
    position, moves = Position.start(), ("e2e4", "d2d4", "g1f3", "c2c4")
    for nodes in range(1000, 4000, 100):
        shown: list[SearchInfo] = []
        limits = Limits(nodes=nodes, searchmoves=moves)
        RunningSearch(threads, position, limits, EngineOptions(multipv=4), shown.append).run()
        last = {info.multipv: info.pv[0] for info in shown}
        assert sorted(last.values()) == sorted(moves), nodes


def test_a_stop_after_the_end_does_not_touch_the_searcher(threads: SearchThreads) -> None:
    running = RunningSearch(threads, Position.start(), Limits(depth=1), EngineOptions())
    running.run()
    following = RunningSearch(threads, Position.start(), Limits(depth=4), EngineOptions())
    running.stop()
    running.ponderhit()
    info = following.run().info
    assert info is not None
    assert info.depth == 4


def test_a_ponderhit_after_enough_thought_is_answered_at_once(threads: SearchThreads) -> None:
    """All the iterations there are were done while pondering: no alarm needs to ring."""
    running = RunningSearch(
        threads, Position.from_fen(MATE_IN_TWO), Limits(ponder=True, wtime_ms=3_600_000, btime_ms=1), EngineOptions()
    )
    deep = threading.Event()
    running._on_info = lambda info: deep.set() if info.depth >= 10 else None
    results: list[SearchResult] = []
    thread = threading.Thread(target=lambda: results.append(running.run()))
    thread.start()
    assert deep.wait(DEADLINE_S)
    assert thread.is_alive()
    running.ponderhit()
    thread.join(DEADLINE_S)
    assert results[0].best_move == "a1a6"


@compiled_only("it searches thousands of nodes")
def test_a_handicap_limits_the_nodes(threads: SearchThreads) -> None:
    options = EngineOptions(limit_strength=True, elo=1600)
    run_search(threads, Position.start().fen(), HOUR, options)
    assert threads.searchers[0].nodes <= handicap(1600).nodes + 512


@compiled_only("it searches a thousand nodes")
def test_a_handicap_chooses_among_the_lines(threads: SearchThreads) -> None:
    """Full strength always takes the first one."""
    threads.random.seed(88)
    fen, weak = Position.start().fen(), EngineOptions(limit_strength=True, elo=1000)
    assert len({run_search(threads, fen, HOUR, weak).best_move for _ in range(16)}) > 1
    assert len({run_search(threads, fen, Limits(nodes=60)).best_move for _ in range(4)}) == 1


def test_searchmoves_must_be_legal(threads: SearchThreads) -> None:
    with pytest.raises(ValueError, match="e2e5"):
        RunningSearch(threads, Position.start(), Limits(searchmoves=("e2e5",)), EngineOptions())
