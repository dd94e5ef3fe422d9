"""The BOARD record and the only functions that write its squares and piece lists.

    squares   0..127   0rrr0fff  the piece on the square             (left half: the board)
                       0rrr1fff  its place in the piece list         (right half, `square + 8`: back-pointers)
    pieces[color]      the squares of that side's pieces; the king is always first

A back-pointer of an empty square is zero, so a position that make_move and unmake_move come back to is equal byte by
byte.
"""

from typing import Annotated, Any, TypeAlias

import numba
import numpy as np

from engine88.board.defs import EMPTY, KING, NO_SQUARE, PAWN
from engine88.board.squares import on_board
from engine88.board.zobrist import CASTLING_KEYS, EN_PASSANT_KEYS, PIECE_KEYS, SIDE_KEY
from engine88.compiler.jit import entry, inlined, int64

BACK_POINTER_OFFSET = 8
"""`square + BACK_POINTER_OFFSET` is the cell in the unused half of the board that belongs to the square."""
LIST_LENGTH = 16
"""Pieces a side can have; a FEN with more is refused."""
STACK_LENGTH = 1280
"""Plies the undo stack can hold: the game's history and the search above it."""

BOARD = np.dtype(
    [
        ("squares", np.uint8, (128,)),
        ("pieces", np.uint8, (2, LIST_LENGTH)),
        ("list_sizes", np.uint8, (2,)),
        ("counts", np.uint8, (16,)),
        ("castling_masks", np.uint8, (128,)),
        ("castling_rooks", np.uint8, (4,)),
        ("scratch", np.uint8, (64,)),
        ("side", np.uint8),
        ("castling_rights", np.uint8),
        ("en_passant", np.uint8),
        ("chess960", np.uint8),
        ("shredder_fen", np.uint8),
        ("halfmove_clock", np.uint16),
        ("move_number", np.uint16),
        ("stack_size", np.uint32),
        ("key", np.uint64),
        ("pawn_key", np.uint64),
        ("non_pawn_key", np.uint64, (2,)),
        ("keys", np.uint64, (STACK_LENGTH,)),
        ("pawn_keys", np.uint64, (STACK_LENGTH,)),
        ("non_pawn_keys", np.uint64, (STACK_LENGTH, 2)),
        ("moves", np.int32, (STACK_LENGTH,)),
        ("halfmove_clocks", np.uint16, (STACK_LENGTH,)),
        ("captured", np.uint8, (STACK_LENGTH,)),
        ("captured_places", np.uint8, (STACK_LENGTH,)),
        ("rights", np.uint8, (STACK_LENGTH,)),
        ("en_passants", np.uint8, (STACK_LENGTH,)),
    ],
    align=True,
)
"""One position with the history that led to it.

    counts           pieces on the board by piece code
    castling_masks   by square: the castling rights that survive a move from or to it
    castling_rooks   squares of the rooks of WHITE_OO, WHITE_OOO, BLACK_OO, BLACK_OOO
    scratch          work space of exchanges (rules/see.py): squares and pieces lifted off the board
    en_passant       the square behind a pawn that has just moved two squares if a legal capture uses it, else NO_SQUARE
    chess960         castling moves are named king takes rook; shredder_fen: rights are written as files
    key, pawn_key    Zobrist keys of everything and of the pawns; non_pawn_key[color]: the other pieces of one side
    keys ...         the undo stack: entry i is the state before ply i was played; moves[i] is that ply
"""

BOARD_TYPE = numba.from_dtype(BOARD)
"""Numba's type of a BOARD record."""

Board: TypeAlias = Annotated[np.record, BOARD_TYPE]
"""A BOARD record."""


def new_board() -> Board:
    """Return an empty board: White to move, no castling rights, no history."""
    board: Any = np.recarray(1, BOARD)
    board.view(np.uint8)[:] = 0
    record: Board = board[0]
    record.en_passant = NO_SQUARE
    record.castling_rooks[:] = NO_SQUARE
    record.castling_masks[:] = 15
    record.move_number = 1
    return record


