from __future__ import annotations

import chess
import pytest

from bot.openings.lookup import LIST_PATH, MOST_PLIES
from bot.openings.opening_list import Line, completed, lines_of
from tests.test_repository import ROOT

TEXT = LIST_PATH.read_text(encoding="utf-8")
LINES = list(lines_of(TEXT))


def test_the_list_is_complete_sorted_legal_and_names_no_position_twice() -> None:
    """`python -m bot.openings` would change nothing: it plays every line and refuses what is wrong."""
    assert completed(TEXT) == TEXT
    assert len(LINES) >= 350


def test_the_list_says_that_it_is_free() -> None:
    assert "SPDX-License-Identifier: CC0-1.0" in TEXT.split("\n", 3)[1]


def test_all_volumes_are_there_and_every_line_is_shorter_than_the_look_up() -> None:
    assert {line.eco[0] for line in LINES} == set("ABCDE")
    assert max(len(line.moves.split()) for line in LINES) < MOST_PLIES
    assert all(line.name == line.name.strip() and len(line.name) <= 100 for line in LINES)


def test_every_first_move_has_a_name() -> None:
    board = chess.Board()
    assert {board.san(move) for move in board.legal_moves} <= {line.moves for line in LINES}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("F00\tNothing\te4", "A00 to E99"),
        ("A0\tNothing\te4", "A00 to E99"),
        ("C20\tNothing\te4 e5 Ke3", "C20 Nothing: illegal san"),
        ("C20\tNothing", "2 columns"),
        ("A04\tOne\tNf3 Nf6 Nc3\nA04\tThe other\tNc3 Nf6 Nf3", "The other: the position of A04 One"),
        ("A04\tOne\tNf3\nA04\tOne\tNf3", "One: the position of A04 One"),
    ],
)
def test_a_wrong_line_is_named(line: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        completed(line)


def test_a_line_without_a_position_is_filled_in_and_put_in_its_place() -> None:
    text = completed("# comment\nC20\tKing's Pawn Game\te4 e5\nA00\tGrob Opening\tg4\n")
    assert text.splitlines()[0] == "# comment"
    assert [line.eco for line in lines_of(text)] == ["A00", "C20"]
    epd = "rnbqkbnr/pppppppp/8/8/6P1/8/PPPPPP1P/RNBQKBNR b KQkq -"
    assert next(lines_of(text)) == Line("A00", "Grob Opening", "g4", epd)


@pytest.mark.parametrize("document", ["archive.md", "configuration.md", "features.md"])
def test_the_documents_count_it_right(document: str) -> None:
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    assert f"{len(LINES)} positions" in text
