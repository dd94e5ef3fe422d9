"""Lines of the searcher become infos; lines of one depth stay together."""

from dataclasses import replace

import pytest

from engine88.board.defs import MATE, mate_in, mated_in
from engine88.contract import EngineOptions, Limits
from engine88.control.deepening import PvLine
from engine88.control.reports import IterationLines, mate_in_moves, static_evaluation, wdl_of_mate, wdl_of_score
from engine88.evaluation.network.loaded_network import DEFAULT_FILE, load_network
from engine88.rules.position import Position
from tests.engine88.control.scripted import ScriptedSearcher, deepening, staged


def line(depth: int, multipv: int, score: int = 0) -> PvLine:
    """A finished line."""
    return PvLine(depth, depth, multipv, score, "exact", (1,), 100, True, 0.5)


@pytest.mark.parametrize(
    ("score", "moves"),
    [
        (mate_in(1), 1),
        (mate_in(2), 1),
        (mate_in(3), 2),
        (mate_in(9), 5),
        (mated_in(0), 0),
        (mated_in(2), -1),
        (mated_in(4), -2),
        (MATE - 1, 1),
    ],
)
def test_mate_scores_count_moves(score: int, moves: int) -> None:
    assert mate_in_moves(score) == moves


def test_the_newest_line_is_the_deepest_first_one() -> None:
    lines = IterationLines(2)
    assert lines.newest() == ()
    for each in (line(1, 1), line(1, 2), line(2, 1, 50)):
        lines.add(each)
    assert lines.newest() == (line(2, 1, 50),)
    assert lines.depth == 2


def test_only_lines_of_a_whole_iteration_are_compared() -> None:
    lines = IterationLines(2)
    lines.add(line(1, 1, 10))
    assert lines.comparable() == ()
    for each in (line(1, 2, 5), line(2, 1, 50)):
        lines.add(each)
    assert lines.comparable() == (line(1, 1, 10), line(1, 2, 5))
    lines.add(line(2, 2, 40))
    assert lines.comparable() == (line(2, 1, 50), line(2, 2, 40))


@pytest.mark.parametrize(("side", "sign"), [("w", 1), ("b", -1)])
def test_a_static_evaluation_has_its_terms_and_is_told_for_both_sides(side: str, sign: int) -> None:
    found = static_evaluation(Position.from_fen(f"4k3/pppp4/8/8/8/8/PPPP4/QR2K3 {side} - - 0 1"))
    assert found.white_cp == sign * found.score_cp > 300
    assert len(found.terms) > 3


@pytest.mark.parametrize(
    ("score", "score_cp", "mate"),
    [(35, 35, None), (-1200, -1200, None), (mate_in(5), None, 3), (mated_in(4), None, -2)],
)
@pytest.mark.parametrize("show_wdl", [False, True])
def test_a_line_tells_either_centipawns_or_moves_to_mate(
    monkeypatch: pytest.MonkeyPatch, score: int, score_cp: int | None, mate: int | None, show_wdl: bool
) -> None:
    position = Position.start()
    only = replace(deepening(position, 1, move="e2e4")[0], depth=3, seldepth=9, score=score)
    with staged(monkeypatch, ScriptedSearcher([only])) as stage:
        info = stage.search(position, Limits(depth=3), EngineOptions(show_wdl=show_wdl)).run().info
    assert info is not None
    assert (info.score_cp, info.mate, info.depth, info.seldepth, info.pv) == (score_cp, mate, 3, 9, ("e2e4",))
    wdl = wdl_of_score(score) if mate is None else wdl_of_mate(mate)
    assert info.wdl == (wdl if show_wdl else None)


def test_lines_of_one_iteration_come_in_their_order_however_they_are_added() -> None:
    lines = IterationLines(3)
    for number in (2, 3, 1):
        lines.add(line(4, number))
    assert [each.multipv for each in lines.comparable()] == [1, 2, 3]
    lines.add(line(5, 2))
    assert lines.newest() == (line(4, 1),)  # the first line of depth 5 is not known yet


def test_lines_that_a_stopped_iteration_has_not_searched_follow_its_own() -> None:
    lines = IterationLines(3)
    for number in (1, 2, 3):
        assert lines.remaining() == ()
        lines.add(replace(line(4, number), pv=(number,)))
    assert lines.remaining() == ()
    lines.add(replace(line(5, 1), pv=(3,)))
    assert [(each.depth, each.multipv, each.pv) for each in lines.remaining()] == [(4, 2, (1,)), (4, 3, (2,))]


def test_the_network_and_a_known_draw_have_no_terms() -> None:
    start, bare_kings = Position.start(), Position.from_fen("4k3/8/8/8/8/8/8/4K3 b - - 0 1")
    by_network = static_evaluation(start, load_network(DEFAULT_FILE))
    assert by_network.terms == ()
    assert by_network.score_cp != static_evaluation(start).score_cp
    drawn = static_evaluation(bare_kings)
    assert (drawn.score_cp, drawn.white_cp, drawn.terms) == (0, 0, ())
