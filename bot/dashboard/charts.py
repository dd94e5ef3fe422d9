"""Charts as inline SVG. They are only shapes and classes, so that the style sheet colours them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from html import escape

import chess
from chess.engine import PovScore

WIDTH, HEIGHT = 600.0, 120.0
CAP_CP = 1000.0  # scores beyond ten pawns are drawn at the edge
SHARE = 0.93  # of the height that the levels take, so that a line at the edge is seen whole
FEWEST_PLIES = 40  # a game that has just begun does not fill the chart
GUIDES_CP = (-300, -100, 100, 300)
#: The levels that the scale names; the style sheet places them.
_SCALE = (("top", "+10"), ("high", "+3"), ("zero", "0"), ("low", "−3"), ("bottom", "−10"))


def score_level(score_cp: float) -> float:
    """Return the height of a score, from -1 to 1: logarithmic, with ten pawns at the edge."""
    capped = min(CAP_CP, abs(score_cp))
    return math.copysign(math.log1p(capped / 100) / math.log1p(CAP_CP / 100), score_cp)


def evaluation_chart(
    scores: Sequence[tuple[int, PovScore]], side: chess.Color, plies: int, label: str, cursor: int | None = None
) -> str:
    """Return the evaluation over a game from one side: areas above and below zero, a line, marks for mates.

    `scores` are pairs of ply and score, `plies` is the width; `cursor` is the marked ply, `label` the accessible name.
    """
    across = max(1, plies)
    line = [(ply / across * WIDTH, score_level(_centipawns(score, side))) for ply, score in scores]
    guides = "".join(_level_line(score_level(score_cp), "guide") for score_cp in GUIDES_CP)
    shapes = [guides, _area(line, 1.0, "ahead"), _area(line, -1.0, "behind"), _level_line(0.0, "zero")]
    if line:
        shapes.append(f'<path class="line" d="{_path(line)}"/>')
    mates = [place for place, (_ply, score) in zip(line, scores, strict=True) if score.is_mate()]
    shapes += [f'<path class="mate" d="M{x:.1f} {_y(level):.1f}h0"/>' for x, level in mates]
    if line:
        shapes.append(f'<path class="now" d="M{line[-1][0]:.1f} {_y(line[-1][1]):.1f}h0"/>')
    if cursor is not None:
        x = cursor / across * WIDTH
        shapes.append(f'<line class="cursor" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{HEIGHT:.0f}"/>')
    chart = _svg("evaluation", "".join(shapes), label, f' data-plies="{across}"')
    scale = "".join(f'<span class="{level}">{text}</span>' for level, text in _SCALE)
    return f'<figure class="chart">{chart}<div class="scale" aria-hidden="true">{scale}</div></figure>'


def _centipawns(score: PovScore, side: chess.Color) -> int:
    """Return a score as a number; a mate is at the edge."""
    return score.pov(side).score(mate_score=100_000)


def line_chart(values: Sequence[tuple[float, float]], label: str) -> str:
    """Return a line through points (x, y), scaled to their range."""
    if not values:
        return _svg("spark", "", label)
    (left, right), (low, high) = _span(x for x, _ in values), _span(y for _, y in values)
    line = [((x - left) / (right - left) * WIDTH, (y - low) / (high - low) * 1.8 - 0.9) for x, y in values]
    if len(line) == 1:
        line = [(0.0, 0.0), (WIDTH, 0.0)]
    end = f'<path class="now" d="M{line[-1][0]:.1f} {_y(line[-1][1]):.1f}h0"/>'
    return _svg("spark", f'<path class="line" d="{_path(line)}"/>{end}', label)


def share_bar(shares: Sequence[tuple[str, int]], label: str) -> str:
    """Return one bar divided by counts; each part has the class of its name."""
    total = sum(count for _, count in shares)
    x, parts = 0.0, []
    for name, count in shares:
        width = count / total * WIDTH if total else 0.0
        if width:
            parts.append(f'<rect class="{escape(name)}" x="{x:.1f}" y="0" width="{width:.1f}" height="{HEIGHT:.0f}"/>')
        x += width
    return _svg("shares", "".join(parts), label)


def _svg(kind: str, shapes: str, label: str, more: str = "") -> str:
    return (
        f'<svg class="{kind}" viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}" preserveAspectRatio="none" role="img"'
        f' aria-label="{escape(label)}"{more}>{shapes}</svg>'
    )


def _area(line: Sequence[tuple[float, float]], sign: float, kind: str) -> str:
    """Return the area between zero and the line on one side of zero."""
    side = [(x, level if level * sign > 0 else 0.0) for x, level in _with_crossings(line)]
    if not any(level for _, level in side):
        return ""
    closed = [(side[0][0], 0.0), *side, (side[-1][0], 0.0)]
    return f'<path class="{kind}" d="{_path(closed)}Z"/>'


def _with_crossings(line: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the points of the line, and those where it crosses zero."""
    found = list(line[:1])
    for (x0, y0), (x1, y1) in itertools.pairwise(line):
        if y0 * y1 < 0:
            found.append((x0 + (x1 - x0) * y0 / (y0 - y1), 0.0))
        found.append((x1, y1))
    return found


def _level_line(level: float, kind: str) -> str:
    return f'<line class="{kind}" x1="0" x2="{WIDTH:.0f}" y1="{_y(level):.1f}" y2="{_y(level):.1f}"/>'


def _path(line: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {_y(level):.1f}" for x, level in line)


def _y(level: float) -> float:
    """Return the y coordinate of a level from -1 (bottom) to 1 (top)."""
    return HEIGHT / 2 * (1 - SHARE * level)


def _span(values: Iterable[float]) -> tuple[float, float]:
    """Return the least and the greatest value, at least one apart."""
    found = list(values)
    low, high = min(found), max(found)
    return (low, high) if high - low >= 1 else ((low + high) / 2 - 0.5, (low + high) / 2 + 0.5)
