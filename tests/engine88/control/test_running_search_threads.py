"""Helpers, counts and what is shown of a search, by script: no kernel runs."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from engine88 import EngineOptions, Limits, Position
from engine88.board.defs import MATE, mate_in, mated_in
from engine88.contract import SearchProgress
from engine88.control.deepening import PvLine
from engine88.control.running_search import FIRST_PROGRESS_S, PROGRESS_INTERVAL_S, SETTLED_MARGIN_PLIES, iteration_of
from engine88.control.time_manager import Iteration
from tests.engine88.control.scripted import ScriptedSearcher, deepening, staged


def test_helpers_search_the_same_and_are_stopped_with_the_first_searcher(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.start()
    helpers = [ScriptedSearcher(), ScriptedSearcher()]
    limits = Limits(depth=5, nodes=1001, searchmoves=("a2a3", "e2e4", "g1f3"))
    moves = tuple(position.parse_move(name) for name in limits.searchmoves)
    with staged(monkeypatch, ScriptedSearcher(deepening(position, 5, move="e2e4")), helpers) as stage:
        stage.search(position, limits, EngineOptions(multipv=9)).run()
        assert stage.main.runs == [(5, 334, 3, moves)]  # three lines at most; a third of the nodes, rounded up
        assert [helper.runs for helper in helpers] == [stage.main.runs] * 2
        assert [helper.stopped for helper in helpers] == [True, True]


def test_nodes_are_counted_over_all_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.start()
    helper = ScriptedSearcher()
    with staged(monkeypatch, ScriptedSearcher(deepening(position, 1), each_ms=500.0), [helper]) as stage:
        stage.main.nodes, helper.nodes = 3000, 2000
        info = stage.search(position, Limits(depth=1)).run().info
        assert info is not None
        assert (info.nodes, info.nps, info.time_ms, info.hashfull) == (5000, 10_000, 500, 7)


def test_an_error_in_a_helper_reaches_whoever_waits_for_the_move(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.start()
    helper = ScriptedSearcher()
    helper.error = RuntimeError("a helper broke")
    with staged(monkeypatch, ScriptedSearcher(deepening(position, 1)), [helper]) as stage:
        running = stage.search(position, Limits(depth=1))
        with pytest.raises(RuntimeError, match="a helper broke"):
            running.run()


def test_an_error_in_the_first_searcher_stops_the_helpers(monkeypatch: pytest.MonkeyPatch) -> None:
    helper = ScriptedSearcher()
    with staged(monkeypatch, ScriptedSearcher(), [helper]) as stage:
        stage.main.error = RuntimeError("it broke")
        with pytest.raises(RuntimeError, match="it broke"):
            stage.search(Position.start(), Limits(depth=1)).run()
        assert helper.stopped


def test_a_long_search_gives_a_sign_of_life_each_second(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.start()
    signs: list[SearchProgress] = []
    with staged(monkeypatch, ScriptedSearcher(deepening(position, 12), each_ms=500.0)) as stage:

        def pass_time(line: PvLine) -> None:
            stage.main.root_move, stage.main.nodes = (line.pv[0] if line.depth > 7 else 0), line.nodes
            stage.alarm.ring(stage.clock.now_s)

        stage.main.before_line = pass_time
        stage.search(position, Limits(depth=12), on_progress=signs.append).run()
        first = position.legal_moves()[0]
        found = [(sign.depth, sign.current_move, sign.nodes) for sign in signs]
        assert found == [(7, None, 700), (9, first, 900), (11, first, 1100)]
        assert [sign.time_ms for sign in signs] == [3000, 4000, 5000]
        assert (FIRST_PROGRESS_S, PROGRESS_INTERVAL_S) == (3.0, 1.0)
        assert not stage.alarm.due


def test_there_is_no_sign_of_life_before_a_first_iteration_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.start()
    signs: list[SearchProgress] = []
    with staged(monkeypatch, ScriptedSearcher(deepening(position, 2), each_ms=10_000.0)) as stage:
        rings: list[int] = []

        def pass_time(_line: PvLine) -> None:
            stage.alarm.ring(stage.clock.now_s + 5.0)
            rings.append(len(signs))

        stage.main.before_line = pass_time
        stage.search(position, Limits(depth=2), on_progress=signs.append).run()
        assert rings == [0, 1]


def test_bounds_are_shown_only_in_a_long_search(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.start()
    finished = deepening(position, 4)
    bounds = [replace(line, bound="lower", completed=False) for line in finished]
    lines = [line for pair in zip(bounds, finished, strict=True) for line in pair]
    shown: list[tuple[int, str]] = []
    with staged(monkeypatch, ScriptedSearcher(lines, each_ms=600.0)) as stage:
        stage.search(position, Limits(depth=4), on_info=lambda info: shown.append((info.depth, info.bound))).run()
    assert shown == [(1, "exact"), (2, "exact"), (3, "lower"), (3, "exact"), (4, "lower"), (4, "exact")]


def test_a_sign_of_life_that_comes_after_the_end_is_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.start()
    signs: list[SearchProgress] = []
    with staged(monkeypatch, ScriptedSearcher(deepening(position, 1))) as stage:
        late: list[Callable[[], None]] = []
        stage.main.before_line = lambda _line: late.extend(action for _when_s, action in stage.alarm.due)
        stage.search(position, Limits(depth=1), on_progress=signs.append).run()
        assert late
        for action in late:
            action()
        assert (signs, stage.alarm.due) == ([], [])


@pytest.mark.parametrize(("margin", "settled"), [(-1, False), (0, True), (1, True)])
@pytest.mark.parametrize("score", [mate_in(5), mated_in(4)])
def test_a_mate_is_settled_when_the_search_has_looked_well_beyond_it(score: int, margin: int, settled: bool) -> None:
    depth = MATE - abs(score) + SETTLED_MARGIN_PLIES + margin
    line = replace(deepening(Position.start(), 1)[0], depth=depth, score=score, effort=0.25)
    assert iteration_of(line) == Iteration(depth, line.pv[0], score, 0.25, settled)
    assert not iteration_of(replace(line, score=300)).settled
