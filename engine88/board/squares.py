"""Squares of the 0x88 board, and the names of squares and pieces.

A square is `rank * 16 + file`, so its byte reads 0rrr0fff: bits 3 and 7 are zero on the board and one of them is set as
soon as a step leaves it. All functions work in kernels and in plain Python.
"""

from engine88.board.defs import COLOR_SHIFT, OFF_BOARD
from engine88.compiler.jit import jitable

FILE_NAMES = "abcdefgh"
RANK_NAMES = "12345678"
PIECE_LETTERS = ".PNBRQK  pnbrqk "
"""Letter of each piece code, `.` for an empty square; White's are upper case."""
SQUARES = tuple(rank * 16 + file for rank in range(8) for file in range(8))
"""The 64 squares from a1 to h8, rank by rank."""


@jitable
def square(rank: int, file: int) -> int:
    """Return the square at `rank` and `file`, both 0 to 7."""
    return rank * 16 + file


@jitable
def file_of(square: int) -> int:
    """Return the file, 0 (file a) to 7 (file h)."""
    return square & 7


@jitable
def rank_of(square: int) -> int:
    """Return the rank, 0 (rank 1) to 7 (rank 8)."""
    return square >> 4


@jitable
def on_board(square: int) -> bool:
    """Return whether a square reached by a step is still on the board."""
    return (square & OFF_BOARD) == 0


@jitable
def to_64(square: int) -> int:
    """Return the index 0 (a1) to 63 (h8) of a square on the board."""
    return (square + (square & 7)) >> 1


@jitable
def from_64(index: int) -> int:
    """Return the square of an index from 0 (a1) to 63 (h8)."""
    return index + (index & ~7)


def square_name(square: int) -> str:
    """Return the name of a square, `e4` for 0x34; raise ValueError for a square off the board."""
    if not 0 <= square < 128 or square & OFF_BOARD:
        raise ValueError(f"square {square:#x} is not on the board")
    return FILE_NAMES[square & 7] + RANK_NAMES[square >> 4]


def parse_square(name: str) -> int:
    """Return the square of a name, 0x34 for `e4`; raise ValueError for any other text."""
    if len(name) != 2 or name[0] not in FILE_NAMES or name[1] not in RANK_NAMES:
        raise ValueError(f"{name!r} is not a square: expected a letter a-h and a digit 1-8")
    return RANK_NAMES.index(name[1]) * 16 + FILE_NAMES.index(name[0])


@jitable
def piece_of(color: int, piece_type: int) -> int:
    """Return the piece code of a color and a piece type."""
    return color << COLOR_SHIFT | piece_type


@jitable
def type_of(piece: int) -> int:
    """Return the piece type of a piece code, EMPTY for EMPTY."""
    return piece & 7


@jitable
def color_of(piece: int) -> int:
    """Return the color of a piece code."""
    return piece >> COLOR_SHIFT


def piece_letter(piece: int) -> str:
    """Return `N` for a white knight, `n` for a black one, `.` for none; raise ValueError for anything else."""
    if not 0 <= piece < 16 or PIECE_LETTERS[piece] == " ":
        raise ValueError(f"{piece} is not a piece code")
    return PIECE_LETTERS[piece]


def parse_piece(letter: str) -> int:
    """Return the piece code of a FEN letter; raise ValueError for any other text."""
    if len(letter) != 1 or letter == " " or letter not in PIECE_LETTERS:
        raise ValueError(f"{letter!r} is not a piece: expected one of PNBRQK or pnbrqk, or . for none")
    return PIECE_LETTERS.index(letter)
