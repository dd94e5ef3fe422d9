"""Castling in standard chess and Chess960: the king goes to file g or c, the rook to f or d, wherever they stand."""

from engine88.board.attacks import is_attacked
from engine88.board.defs import EMPTY, NO_SQUARE
from engine88.board.move_list import MoveList
from engine88.board.moves import CASTLING, TO_SHIFT
from engine88.board.record import BACK_POINTER_OFFSET, Board, king_square
from engine88.compiler.jit import inlined, int64, kernel


@inlined
def castled_king(king: int, rook: int) -> int:
    """Return the king's square after castling with the rook on `rook`."""
    return (king & 0x70) + (6 if rook > king else 2)


@inlined
def castled_rook(king: int, rook: int) -> int:
    """Return the rook's square after castling."""
    return (king & 0x70) + (5 if rook > king else 3)


@kernel
def can_castle(board: Board, wing: int) -> bool:
    """Return whether castling with `castling_rooks[wing]` is legal, given the right to it and no check."""
    side = wing >> 1
    king = king_square(board, side)
    rook = int64(board.castling_rooks[wing])
    king_target, rook_target = castled_king(king, rook), castled_rook(king, rook)
    king_piece, rook_piece = board.squares[king], board.squares[rook]
    # King and rook are lifted: neither blocks the other, and the king must be safe without the rook's shelter.
    board.squares[king] = EMPTY
    board.squares[rook] = EMPTY
    possible = _is_empty(board, min(king, rook, king_target, rook_target), max(king, rook, king_target, rook_target))
    if possible:
        for square in range(min(king, king_target), max(king, king_target) + 1):
            if (square != king or king == king_target) and is_attacked(board, square, 1 - side):
                possible = False
                break
    board.squares[king] = king_piece
    board.squares[rook] = rook_piece
    return possible


@inlined
def _is_empty(board: Board, first: int, last: int) -> bool:
    square = first
    while square <= last and board.squares[square] == EMPTY:
        square += 1
    return square > last


@kernel
def add_castling(board: Board, lists: MoveList, end: int) -> int:
    """Write the legal castling moves of the side to move, which must not be in check. Returns the new end."""
    side = int64(board.side)
    rights = int64(board.castling_rights) >> (2 * side)
    for wing in range(2 * side, 2 * side + 2):
        if rights & 1 and can_castle(board, wing):
            king = king_square(board, side)
            lists.moves[end] = king | int64(board.castling_rooks[wing]) << TO_SHIFT | CASTLING
            end += 1
        rights >>= 1
    return end


@inlined
def castle(board: Board, king: int, rook: int, king_target: int, rook_target: int, color: int) -> None:
    """Move king and rook to their target squares, which may coincide with their old ones."""
    king_piece, rook_piece = board.squares[king], board.squares[rook]
    rook_place = board.squares[rook + BACK_POINTER_OFFSET]
    board.squares[king] = EMPTY
    board.squares[king + BACK_POINTER_OFFSET] = 0
    board.squares[rook] = EMPTY
    board.squares[rook + BACK_POINTER_OFFSET] = 0
    board.squares[king_target] = king_piece
    board.squares[king_target + BACK_POINTER_OFFSET] = 0
    board.squares[rook_target] = rook_piece
    board.squares[rook_target + BACK_POINTER_OFFSET] = rook_place
    board.pieces[color, 0] = king_target
    board.pieces[color, int64(rook_place)] = rook_target


def set_castling_rights(board: Board, rights: int, rooks: tuple[int, int, int, int]) -> None:
    """Set the castling rights, the rooks' squares, and the rights that a move from or to each square keeps.

    `rooks` are the squares of the rooks of the four wings; NO_SQUARE where there is no right.
    """
    board.castling_rights = rights
    board.castling_rooks[:] = rooks
    masks, pieces = board.castling_masks, board.pieces
    masks[:] = 15
    for wing, rook in enumerate(rooks):
        if rook != NO_SQUARE:
            masks[rook] &= 15 ^ (1 << wing)
            masks[int(pieces[wing >> 1, 0])] &= 15 ^ (1 << wing)
