"""What ends a search and when it answers, by script: a clock and an alarm that move only on request."""

import threading
from dataclasses import replace

import pytest

from engine88 import Limits, Position
from engine88.board.defs import mate_in, mated_in
from engine88.contract import SearchInfo
from engine88.control.deepening import PvLine
from tests.engine88.control.scripted import START_S, ScriptedSearcher, deepening, staged

DEADLINE_S = 120.0
HOUR = Limits(wtime_ms=3_600_000, btime_ms=3_600_000)
MATE_IN_TWO = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"


def test_a_fixed_time_is_used_and_not_exceeded_by_another_iteration(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.start()
    with staged(monkeypatch, ScriptedSearcher(deepening(position, 20), each_ms=100.0)) as stage:
        result = stage.search(position, Limits(movetime_ms=1000)).run()
        assert result.info is not None
        assert result.info.depth == 10
        assert result.info.time_ms == 1000


def test_the_alarm_is_set_to_the_hard_limit_and_stops_every_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.start()
    helper = ScriptedSearcher()
    with staged(monkeypatch, ScriptedSearcher(deepening(position, 1)), [helper]) as stage:
        seen: list[tuple[float, bool, bool]] = []

        def ring(_info: SearchInfo) -> None:
            when_s = stage.alarm.due[0][0]
            stage.alarm.ring(when_s)
            seen.append((when_s, stage.main.stopped, helper.stopped))

        stage.search(position, Limits(movetime_ms=1000), on_info=ring).run()
        assert [stopped for _when_s, *stopped in seen] == [[True, True]]
        assert seen[0][0] == pytest.approx(START_S + 0.99, abs=0.02)
        assert not stage.alarm.due


def test_a_stop_that_comes_late_leaves_the_searchers_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.start()
    with staged(monkeypatch, ScriptedSearcher(deepening(position, 1))) as stage:
        running = stage.search(position, Limits(depth=1))
        running.run()
        running.stop()
        assert not stage.main.stopped


def test_a_ponderhit_sets_the_alarm_and_lets_the_clock_end_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of a fixed time begins with the hit; before it nothing ends the search."""
    position = Position.start()
    with staged(monkeypatch, ScriptedSearcher(deepening(position, 60), each_ms=100.0)) as stage:
        running = stage.search(position, Limits(movetime_ms=1000, ponder=True))

        def hit_at_depth_21(line: PvLine) -> None:
            assert line.depth > 20 or not stage.alarm.due
            if line.depth == 21:
                running.ponderhit()
                running.ponderhit()  # a second one changes nothing

        stage.main.before_line = hit_at_depth_21
        info = running.run().info
        assert info is not None
        assert info.depth == 30


def test_a_ponderhit_on_the_clock_counts_the_time_spent_pondering(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.start()
    with staged(monkeypatch, ScriptedSearcher(deepening(position, 60), each_ms=100.0)) as stage:
        running = stage.search(position, Limits(wtime_ms=10_000, btime_ms=10_000, ponder=True))
        stage.main.before_line = lambda line: running.ponderhit() if line.depth == 21 else None
        info = running.run().info
        assert info is not None
        assert info.depth == 21


@pytest.mark.parametrize("kind", [Limits(infinite=True), Limits(ponder=True, depth=3)])
def test_no_answer_before_the_gui_asks_for_it(monkeypatch: pytest.MonkeyPatch, kind: Limits) -> None:
    position = Position.start()
    with staged(monkeypatch, ScriptedSearcher(deepening(position, 3))) as stage:
        shown, done = threading.Event(), threading.Event()
        running = stage.search(position, kind, on_info=lambda info: shown.set() if info.depth == 3 else None)

        def answer() -> None:
            running.run()
            done.set()

        thread = threading.Thread(target=answer)
        thread.start()
        assert shown.wait(DEADLINE_S)
        assert not done.wait(0.05)
        running.stop()
        assert done.wait(DEADLINE_S)
        thread.join(DEADLINE_S)


@pytest.mark.parametrize(("moves", "depth"), [(1, 6), (2, 5), (3, 3), (4, 3)])
def test_go_mate_ends_with_a_mate_that_is_short_enough(monkeypatch: pytest.MonkeyPatch, moves: int, depth: int) -> None:
    """A mate in three is found at depth 3, in two at depth 5; one against us counts for nothing."""
    position = Position.start()
    scores = [mated_in(4), 20, mate_in(5), mate_in(5), mate_in(3), mate_in(3)]
    lines = [replace(line, score=score) for line, score in zip(deepening(position, 6), scores, strict=True)]
    with staged(monkeypatch, ScriptedSearcher(lines)) as stage:
        info = stage.search(position, Limits(mate=moves, depth=6)).run().info
        assert info is not None
        assert info.depth == depth


def test_a_stopped_search_without_a_line_looks_one_ply_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where not even that gives a line, any legal move is an answer."""
    position = Position.start()
    with staged(monkeypatch, ScriptedSearcher()) as stage:
        result = stage.search(position, Limits(nodes=5, searchmoves=("h2h4",))).run()
        assert (result.best_move, result.ponder_move, result.info) == ("h2h4", None, None)
        assert stage.main.runs[1:] == [(1, 0, 1, (position.parse_move("h2h4"),))]


def test_a_fresh_answer_carries_the_move_to_ponder_on(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.start()
    line = deepening(position, 1, move="e2e4")[0]
    reply = position.push("e2e4").parse_move("e7e5")
    with staged(monkeypatch, ScriptedSearcher([replace(line, pv=(*line.pv, reply))])) as stage:
        result = stage.search(position, Limits(depth=1)).run()
        assert (result.best_move, result.ponder_move) == ("e2e4", "e7e5")


@pytest.mark.parametrize(
    ("fen", "mate", "score_cp"),
    [("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", 0, None), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", None, 0)],
)
def test_mate_and_stalemate_are_told_and_nothing_is_searched(
    monkeypatch: pytest.MonkeyPatch, fen: str, mate: int | None, score_cp: int | None
) -> None:
    shown: list[SearchInfo] = []
    with staged(monkeypatch, ScriptedSearcher()) as stage:
        result = stage.search(Position.from_fen(fen), Limits(depth=1), on_info=shown.append).run()
        assert (result.best_move, result.ponder_move, stage.main.runs) == (None, None, [])
        assert [(info.mate, info.score_cp, info.depth) for info in shown] == [(mate, score_cp, 0)]


def test_a_look_one_ply_deep_gives_a_line_where_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped at once: the search gives nothing, the look does."""
    position = Position.start()
    with staged(monkeypatch, ScriptedSearcher(deepening(position, 1, move="d2d4"))) as stage:
        running = stage.search(position, Limits(infinite=True))
        running.stop()
        result = running.run()
        assert result.best_move == "d2d4"
        assert result.info is not None
        assert len(stage.main.runs) == 2
