"""What is known about each move, put together for the PGN."""

from __future__ import annotations

import chess

from bot.archive.move_notes import engines_of, move_notes
from bot.archive.pgn import MoveNote
from bot.archive.search_note import SearchNote
from tests.helpers.finished_games import FOOLS_MATE, board_after


def searched(ply: int, uci: str, score_cp: int | None = None, mate_in: int | None = None) -> SearchNote:
    return SearchNote(ply, uci, score_cp, mate_in, 9, "engine88")


def test_scores_are_turned_to_white_and_clocks_stand_beside_them() -> None:
    notes = move_notes(
        board_after(FOOLS_MATE),
        [searched(1, "f2f3", 20), searched(2, "e7e5", 30), searched(4, "d8h4", None, 1)],
        {2: 5},
    )
    assert notes == {
        1: MoveNote(None, 20, None, 9, "engine88"),
        2: MoveNote(5, -30, None, 9, "engine88"),
        4: MoveNote(None, None, -1, 9, "engine88"),
    }


def test_a_move_that_was_taken_back_leaves_nothing() -> None:
    notes = move_notes(board_after("f2f3 e7e5"), [searched(1, "e2e4", 20), searched(3, "g2g4", 1)], {2: 7, 3: 6})
    assert notes == {2: MoveNote(clock_ms=7)}


def test_where_black_begins_the_first_ply_is_blacks() -> None:
    board = chess.Board("4k3/p7/8/8/8/8/8/4K3 b - - 0 1")
    board.push_uci("a7a6")
    assert move_notes(board, [searched(1, "a7a6", 300)], {})[1].score_cp == -300


def test_engines_are_those_that_gave_a_depth() -> None:
    notes = {1: MoveNote(source="book"), 2: MoveNote(depth=3, source="b"), 3: MoveNote(depth=4, source="a")}
    assert engines_of(notes) == "a, b"
    assert engines_of({}) == ""
