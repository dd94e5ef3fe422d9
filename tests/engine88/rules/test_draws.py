"""Draws by rule."""

from __future__ import annotations

from typing import Any

import chess
import pytest
from hypothesis import given

from engine88.rules.draws import is_dead_position, is_draw
from engine88.rules.position import Position
from tests.engine88.games import choices, starts, tried, walk

SHUFFLE = ["g1f3", "g8f6", "f3g1", "f6g8"]


def play(position: Position, names: list[str]) -> Position:
    for name in names:
        position = position.push(name)
    return position


DEAD = {
    "two kings": "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "a knight": "4k3/8/8/8/8/8/8/4KN2 w - - 0 1",
    "a black bishop": "4kb2/8/8/8/8/8/8/4K3 w - - 0 1",
    "bishops of one colour of squares": "4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1",
    "three bishops of one colour of squares": "4kb2/8/8/8/8/4B3/8/2B1K3 w - - 0 1",
}
ALIVE = {
    "bishops of both colours of squares": "4kb2/8/8/8/8/8/8/4KB2 w - - 0 1",
    "two knights": "4k3/8/8/8/8/8/8/4KNN1 w - - 0 1",
    "knight against knight": "4kn2/8/8/8/8/8/8/4KN2 w - - 0 1",
    "bishop against knight": "4kn2/8/8/8/8/8/8/4KB2 w - - 0 1",
    "a pawn": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "a rook": "4k3/8/8/8/8/8/8/4KR2 w - - 0 1",
    "a queen": "4k1q1/8/8/8/8/8/8/4K3 w - - 0 1",
}


@pytest.mark.parametrize("fen", DEAD.values(), ids=DEAD.keys())
def test_dead_positions(fen: str) -> None:
    position = Position.from_fen(fen)
    assert is_dead_position(position.board)
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.termination, outcome.result) == ("dead_position", "1/2-1/2")
    assert chess.Board(fen).is_insufficient_material()


@pytest.mark.parametrize("fen", ALIVE.values(), ids=ALIVE.keys())
def test_positions_in_which_a_mate_exists(fen: str) -> None:
    assert not is_dead_position(Position.from_fen(fen).board)
    assert Position.from_fen(fen).outcome() is None


def test_threefold_may_be_claimed_and_fivefold_ends_the_game() -> None:
    position = play(Position.start(), SHUFFLE)
    assert position.repetitions() == 1
    assert position.outcome(claim_draw=True) is None
    position = play(position, SHUFFLE)
    claimed = position.outcome(claim_draw=True)
    assert claimed is not None
    assert claimed.termination == "threefold_repetition"
    assert position.outcome() is None
    ended = play(position, SHUFFLE * 2).outcome()
    assert ended is not None
    assert ended.termination == "fivefold_repetition"


def test_fifty_moves_may_be_claimed_and_seventy_five_end_the_game() -> None:
    rook = "4k3/8/8/8/8/8/8/R3K3 {} - - {} 90"
    before = Position.from_fen(rook.format("w", 99))
    assert before.outcome(claim_draw=True) is None
    claimed = before.push("a1a2").outcome(claim_draw=True)
    assert claimed is not None
    assert claimed.termination == "fifty_moves"
    ended = Position.from_fen(rook.format("b", 149)).push("e8d8").outcome()
    assert ended is not None
    assert ended.termination == "seventyfive_moves"


def test_a_repetition_needs_the_same_rights() -> None:
    position = Position.from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    position = play(position, ["h1g1", "e8d8", "g1h1", "d8e8"])
    assert position.repetitions() == 0
    assert play(position, ["h1g1", "e8d8", "g1h1", "d8e8"]).repetitions() == 1


def test_one_repetition_inside_the_search_is_a_draw_and_two_before_its_root() -> None:
    position = play(Position.start(), SHUFFLE)
    assert is_draw(position.board, 4)
    assert is_draw(position.board, 5)
    assert not is_draw(position.board, 3)
    assert is_draw(play(position, SHUFFLE).board, 0)


def test_a_check_at_the_hundredth_ply_is_left_to_the_search() -> None:
    mate = Position.from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 90").push("a1a8")
    assert not is_draw(mate.board, 1)
    assert is_draw(Position.from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 90").push("a1a2").board, 1)


@tried(40)
@given(starts(), choices)
def test_dead_positions_and_repetitions_equal_python_chess(start: Any, numbers: list[int]) -> None:
    for position, board in walk(start, [number % 3 for number in numbers]):
        assert bool(is_dead_position(position.board)) == board.is_insufficient_material()
        assert (position.repetitions() >= 2) == board.is_repetition(3)
        assert (position.repetitions() >= 1) == board.is_repetition(2)
