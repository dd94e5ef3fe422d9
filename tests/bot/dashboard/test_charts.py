"""Charts and positions as SVG."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import chess
import pytest
from chess.engine import Cp, Mate, PovScore

from bot.dashboard.charts import (
    HEIGHT,
    WIDTH,
    evaluation_chart,
    line_chart,
    score_level,
    share_bar,
)

MATED = PovScore(Mate(-3), chess.WHITE)


def ours(score_cp: int) -> PovScore:
    """A score of ours, who are White."""
    return PovScore(Cp(score_cp), chess.WHITE)


def chart_of(scores: list[tuple[int, PovScore]], plies: int, label: str, cursor: int | None = None) -> str:
    """The drawing alone, without its scale."""
    figure = evaluation_chart(scores, chess.WHITE, plies, label, cursor)
    return str(re.search("<svg.*</svg>", figure)[0])  # type: ignore[index]  # there is one


def parts(svg: str) -> list[ElementTree.Element]:
    """The shapes of a chart; fails where it is not well-formed."""
    return list(ElementTree.fromstring(svg))


def points(svg: str, kind: str) -> list[tuple[float, float]]:
    """The corners of the path of a class; none where it is not drawn."""
    found = [shape.get("d", "") for shape in parts(svg) if shape.get("class") == kind]
    return [(float(x), float(y)) for path in found for x, y in re.findall(r"[ML]([-\d.]+) ([-\d.]+)", path)]


@pytest.mark.parametrize(
    ("score", "level"), [(0, 0.0), (1000, 1.0), (-1000, -1.0), (2500, 1.0), (31_990, 1.0), (-31_990, -1.0)]
)
def test_scores_are_capped_at_ten_pawns(score: int, level: float) -> None:
    assert score_level(score) == pytest.approx(level)


def test_scores_keep_their_order_and_their_sides() -> None:
    levels = [score_level(score) for score in range(-1000, 1001, 50)]
    assert levels == sorted(levels)
    assert score_level(-130) == -score_level(130)


def test_the_line_runs_from_left_to_right_and_up_where_we_are_better() -> None:
    line = points(chart_of([(0, ours(0)), (20, ours(1000)), (40, ours(-1000))], 40, "x"), "line")
    assert [x for x, _ in line] == [0.0, WIDTH / 2, WIDTH]
    (start, top, bottom) = [y for _, y in line]
    assert start == HEIGHT / 2
    assert 0 < top < start < bottom < HEIGHT
    assert top + bottom == pytest.approx(HEIGHT)


def test_the_areas_meet_the_zero_line_where_the_score_changes_sides() -> None:
    chart = chart_of([(0, ours(200)), (40, ours(-200))], 40, "x")
    ahead, behind = points(chart, "ahead"), points(chart, "behind")
    assert (WIDTH / 2, HEIGHT / 2) in ahead
    assert (WIDTH / 2, HEIGHT / 2) in behind
    assert all(y <= HEIGHT / 2 for _, y in ahead)
    assert all(y >= HEIGHT / 2 for _, y in behind)


def test_an_area_closes_on_the_zero_line_and_takes_in_the_true_crossing() -> None:
    chart = chart_of([(10, ours(1000)), (30, ours(-100))], 60, "x")
    zero, (start, end) = HEIGHT / 2, [x for x, _ in points(chart, "line")]
    (_, top), (_, bottom) = points(chart, "line")
    crossing = start + (end - start) * (zero - top) / (bottom - top)
    assert (start, end) == (100.0, 300.0)
    assert crossing > (start + end) / 2, "nearer to the smaller score"
    found = {kind: [corner for x, y in points(chart, kind) for corner in (x, y)] for kind in ("ahead", "behind")}
    ahead = [start, zero, start, top, crossing, zero, end, zero, end, zero]
    behind = [start, zero, start, zero, crossing, zero, end, bottom, end, zero]
    assert found["ahead"] == pytest.approx(ahead, abs=0.1)
    assert found["behind"] == pytest.approx(behind, abs=0.1)


def test_the_latest_score_is_marked_on_the_line_and_the_guides_lie_in_pairs_about_zero() -> None:
    chart = chart_of([(2, ours(50)), (4, ours(-120))], 40, "x", cursor=2)
    assert points(chart, "now") == [points(chart, "line")[-1]]
    mated = chart_of([(2, ours(50)), (4, MATED)], 40, "x")
    assert points(mated, "mate") == [points(mated, "line")[-1]]
    levels = {float(s.get("y1", "")): s for s in parts(chart) if s.get("class") in ("guide", "zero")}
    heights = sorted(levels)
    assert len(heights) == 5
    assert [low + high for low, high in zip(heights, heights[::-1], strict=True)] == pytest.approx([HEIGHT] * 5)
    across = ("0", f"{WIDTH:.0f}")
    assert all(line.get("y1") == line.get("y2") for line in levels.values())
    assert all((line.get("x1"), line.get("x2")) == across for line in levels.values())
    (cursor,) = [shape for shape in parts(chart) if shape.get("class") == "cursor"]
    assert (cursor.get("y1"), cursor.get("y2")) == ("0", f"{HEIGHT:.0f}")


def test_a_game_in_which_we_are_never_behind_has_no_area_below() -> None:
    assert points(chart_of([(1, ours(20)), (3, ours(30))], 40, "x"), "behind") == []


def test_mates_are_marked() -> None:
    chart = chart_of([(2, ours(50)), (4, MATED), (6, MATED)], 40, "x")
    assert [x for x, _ in points(chart, "mate")] == [60.0, 90.0]


def test_the_cursor_stands_at_its_ply() -> None:
    (cursor,) = [s for s in parts(chart_of([], 60, "x", cursor=30)) if s.get("class") == "cursor"]
    assert (cursor.get("x1"), cursor.get("x2")) == ("300.0", "300.0")


def test_a_chart_without_points_is_a_zero_line() -> None:
    kinds = {shape.get("class") for shape in parts(chart_of([], 0, "nothing yet"))}
    assert kinds == {"guide", "zero"}


def test_labels_are_escaped() -> None:
    assert ElementTree.fromstring(chart_of([], 1, '<"&>')).get("aria-label") == '<"&>'


def test_a_line_fills_its_place() -> None:
    line = points(line_chart([(1_000.0, 1500.0), (2_000.0, 1600.0), (3_000.0, 1550.0)], "x"), "line")
    assert [x for x, _ in line] == [0.0, WIDTH / 2, WIDTH]
    assert line[1][1] == min(y for _, y in line) > 0
    assert line[0][1] == max(y for _, y in line) < HEIGHT


@pytest.mark.parametrize("values", [[], [(5.0, 1500.0)], [(5.0, 1500.0), (5.0, 1500.0)]])
def test_a_line_through_little_is_drawn_all_the_same(values: list[tuple[float, float]]) -> None:
    line = points(line_chart(values, "x"), "line")
    assert {y for _, y in line} <= {HEIGHT / 2}
    assert bool(line) == bool(values)


def test_a_bar_is_divided_by_counts() -> None:
    bars = [
        (bar.get("class"), bar.get("x"), bar.get("width")) for bar in parts(share_bar([("won", 1), ("lost", 3)], "x"))
    ]
    assert bars == [("won", "0.0", "150.0"), ("lost", "150.0", "450.0")]


def test_a_bar_leaves_out_what_did_not_happen() -> None:
    bars = parts(share_bar([("won", 2), ("drawn", 0), ("lost", 1)], "x"))
    assert [(bar.get("class"), bar.get("x")) for bar in bars] == [("won", "0.0"), ("lost", "400.0")]


def test_a_rating_that_hardly_moves_is_no_storm() -> None:
    """What differs by less than one is drawn in the middle, not over the whole height."""
    line = points(line_chart([(0.0, 1500.0), (10.0, 1500.5)], "x"), "line")
    assert [x for x, _ in line] == [0.0, WIDTH]
    assert line[0][1] + line[1][1] == pytest.approx(HEIGHT)
    whole = points(line_chart([(0.0, 1500.0), (10.0, 1501.0)], "x"), "line")
    assert [y for _, y in whole] == pytest.approx([HEIGHT - whole[1][1], HEIGHT * 0.0815], abs=0.1)
    assert line[0][1] - line[1][1] == pytest.approx((whole[0][1] - whole[1][1]) / 2, abs=0.1)


def test_a_bar_of_nothing_is_empty() -> None:
    assert parts(share_bar([("won", 0), ("lost", 0)], "x")) == []


def test_the_end_of_a_line_is_marked() -> None:
    chart = line_chart([(1_000.0, 1500.0), (2_000.0, 1600.0), (3_000.0, 1550.0)], "x")
    assert points(chart, "now") == [points(chart, "line")[-1]]


def test_one_value_is_a_line_across_the_whole_chart() -> None:
    chart = line_chart([(5.0, 1500.0)], "x")
    assert [x for x, _ in points(chart, "line")] == [0.0, WIDTH]
