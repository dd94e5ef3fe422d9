"""The opening of a game, and the list of openings."""

from __future__ import annotations

import subprocess
import sys

import chess
import chess.variant
import pytest

from bot.openings import Opening, opening_of, opening_of_board
from bot.openings.lookup import LIST_PATH, MOST_PLIES
from tests.bot.openings.complete_list import OpeningLine, completed, lines_of

NAJDORF = ["e2e4", "c7c5", "g1f3", "d7d6", "d2d4", "c5d4", "f3d4", "g8f6", "b1c3", "a7a6"]
TO_THE_KINGS_INDIAN = ["g1f3", "g8f6", "c2c4", "g7g6", "b1c3", "f8g7", "e2e4", "d7d6", "d2d4", "e8g8", "f1e2", "e7e5"]
TEXT = LIST_PATH.read_text(encoding="utf-8")
LINES = list(lines_of(TEXT))


def test_the_last_named_position_counts() -> None:
    najdorf = Opening("B90", "Sicilian Defense: Najdorf Variation", 10)
    assert opening_of(NAJDORF) == najdorf
    assert opening_of([*NAJDORF, "d1d3", "g7g6"]) == najdorf


def test_another_move_order_leads_to_the_same_name() -> None:
    assert opening_of(TO_THE_KINGS_INDIAN) == Opening("E92", "King's Indian Defense: Orthodox Variation", 12)


@pytest.mark.parametrize("castling", ["e1g1", "e1h1"])
def test_castling_is_read_either_way(castling: str) -> None:
    found = opening_of([*TO_THE_KINGS_INDIAN, castling])
    assert found is not None
    assert (found.eco, found.ply) == ("E94", 13)


def test_an_unusable_en_passant_square_is_ignored() -> None:
    assert opening_of(["e2e4", "e7e5"]) == Opening("C20", "King's Pawn Game", 2)


def test_no_moves_no_opening() -> None:
    assert opening_of([]) is None


def test_an_illegal_move_is_refused() -> None:
    with pytest.raises(ValueError, match="e2e5"):
        opening_of(["e2e5"])


def test_the_opening_of_a_board() -> None:
    board = chess.Board()
    for uci in NAJDORF:
        board.push_uci(uci)
    assert opening_of_board(board) == opening_of(NAJDORF)
    assert len(board.move_stack) == len(NAJDORF)


def test_a_board_of_the_standard_position_under_chess960_rules_counts() -> None:
    board = chess.Board.from_chess960_pos(518)
    board.push_uci("e2e4")
    assert opening_of_board(board) == Opening("B00", "King's Pawn Game", 1)


@pytest.mark.parametrize(
    "board",
    [
        chess.variant.AtomicBoard(),
        chess.Board.from_chess960_pos(3),
        chess.Board.from_chess960_pos(405),
        chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
    ],
)
def test_variants_and_other_positions_have_no_opening(board: chess.Board) -> None:
    board.push_uci("e2e4")
    assert opening_of_board(board) is None


def test_importing_reads_no_list() -> None:
    """The start of the bot must not wait for it."""
    check = "from bot.openings import lookup; raise SystemExit(lookup._names.cache_info().currsize)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


def test_the_list_is_complete_sorted_and_legal() -> None:
    """The tool beside this file would change nothing: it plays every line and refuses what is wrong."""
    assert completed(TEXT) == TEXT
    assert len(LINES) >= 350


def test_the_list_names_its_licence() -> None:
    assert "SPDX-License-Identifier: CC0-1.0" in TEXT.split("\n", 3)[1]


def test_the_list_has_all_volumes_and_short_lines() -> None:
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
def test_a_wrong_line_is_reported(line: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        completed(line)


def test_a_line_without_a_position_is_completed_and_sorted() -> None:
    text = completed("# comment\nC20\tKing's Pawn Game\te4 e5\nA00\tGrob Opening\tg4\n")
    assert text.splitlines()[0] == "# comment"
    assert [line.eco for line in lines_of(text)] == ["A00", "C20"]
    epd = "rnbqkbnr/pppppppp/8/8/6P1/8/PPPPPP1P/RNBQKBNR b KQkq -"
    assert next(lines_of(text)) == OpeningLine("A00", "Grob Opening", "g4", epd)
