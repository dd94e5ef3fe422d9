from __future__ import annotations

import subprocess
import sys

import chess
import chess.variant
import pytest

from bot.openings import Opening, opening_of, opening_of_board

NAJDORF = ["e2e4", "c7c5", "g1f3", "d7d6", "d2d4", "c5d4", "f3d4", "g8f6", "b1c3", "a7a6"]
TO_THE_KINGS_INDIAN = ["g1f3", "g8f6", "c2c4", "g7g6", "b1c3", "f8g7", "e2e4", "d7d6", "d2d4", "e8g8", "f1e2", "e7e5"]


def test_the_deepest_named_position_of_the_game_tells() -> None:
    najdorf = Opening("B90", "Sicilian Defense: Najdorf Variation", 10)
    assert opening_of(NAJDORF) == najdorf
    assert opening_of([*NAJDORF, "d1d3", "g7g6"]) == najdorf


def test_another_order_of_moves_leads_to_the_same_name() -> None:
    assert opening_of(TO_THE_KINGS_INDIAN) == Opening("E92", "King's Indian Defense: Orthodox Variation", 12)


@pytest.mark.parametrize("castling", ["e1g1", "e1h1"])
def test_castling_is_read_either_way(castling: str) -> None:
    found = opening_of([*TO_THE_KINGS_INDIAN, castling])
    assert found is not None
    assert (found.eco, found.ply) == ("E94", 13)


def test_an_en_passant_square_that_nobody_can_use_makes_no_other_position() -> None:
    assert opening_of(["e2e4", "e7e5"]) == Opening("C20", "King's Pawn Game", 2)


def test_no_moves_no_opening() -> None:
    assert opening_of([]) is None


def test_an_illegal_move_is_refused() -> None:
    with pytest.raises(ValueError, match="e2e5"):
        opening_of(["e2e5"])


def test_a_board_tells_by_its_moves() -> None:
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
    """What starts the bot must not wait for it."""
    check = "from bot.openings import lookup; raise SystemExit(lookup._names.cache_info().currsize)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
