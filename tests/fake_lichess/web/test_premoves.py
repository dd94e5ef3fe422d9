"""What may be planned ahead: geometry alone, by its traps."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.fake_lichess.web.position import describe
from bot.fake_lichess.web.premoves import premove_targets


def plans(fen: str, square: str) -> set[str]:
    """Where the piece of the side not to move may plan to go."""
    return set(premove_targets(chess.Board(fen))[square])


def test_a_knight_may_recapture_on_its_own_piece_s_square() -> None:
    assert plans(chess.STARTING_FEN, "g8") == {"e7", "f6", "h6"}


def test_a_rook_looks_through_its_own_pieces() -> None:
    assert {"a1", "a4", "h8"} <= plans(chess.STARTING_FEN, "a8")


def test_a_pawn_steps_once_or_twice_and_takes_to_both_sides() -> None:
    assert plans(chess.STARTING_FEN, "e7") == {"e6", "e5", "d6", "f6"}
    assert plans("4k3/8/4p3/8/8/8/8/4K3 w - - 0 1", "e6") == {"e5", "d5", "f5"}
    assert plans("4k3/8/8/8/8/8/4p3/K7 w - - 0 1", "e2") == {"e1", "d1", "f1"}


def test_castling_is_planned_onto_the_target_or_the_rook() -> None:
    assert {"g8", "h8", "c8", "a8"} <= plans("r3k2r/8/8/8/8/8/8/4K3 w kq - 0 1", "e8")
    assert not {"g8", "c8"} & plans("r3k2r/8/8/8/8/8/8/4K3 w - - 0 1", "e8")


def test_a_piece_in_hand_may_be_dropped_anywhere_a_pawn_not_on_the_last_ranks() -> None:
    found = describe({"variant": "crazyhouse", "moves": "e2e4 d7d5 e4d5 d8d5 b1c3"})["premoves"]
    assert isinstance(found, dict)
    assert len(found["P@"]) == 48
    assert "N@" not in found


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 10_000), max_size=60))
@pytest.mark.parametrize("chess960", [False, True])
def test_every_legal_move_could_have_been_planned_before(chess960: bool, choices: list[int]) -> None:
    board = chess.Board.from_chess960_pos(sum(choices) % 960) if chess960 else chess.Board()
    for choice in choices:
        moves = list(board.legal_moves)
        if not moves:
            return
        board.push(moves[choice % len(moves)])
        planned = premove_targets(board)
        after = board.copy()
        for reply in list(board.legal_moves)[:3]:
            after.push(reply)
            for move in after.legal_moves:
                assert chess.square_name(move.to_square) in planned[chess.square_name(move.from_square)], (board, move)
            after.pop()
