"""The clocks after each move, from the lines of a stream."""

from __future__ import annotations

import chess

from bot.events import GameState
from bot.events.game import UNLIMITED_MS
from bot.play.game import MoveClocks


def clocks(*lines: tuple[int, int, int], first: chess.Color = chess.WHITE) -> dict[int, int]:
    """What is known after lines of (plies, White's clock, Black's clock)."""
    known = MoveClocks()
    for plies, white_ms, black_ms in lines:
        known.note(GameState(moves=("e2e4",) * plies, wtime_ms=white_ms, btime_ms=black_ms), first)
    return known.after_moves()


def test_each_line_tells_the_clock_of_its_last_move() -> None:
    assert clocks((0, 60, 60), (1, 58, 60), (2, 58, 55), (3, 50, 55)) == {1: 58, 2: 55, 3: 50}


def test_a_line_that_was_missed_is_made_good_by_the_next() -> None:
    assert clocks((1, 58, 60), (3, 50, 55), (6, 40, 41)) == {1: 58, 2: 55, 3: 50, 5: 40, 6: 41}


def test_a_repeated_line_changes_nothing_and_a_takeback_forgets() -> None:
    assert clocks((2, 58, 55), (2, 58, 55)) == {1: 58, 2: 55}
    assert clocks((2, 58, 55), (3, 50, 55), (1, 58, 60), (2, 58, 52)) == {1: 58, 2: 52}
    assert clocks((2, 58, 55), (2, 58, 50)) == {1: 58, 2: 50}  # the takeback and another move in one line


def test_where_black_begins_the_first_move_is_blacks() -> None:
    assert clocks((1, 60, 57), first=chess.BLACK) == {1: 57}


def test_without_a_clock_nothing_is_known() -> None:
    assert clocks((1, UNLIMITED_MS, UNLIMITED_MS)) == {}
