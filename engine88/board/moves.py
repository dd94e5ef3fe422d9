"""A move packed into an integer of 21 bits.

     20   19   18   17  16  14 13         7 6          0
    +----+----+----+----+-----+------------+------------+
    | x  | oo | 2  | ep |promo| to_square  | from_square|
    +----+----+----+----+-----+------------+------------+
      |    |    |    |    `-- piece type a pawn becomes, 0 for none
      |    |    |    `------- EN_PASSANT: the captured pawn stands beside from_square
      |    |    `------------ DOUBLE_PUSH
      |    `----------------- CASTLING: to_square is the square of the own ROOK, in standard chess and Chess960 alike
      `---------------------- CAPTURE: something is captured (set for en passant too)

NO_MOVE is 0 (a1 to a1, which no piece can play).
"""

from engine88.compiler.jit import jitable

TO_SHIFT = 7
PROMOTION_SHIFT = 14
EN_PASSANT = 1 << 17
DOUBLE_PUSH = 1 << 18
CASTLING = 1 << 19
CAPTURE = 1 << 20
SPECIAL = EN_PASSANT | DOUBLE_PUSH | CASTLING
"""Moves that do more than take one piece from one square to another."""
PROMOTIONS = 7 << PROMOTION_SHIFT
MOVE_BITS = 21

SQUARE_MASK = 0x7F

EN_PASSANT_XOR = 16
"""`to_square ^ EN_PASSANT_XOR` is the square of the pawn captured en passant: one rank on towards the middle."""


@jitable
def encode(from_square: int, to_square: int, flags: int) -> int:
    """Pack a move; `flags` holds the flag bits and a promotion already shifted."""
    return from_square | to_square << TO_SHIFT | flags


@jitable
def from_square(move: int) -> int:
    """Return the square the piece leaves."""
    return move & SQUARE_MASK


@jitable
def to_square(move: int) -> int:
    """Return the square the piece goes to; for castling the square of the own rook."""
    return move >> TO_SHIFT & SQUARE_MASK


@jitable
def promotion(move: int) -> int:
    """Return the piece type that the pawn becomes, 0 if it does not promote."""
    return move >> PROMOTION_SHIFT & 7


@jitable
def captured_square(move: int) -> int:
    """Return the square of the piece that a capture takes; en passant it is not the square the pawn goes to."""
    return to_square(move) ^ EN_PASSANT_XOR if move & EN_PASSANT else to_square(move)


@jitable
def is_tactical(move: int) -> bool:
    """Return True for captures and promotions."""
    return move & (CAPTURE | PROMOTIONS) != 0


@jitable
def is_castling(move: int) -> bool:
    """Return True for castling."""
    return move & CASTLING != 0
