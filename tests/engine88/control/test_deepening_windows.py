"""Which depths are searched, and with which windows."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from engine88.board.defs import INFINITE, MAX_PLY
from engine88.control.deepening import Line, Searcher
from engine88.rules.position import Position
from engine88.search.params import (
    ASPIRATION_FACTOR,
    ASPIRATION_LIMIT,
    ASPIRATION_MARGIN,
    ASPIRATION_REDUCTION_LIMIT,
    ASPIRATION_THRESHOLD,
)
from engine88.search.tt import TranspositionTable
from tests.engine88.searching import MIDDLEGAME, depth, searcher_of


def test_a_stopped_search_begins_no_deeper_iteration(monkeypatch: pytest.MonkeyPatch) -> None:
    searcher = searcher_of(MIDDLEGAME)
    searched: list[int] = []
    search = searcher._search

    def counted(alpha: int, beta: int, depth: int) -> int:
        searched.append(depth)
        if depth == 2:
            searcher.stop()
        return search(alpha, beta, depth)

    monkeypatch.setattr(searcher, "_search", counted)
    best = searcher.run()
    assert searched == [1, 2]
    assert best is not None
    assert best.depth == 1


def test_odd_helpers_skip_odd_depths_but_the_first_and_the_last() -> None:
    table = TranspositionTable(1)
    assert list(Searcher(table, 0)._depths(7)) == [1, 2, 3, 4, 5, 6, 7]
    assert list(Searcher(table, 1)._depths(7)) == [1, 2, 4, 6, 7]
    assert list(Searcher(table, 2)._depths(7)) == [1, 2, 3, 4, 5, 6, 7]
    assert list(Searcher(table)._depths(1000))[-1] == MAX_PLY - 1


def test_a_failed_window_is_widened_on_its_side_until_the_score_lies_within(monkeypatch: pytest.MonkeyPatch) -> None:
    """The score before was 0, and now it is 300: each failure high widens above, one ply less deep each time."""
    searcher = searcher_of(MIDDLEGAME)
    asked: list[tuple[int, int, int]] = []

    def search(alpha: int, beta: int, depth: int) -> int:
        asked.append((alpha, beta, depth))
        return max(alpha, min(beta, value))

    monkeypatch.setattr(searcher, "_search", search)
    monkeypatch.setattr(searcher, "_make_line", lambda _depth, _index, score, bound, done: (score, bound, done))
    value, wanted = 300, ASPIRATION_THRESHOLD + 4
    found: list[object] = list(searcher._aspiration_search(wanted, 0, 0))
    margin = ASPIRATION_MARGIN
    assert asked[0] == (-margin, margin, wanted)
    assert {alpha for alpha, _, _ in asked} == {-margin}
    betas = [beta for _, beta, _ in asked]
    assert betas == sorted(set(betas))
    assert [wanted - tried for _, _, tried in asked] == [
        min(failures, ASPIRATION_REDUCTION_LIMIT) for failures in range(len(asked))
    ]
    assert found == [*((beta, "lower", False) for beta in betas[:-1]), (300, "exact", True)]
    asked.clear()
    value = -INFINITE + 5
    last: object = list(searcher._aspiration_search(wanted, 0, 0))[-1]
    assert last == (value, "exact", True)
    assert asked[1][1] == 0  # halfway down from the failed window's top
    assert asked[-1][0] == -INFINITE
    assert {tried for _, _, tried in asked} == {wanted}
    asked.clear()
    list(searcher._aspiration_search(ASPIRATION_THRESHOLD - 1, 0, 0))
    list(searcher._aspiration_search(wanted, 0, -INFINITE))
    assert [(alpha, beta) for alpha, beta, _ in asked] == [(-INFINITE, INFINITE)] * 2


@pytest.mark.parametrize(("index", "score", "found"), [(0, 10, True), (0, -40, False), (0, 40, False), (1, 10, False)])
def test_a_search_stopped_in_its_window_still_gives_the_first_line_if_it_beat_alpha(
    monkeypatch: pytest.MonkeyPatch, index: int, score: int, found: bool
) -> None:
    searcher = searcher_of(MIDDLEGAME)

    def stopped(_alpha: int, _beta: int, _depth: int) -> int:
        searcher.stop()
        return score

    monkeypatch.setattr(searcher, "_search", stopped)
    monkeypatch.setattr(searcher, "_make_line", lambda _depth, _index, score, bound, done: (score, bound, done))
    assert ASPIRATION_MARGIN < 40
    lines: list[object] = list(searcher._aspiration_search(ASPIRATION_THRESHOLD, index, 0))
    assert lines == ([(score, "exact", True)] if found else [])


def test_the_result_is_the_first_line_of_the_deepest_finished_iteration(monkeypatch: pytest.MonkeyPatch) -> None:
    searcher = searcher_of(MIDDLEGAME)
    first, second = Line(1, 1, 1, 10, "exact", (1,), 5, True, 0.5), Line(1, 1, 2, 5, "exact", (2,), 5, True, 0.5)
    bound = Line(2, 1, 1, 40, "lower", (3,), 5, False, 0.5)
    asked: list[tuple[int, int, Line | None]] = []

    def iteration(depth: int, multipv: int, before: Line | None) -> list[Line]:
        asked.append((depth, multipv, before))
        return [first, second] if depth == 1 else [bound]

    monkeypatch.setattr(searcher, "_iteration", iteration)
    shown: list[Line] = []

    def note(line: Line) -> bool:
        shown.append(line)
        return False

    assert searcher.run(2, 0, 2, (), note) is first
    assert shown == [first, second, bound]
    assert asked == [(1, 2, None), (2, 2, first)]


def test_lines_of_one_depth_are_numbered_by_their_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    searcher = searcher_of(MIDDLEGAME)
    scores, windows = [10, 30, 20], list[int]()

    def search(depth: int, index: int, previous: int) -> list[Line]:
        windows.append(previous)
        bound = Line(depth, 1, index + 1, 99, "lower", (index,), 5, False, 0.5)
        return [bound, replace(bound, score=scores[index], bound="exact", completed=True)]

    monkeypatch.setattr(searcher, "_aspiration_search", search)
    found = list(searcher._iteration(5, 3, None))
    assert [(line.multipv, line.score, line.pv) for line in found if line.completed] == [
        (1, 30, (1,)), (2, 20, (2,)), (3, 10, (0,)),
    ]  # fmt: skip
    assert [line.multipv for line in found if not line.completed] == [1, 2, 3]
    assert windows == [-INFINITE] * 3
    searcher._state.root_scores[:3] = (31, 21, 11)
    windows.clear()
    list(searcher._iteration(6, 3, found[-3]))
    assert windows == [31, 21, 11]


@pytest.mark.parametrize(("value", "side"), [(INFINITE - 5, 1), (5 - INFINITE, 0)])
def test_a_window_that_failed_often_is_opened_fully(monkeypatch: pytest.MonkeyPatch, value: int, side: int) -> None:
    searcher = searcher_of(MIDDLEGAME)
    asked: list[tuple[int, int]] = []

    def search(alpha: int, beta: int, _depth: int) -> int:
        asked.append((alpha, beta))
        return max(alpha, min(beta, value))

    monkeypatch.setattr(searcher, "_search", search)
    list(searcher._aspiration_search(ASPIRATION_THRESHOLD, 0, 0))
    bounds = [abs(window[side]) for window in asked]
    assert bounds[-1] == INFINITE
    steps = [later - earlier for earlier, later in itertools.pairwise(bounds[:-1])]
    assert steps == sorted(steps)
    assert steps[0] > 0
    assert steps[-1] <= ASPIRATION_LIMIT < steps[-1] * (1 + ASPIRATION_FACTOR / 100) + 1


def test_further_lines_are_not_searched_once_it_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    searcher = searcher_of(MIDDLEGAME)
    asked: list[int] = []

    def search(_depth: int, index: int, _previous: int) -> list[Line]:
        asked.append(index)
        searcher.stop()
        return []

    monkeypatch.setattr(searcher, "_aspiration_search", search)
    assert list(searcher._iteration(5, 3, None)) == []
    assert asked == [0]


def test_a_line_of_one_move_is_made_longer_from_the_table() -> None:
    """So that there is a move to ponder on."""
    searcher = searcher_of(MIDDLEGAME)
    line = searcher.run(depth(6, 2))
    assert line is not None
    searcher._state.pv[0, 0] = line.pv[0]
    searcher._state.pv_lengths[0] = 1
    move, answer = searcher._pv()
    assert move == line.pv[0]
    position = Position.from_fen(MIDDLEGAME).push(Position.from_fen(MIDDLEGAME).move_name(move))
    assert answer in position.legal_codes()
    searcher._table.clear()
    assert searcher._pv() == (move,)
