"""Lines of the searcher become infos; lines of one depth stay together."""

import pytest

from engine88.board.defs import MATE, mate_in, mated_in
from engine88.control.deepening import Line
from engine88.control.reports import IterationLines, mate_in_moves, static_evaluation
from engine88.rules.position import Position


def line(depth: int, multipv: int, score: int = 0) -> Line:
    """A finished line."""
    return Line(depth, depth, multipv, score, "exact", (1,), 100, True, 0.5)


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
    assert lines.comparable() == (line(1, 1, 10),)
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
