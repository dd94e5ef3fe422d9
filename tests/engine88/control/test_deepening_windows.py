"""Which depths are searched, and which lines an iteration gives."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine88.board.defs import INFINITE, MAX_PLY
from engine88.control import deepening
from engine88.control.deepening import PvLine, Searcher
from engine88.rules.position import Position
from engine88.search.tt import BOUND_EXACT, BOUND_LOWER, BOUND_UPPER, TranspositionTable
from tests.engine88.searching import MIDDLEGAME, depth, searcher_of


def test_odd_helpers_skip_odd_depths_but_the_first_and_the_last() -> None:
    table = TranspositionTable(1)
    assert list(Searcher(table, 0)._depths(7)) == [1, 2, 3, 4, 5, 6, 7]
    assert list(Searcher(table, 1)._depths(7)) == [1, 2, 4, 6, 7]
    assert list(Searcher(table, 2)._depths(7)) == [1, 2, 3, 4, 5, 6, 7]
    assert list(Searcher(table)._depths(1000))[-1] == MAX_PLY - 1


@pytest.mark.parametrize(
    ("index", "bounds", "stopped_at", "found"),
    [
        (0, [BOUND_LOWER, BOUND_UPPER, BOUND_EXACT], None, ["lower", "upper", "exact, playable"]),
        (0, [BOUND_EXACT], 0, ["exact, playable"]),  # the search was stopped after its best move had beaten alpha
        (0, [BOUND_UPPER], 0, []),
        (1, [BOUND_EXACT], 0, []),
        # Stopped in the search after a failure high: what failed high is better than the move before.
        (0, [BOUND_LOWER], 0, ["lower, playable"]),
        (0, [BOUND_LOWER, BOUND_UPPER], 1, ["lower", "lower, playable"]),
        (0, [BOUND_LOWER, BOUND_EXACT], 1, ["lower", "exact, playable"]),
        (0, [BOUND_UPPER, BOUND_UPPER], 1, ["upper"]),
        (1, [BOUND_LOWER, BOUND_UPPER], 1, ["lower"]),
    ],
)
def test_each_search_of_a_window_gives_a_line(
    monkeypatch: pytest.MonkeyPatch, index: int, bounds: list[int], stopped_at: int | None, found: list[str]
) -> None:
    searcher, searches = searcher_of(MIDDLEGAME), iter(enumerate(bounds))

    def search_window(_board: object, _lists: object, state: Any, _evaluation: object, _depth: int) -> int:
        number, state.window_bound = next(searches)
        state.stop = number == stopped_at
        state.pv[0, 0], state.pv_lengths[0], state.node_count = number + 1, 1, 100 * (number + 1)
        return 10

    monkeypatch.setattr(deepening, "search_window", search_window)
    monkeypatch.setattr(searcher, "_pv", lambda: (int(searcher._state.pv[0, 0]),))
    lines = list(searcher._aspiration_search(5, index, 0))
    assert [line.bound + ", playable" * line.completed for line in lines] == found
    assert next(searches, None) is None
    if found and found[-1] == "lower, playable":
        assert lines[-1].pv == (1,)
        assert lines[-1].nodes == 100 * len(bounds)


def test_the_result_is_the_first_line_of_the_deepest_finished_iteration(monkeypatch: pytest.MonkeyPatch) -> None:
    searcher = searcher_of(MIDDLEGAME)
    first, second = PvLine(1, 1, 1, 10, "exact", (1,), 5, True, 0.5), PvLine(1, 1, 2, 5, "exact", (2,), 5, True, 0.5)
    bound = PvLine(2, 1, 1, 40, "lower", (3,), 5, False, 0.5)
    asked: list[tuple[int, int, PvLine | None]] = []

    def iteration(depth: int, multipv: int, before: PvLine | None) -> list[PvLine]:
        asked.append((depth, multipv, before))
        return [first, second] if depth == 1 else [bound]

    monkeypatch.setattr(searcher, "_iteration", iteration)
    shown: list[PvLine] = []

    def note(line: PvLine) -> bool:
        shown.append(line)
        return False

    assert searcher.run(2, 0, 2, (), note) is first
    assert shown == [first, second, bound]
    assert asked == [(1, 2, None), (2, 2, first)]


def test_lines_of_one_depth_are_numbered_by_their_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    searcher = searcher_of(MIDDLEGAME)
    scores, windows = [10, 30, 20], list[int]()

    def search(depth: int, index: int, previous: int) -> list[PvLine]:
        windows.append(previous)
        bound = PvLine(depth, 1, index + 1, 99, "lower", (index,), 5, False, 0.5)
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


def test_further_lines_are_not_searched_once_it_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    searcher = searcher_of(MIDDLEGAME)
    asked: list[int] = []

    def search(_depth: int, index: int, _previous: int) -> list[PvLine]:
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