def copy_board(board: Board) -> Board:
    """Return an independent copy, byte by byte."""
    copy: Any = np.recarray(1, BOARD)
    copy.view(np.uint8)[:] = np.frombuffer(board, np.uint8)
    record: Board = copy[0]
    return record


@inlined
def king_square(board: Board, color: int) -> int:
    """Return the square of the king of `color`."""
    return int64(board.pieces[color, 0])


@inlined
def put_piece(board: Board, square: int, piece: int) -> None:
    """Put a piece on an empty square, at the end of its list (a king must be the first of its side)."""
    color = piece >> 3
    place = int64(board.list_sizes[color])
    board.squares[square] = piece
    board.squares[square + BACK_POINTER_OFFSET] = place
    board.pieces[color, place] = square
    board.list_sizes[color] = place + 1
    board.counts[piece] += 1


@inlined
def remove_piece(board: Board, square: int) -> int:
    """Remove a piece; the last of its list takes its place. Return that place, for `restore_piece`."""
    piece = int64(board.squares[square])
    color = piece >> 3
    place = int64(board.squares[square + BACK_POINTER_OFFSET])
    size = int64(board.list_sizes[color]) - 1
    last = int64(board.pieces[color, size])
    board.pieces[color, place] = last
    board.squares[last + BACK_POINTER_OFFSET] = place
    board.list_sizes[color] = size
    board.counts[piece] -= 1
    board.squares[square] = EMPTY
    board.squares[square + BACK_POINTER_OFFSET] = 0
    return place


@inlined
def restore_piece(board: Board, square: int, piece: int, place: int) -> None:
    """Undo `remove_piece` exactly: the piece gets its place back, the piece that filled it returns to the end."""
    color = piece >> 3
    size = int64(board.list_sizes[color])
    filler = int64(board.pieces[color, place])
    board.pieces[color, size] = filler
    board.squares[filler + BACK_POINTER_OFFSET] = size
    board.pieces[color, place] = square
    board.squares[square] = piece
    board.squares[square + BACK_POINTER_OFFSET] = place
    board.list_sizes[color] = size + 1
    board.counts[piece] += 1


@inlined
def shift_piece(board: Board, from_square: int, to_square: int, color: int) -> None:
    """Move a piece of `color` to an empty square."""
    place = int64(board.squares[from_square + BACK_POINTER_OFFSET])
    piece = board.squares[from_square]
    board.squares[from_square] = EMPTY
    board.squares[from_square + BACK_POINTER_OFFSET] = 0
    board.squares[to_square] = piece
    board.squares[to_square + BACK_POINTER_OFFSET] = place
    board.pieces[color, place] = to_square


@entry
def build_lists(board: Board) -> None:
    """Build piece lists, back-pointers and counts from the pieces on `squares`, kings first."""
    board.list_sizes[0] = 0
    board.list_sizes[1] = 0
    board.counts[:] = 0
    for kings in range(2):
        for square in range(128):
            if not on_board(square):
                continue
            piece = int64(board.squares[square])
            if piece != EMPTY and (piece & 7 == KING) == (kings == 0):
                put_piece(board, square, piece)


@entry
def compute_keys(board: Board) -> None:
    """Set key, pawn_key and non_pawn_key from scratch: the slow truth that make_move keeps up with."""
    board.pawn_key = np.uint64(0)
    board.non_pawn_key[0] = np.uint64(0)
    board.non_pawn_key[1] = np.uint64(0)
    for color in range(2):
        for place in range(int64(board.list_sizes[color])):
            square = int64(board.pieces[color, place])
            piece = int64(board.squares[square])
            if piece & 7 == PAWN:
                board.pawn_key ^= PIECE_KEYS[piece, square]
            else:
                board.non_pawn_key[color] ^= PIECE_KEYS[piece, square]
    key = board.pawn_key ^ board.non_pawn_key[0] ^ board.non_pawn_key[1]
    key ^= CASTLING_KEYS[int64(board.castling_rights)] ^ EN_PASSANT_KEYS[int64(board.en_passant)]
    board.key = key ^ SIDE_KEY if board.side else key
