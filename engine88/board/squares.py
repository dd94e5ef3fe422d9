"""Squares of the 0x88 board, and the names of squares and pieces.

A square is `rank * 16 + file`, so its byte reads 0rrr0fff: bits 3 and 7 are zero on the board and one of them is set as
soon as a step leaves it. All functions work in kernels and in plain Python.
"""

from engine88.board.defs import COLOR_SHIFT, OFF_BOARD
from engine88.compiler.jit import dual

FILE_NAMES = "abcdefgh"
RANK_NAMES = "12345678"
PIECE_LETTERS = " PNBRQK  pnbrqk "
"""Letter of each piece code; White's are upper case."""
SQUARES = tuple(rank * 16 + file for rank in range(8) for file in range(8))
"""The 64 squares from a1 to h8, rank by rank."""


@dual
def square(rank: int, file: int) -> int:
    """The square at `rank` and `file`, both 0 to 7."""
    return rank * 16 + file


@dual
def file_of(square: int) -> int:
    """0 (file a) to 7 (file h)."""
    return square & 7


@dual
def rank_of(square: int) -> int:
    """0 (rank 1) to 7 (rank 8)."""
    return square >> 4


@dual
def on_board(square: int) -> bool:
    """True if a square reached by steps is still on the board."""
    return (square & OFF_BOARD) == 0


@dual
def to_64(square: int) -> int:
    """Index 0 (a1) to 63 (h8) of a square on the board."""
    return (square + (square & 7)) >> 1


@dual
def from_64(index: int) -> int:
    """The square of an index from 0 (a1) to 63 (h8)."""
    return index + (index & ~7)


@dual
def flip_rank(square: int) -> int:
    """The square seen from the other side of the board: a1 becomes a8."""
    return square ^ 0x70


@dual
def is_light(square: int) -> bool:
    """True for a light square (h1 is one)."""
    return ((square >> 4) + square) & 1 == 1


def square_name(square: int) -> str:
    """`e4` for 0x34. Raises ValueError for a square off the board."""
    if not 0 <= square < 128 or square & OFF_BOARD:
        raise ValueError(f"square {square:#x} is not on the board")
    return FILE_NAMES[square & 7] + RANK_NAMES[square >> 4]


def parse_square(name: str) -> int:
    """0x34 for `e4`. Raises ValueError for anything that is not a square's name."""
    if len(name) != 2 or name[0] not in FILE_NAMES or name[1] not in RANK_NAMES:
        raise ValueError(f"{name!r} is not a square: expected a letter a-h and a digit 1-8")
    return RANK_NAMES.index(name[1]) * 16 + FILE_NAMES.index(name[0])


@dual
def piece_of(color: int, piece_type: int) -> int:
    """The piece code of a colour and a kind."""
    return color << COLOR_SHIFT | piece_type


@dual
def type_of(piece: int) -> int:
    """PAWN to KING, EMPTY for an empty square."""
    return piece & 7


@dual
def color_of(piece: int) -> int:
    """WHITE or BLACK; the piece must not be EMPTY."""
    return piece >> COLOR_SHIFT


def piece_letter(piece: int) -> str:
    """`N` for a white knight, `n` for a black one. Raises ValueError for EMPTY and for no piece code."""
    if not 0 <= piece < 16 or PIECE_LETTERS[piece] == " ":
        raise ValueError(f"{piece} is not a piece code")
    return PIECE_LETTERS[piece]


def parse_piece(letter: str) -> int:
    """The piece code of a letter of a FEN. Raises ValueError for any other text."""
    if len(letter) != 1 or letter == " " or letter not in PIECE_LETTERS:
        raise ValueError(f"{letter!r} is not a piece: expected one of PNBRQK or pnbrqk")
    return PIECE_LETTERS.index(letter)
