"""Faults of boards, moves and move lists, each planted under the message of the assertion that must catch it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine88.board.invariants import assert_position
from engine88.board.moves import CAPTURE, CASTLING, EN_PASSANT, encode
from engine88.board.record import compute_keys, put_piece
from engine88.compiler.jit import int64
from engine88.rules.fen import START_FEN
from engine88.rules.invariants import assert_generated, assert_move_fits
from engine88.rules.make_move import make_null_move, unmake_move, unmake_null_move
from engine88.rules.movegen import generate_captures
from engine88.rules.position import Position
from tests.engine88.searching import KIWIPETE, Records

EN_PASSANT_FEN = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"
ALL_KINDS_OF_MOVES = "r3k3/1P6/8/3pP3/8/8/6p1/4K2R w Kq d6 0 1"  # few pieces: castling, en passant, promotions
CHECK = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"
PLY = int64(2)
A1, E1, H1, E2, E4, D5, E8, F6 = 0x00, 0x04, 0x07, 0x14, 0x34, 0x43, 0x74, 0x55
ONE_MOVE = encode(E2, E4, 0)

Fault = Callable[[], Any]
FAULTS: dict[str, Fault] = {}


def catches(message: str) -> Callable[[Fault], Fault]:
    """Plant the fault of a function under the message of the assertion that must catch it."""

    def plant(fault: Fault) -> Fault:
        assert message not in FAULTS
        FAULTS[message] = fault
        return fault

    return plant


def board_fault(message: str, field: str, index: Any, value: int, fen: str = KIWIPETE) -> None:
    """Plant a wrong value in a field of the board."""

    def fault() -> None:
        board = Position.from_fen(fen).board
        if index is None:
            board[field] = value
        else:
            board[field][index] = value
        assert_position(board)

    catches(message)(fault)


board_fault("a piece is not in its list", "squares", 0x14, 0)
board_fault("the king is not entry 0", "pieces", (0, 0), 0x44)
board_fault("a list names an empty square", "pieces", (1, 3), 0x44, START_FEN)
board_fault("a list names a piece of the other side", "squares", 0x11, 9)
board_fault("a back-pointer is wrong", "squares", 0x11 + 8, 99)
board_fault("a list is empty or too long", "list_sizes", 0, 17)
board_fault("the counts do not add up to the pieces", "counts", 1, 7)
board_fault("the pawn key differs from scratch", "pawn_key", None, 1)
board_fault("a key of the pieces differs from scratch", "non_pawn_key", 0, 1)
board_fault("the key differs from scratch", "key", None, 1)
board_fault("the side to move is neither White nor Black", "side", None, 2)
board_fault("the undo stack is full", "stack_size", None, 1280)
board_fault("a castling right without its rook", "castling_rooks", 0, E2)
board_fault("a king's move would keep a castling right", "castling_masks", E1, 15)
board_fault("a rook's move would keep a castling right", "castling_masks", H1, 15)


def wrong_right(message: str, fen: str, wing: int, rook: int) -> None:
    """Plant a castling right that the position does not allow."""

    def fault() -> None:
        board = Position.from_fen(fen).board
        board.castling_rights, board.castling_rooks[wing] = 1 << wing, rook
        board.castling_masks[:] = 0
        compute_keys(board)
        assert_position(board)

    catches(message)(fault)


wrong_right("a castling right of a king that has left its rank", "4k3/8/8/8/8/8/4K3/7R w - - 0 1", 0, H1)
wrong_right("a castling rook on another rank than its king", "4k3/8/8/8/7R/8/8/4K3 w - - 0 1", 0, 0x37)
wrong_right("a castling rook on the wrong side of its king", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", 0, A1)


def wrong_en_passant(message: str, square: int, fen: str = EN_PASSANT_FEN) -> None:
    """Plant an en-passant square."""

    def fault() -> None:
        board = Position.from_fen(fen).board
        board.en_passant = square
        compute_keys(board)
        assert_position(board)

    catches(message)(fault)


wrong_en_passant("the en-passant square is on a wrong rank", 0x45)
wrong_en_passant("the en-passant square is occupied", 0x55, "4k3/8/5n2/4Pp2/8/8/8/4K3 w - - 0 1")
wrong_en_passant("nothing to capture en passant", 0x50)


@catches("a pawn on the first or last rank")
def _() -> None:
    board = Position.from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").board
    put_piece(board, 0x71, 1)
    assert_position(board)


@catches("the side that has just moved is in check")
def _() -> None:
    board = Position.from_fen(CHECK).board
    board.side = 1
    compute_keys(board)
    assert_position(board)


def wrong_move(message: str, move: int, fen: str = KIWIPETE) -> None:
    """Plant a move that does not fit the board."""
    catches(message)(lambda: assert_move_fits(Position.from_fen(fen).board, int64(move)))


wrong_move("a move from a square off the board", encode(0x08, E4, 0))
wrong_move("a move to a square off the board", encode(E4, 0x08, 0))
wrong_move("a move of no piece", encode(0x20, 0x30, 0))
wrong_move("a move of a piece of the other side", encode(E8, 0x73, 0))
wrong_move("castling begins with another piece than the king", encode(A1, H1, CASTLING))
wrong_move("castling with a flag of another move", encode(E1, H1, CASTLING | CAPTURE))
wrong_move("a capture of nothing", encode(E2, 0x23, CAPTURE))
wrong_move("a capture of an own piece", encode(A1, 0x10, CAPTURE))
wrong_move("the king is captured", encode(E2, E8, CAPTURE))
wrong_move("a quiet move to an occupied square", encode(A1, 0x10, 0))
wrong_move("a piece moves like a pawn", encode(A1, 0x01, 5 << 14))
wrong_move(
    "en passant to a square that no pawn has passed",
    encode(0x44, 0x53, EN_PASSANT | CAPTURE),
    EN_PASSANT_FEN,
)


@catches("there is no move to undo")
def _() -> None:
    unmake_move(Position.start().board)


@catches("a null move is undone as a move")
def _() -> None:
    board = Position.from_fen(KIWIPETE).board
    make_null_move(board)
    unmake_move(board)


@catches("a move is undone as a null move")
def _() -> None:
    board = Position.from_fen(KIWIPETE).push("e1g1").board
    unmake_null_move(board)


@catches("a null move in check")
def _() -> None:
    make_null_move(Position.from_fen(CHECK).board)


def generated(message: str, spoil: Callable[[Any, int], tuple[int, bool]]) -> None:
    """Spoil a list of captures; `spoil` returns its end and whether captures are expected."""

    def fault() -> None:
        records = Records(KIWIPETE)
        end = int(generate_captures(records.board, records.lists, int64(0)))
        end, tactical = spoil(records.lists, end)
        assert_generated(records.board, records.lists, int64(0), int64(end), tactical)

    catches(message)(fault)


def _twice(lists: Any, end: int) -> tuple[int, bool]:
    lists.moves[end] = lists.moves[0]
    return end + 1, True


generated("more moves than a position can have", lambda _lists, _end: (321, True))
generated("a move of the wrong stage", lambda _lists, end: (end, False))
generated("a move is generated twice", _twice)


@catches("the move list overflows")
def _() -> None:
    records = Records(KIWIPETE)
    assert_generated(records.board, records.lists, int64(41_600), int64(41_601), False)
