"""The public position: what a small chess library offers."""

from __future__ import annotations

import chess
import pytest

from engine88.board.defs import BLACK, NO_MOVE, WHITE
from engine88.board.record import STACK_LENGTH
from engine88.rules.fen import START_FEN
from engine88.rules.position import Position
from tests.engine88.games import compiled_only


def test_a_position_never_changes() -> None:
    start = Position.start()
    after = start.push("e2e4")
    assert start.fen() == START_FEN
    assert after.side == BLACK
    assert after.fen() == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    assert start == Position.from_fen("startpos")
    assert hash(start) == hash(Position.start())
    assert start != after


def test_the_board_is_drawn() -> None:
    lines = str(Position.start()).splitlines()
    assert lines[0] == "8  r n b q k b n r"
    assert lines[4] == "4  . . . . . . . ."
    assert lines[-1] == "   a b c d e f g h"
    assert repr(Position.start()) == f"Position.from_fen({START_FEN!r})"


def test_scholars_mate_is_an_outcome() -> None:
    position = Position.start()
    for name in ("e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"):
        assert position.outcome() is None
        position = position.push(name)
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.termination, outcome.winner, outcome.result) == ("checkmate", WHITE, "1-0")
    assert position.is_check()
    assert position.legal_moves() == []


def test_stalemate() -> None:
    outcome = Position.from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").outcome()
    assert outcome is not None
    assert (outcome.termination, outcome.winner) == ("stalemate", None)


@pytest.mark.parametrize("name", ["e2e5", "e7e5", "e2", "", "0000", "e2e4q", "e1g1", "é2e4"])
def test_an_illegal_move_is_refused_by_name(name: str) -> None:
    with pytest.raises(ValueError, match="is not a legal move in rnbq"):
        Position.start().push(name)


def test_an_illegal_code_is_refused() -> None:
    with pytest.raises(ValueError, match="0000 is not a legal move"):
        Position.start().push(NO_MOVE)


CASTLE = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def test_castling_is_named_by_the_kings_step_in_standard_chess() -> None:
    position = Position.from_fen(CASTLE)
    assert {"e1g1", "e1c1"} <= set(position.legal_moves())
    assert position.push("e1g1") == position.push("e1h1")
    assert position.push("e1c1").fen() == "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1"


def test_castling_is_named_king_takes_rook_in_chess960() -> None:
    position = Position.from_fen(CASTLE, chess960=True)
    assert {"e1h1", "e1a1"} <= set(position.legal_moves())
    assert "e1g1" not in position.legal_moves()
    assert position.push("e1h1") == position.push("e1g1")


def test_a_kings_step_is_not_taken_for_castling_in_chess960() -> None:
    position = Position.from_fen("4k3/8/8/8/8/8/8/5K1R w H - 0 1", chess960=True)
    assert {"f1g1", "f1h1"} <= set(position.legal_moves())
    assert position.push("f1g1").fen() == "4k3/8/8/8/8/8/8/6KR b - - 1 1"
    assert position.push("f1h1").fen() == "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"


def test_promotions_are_named_by_the_piece() -> None:
    names = Position.from_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1").legal_moves()
    assert {"a7a8q", "a7a8r", "a7a8b", "a7a8n"} <= set(names)


@compiled_only("1680 moves take too long in plain Python")
def test_a_game_longer_than_the_undo_stack_goes_on_and_still_sees_repetitions() -> None:
    position, board = Position.start(), chess.Board()
    names = ["g1f3", "g8f6", "f3g1", "f6g8"]
    for ply in range(STACK_LENGTH + 400):
        name = names[ply % 4]
        position = position.push(name)
        board.push_uci(name)
    assert position.fen() == board.fen(en_passant="legal")
    assert position.repetitions() > 100
    assert int(position.board.stack_size) < STACK_LENGTH - 200


def test_perft_and_key() -> None:
    assert Position.start().perft(3) == 8902
    assert Position.start().key != Position.start().push("e2e4").key
