"""Debug assertions about moves and generated lists; compiled only under ENGINE88_DEBUG=1."""

from engine88.board.defs import EMPTY, KING, PAWN
from engine88.board.move_list import CAPACITY, MAX_MOVES, MoveList
from engine88.board.moves import (
    CAPTURE,
    EN_PASSANT,
    PROMOTIONS,
    captured_square,
    from_square,
    is_castling,
    is_tactical,
    to_square,
)
from engine88.board.record import Board, king_square
from engine88.board.squares import color_of, on_board, type_of
from engine88.compiler.jit import assertion, int64


@assertion
def assert_move_fits(board: Board, move: int) -> None:
    """Raise AssertionError unless the flags of `move` agree with the board before it is made."""
    origin, target, side = from_square(move), to_square(move), int64(board.side)
    assert on_board(origin), "a move from a square off the board"
    assert on_board(target), "a move to a square off the board"
    mover, occupant = int64(board.squares[origin]), int64(board.squares[target])
    assert mover != EMPTY, "a move of no piece"
    assert color_of(mover) == side, "a move of a piece of the other side"
    if is_castling(move):
        assert origin == king_square(board, side), "castling begins with another piece than the king"
        assert move & (CAPTURE | EN_PASSANT | PROMOTIONS) == 0, "castling with a flag of another move"
        return
    if move & CAPTURE:
        victim = int64(board.squares[captured_square(move)])
        assert victim != EMPTY, "a capture of nothing"
        assert color_of(victim) != side, "a capture of an own piece"
        assert type_of(victim) != KING, "the king is captured"
    assert occupant == EMPTY or move & CAPTURE, "a quiet move to an occupied square"
    assert type_of(mover) == PAWN or move & (EN_PASSANT | PROMOTIONS) == 0, "a piece moves like a pawn"
    if move & EN_PASSANT:
        assert target == board.en_passant, "en passant to a square that no pawn has passed"


@assertion
def assert_generated(board: Board, lists: MoveList, start: int, end: int, tactical: bool) -> None:
    """Raise AssertionError unless start..end holds moves of the side to move, all tactical or all quiet."""
    assert start <= end <= start + MAX_MOVES, "more moves than a position can have"
    assert end <= CAPACITY, "the move list overflows"
    for index in range(start, end):
        move = int64(lists.moves[index])
        assert_move_fits(board, move)
        assert is_tactical(move) == tactical, "a move of the wrong stage"
        for other in range(index + 1, end):
            assert move != int64(lists.moves[other]), "a move is generated twice"
