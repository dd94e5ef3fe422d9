"""Attack queries: one look-up of the difference of two squares, and for a line piece a walk along the line."""

from engine88.board.attack_tables import ATTACK_MASK, LINE_BIT, ORIGIN, PIECE_BIT, RAY_STEP, WALK_STEP
from engine88.board.defs import EMPTY, NO_SQUARE
from engine88.board.record import Board, king_square
from engine88.board.squares import on_board
from engine88.compiler.jit import entry, inlined, int64, kernel, uint64


@inlined
def path_is_clear(board: Board, from_square: int, to_square: int) -> bool:
    """Return whether no piece stands between an attacker and its target; ATTACK_MASK must allow the pair."""
    step = int64(WALK_STEP[uint64(to_square - from_square + ORIGIN)])
    between = from_square + step
    while between != to_square and board.squares[uint64(between)] == EMPTY:
        between += step
    return between == to_square


@inlined
def attacks_square(board: Board, from_square: int, to_square: int) -> bool:
    """Return whether the piece on `from_square` attacks `to_square`."""
    piece = int64(board.squares[uint64(from_square)])
    if ATTACK_MASK[uint64(to_square - from_square + ORIGIN)] & PIECE_BIT[uint64(piece)] == 0:
        return False
    return path_is_clear(board, from_square, to_square)


@entry
def is_attacked(board: Board, square: int, by_color: int) -> bool:
    """Return whether a piece of `by_color` attacks `square`."""
    for place in range(int64(board.list_sizes[uint64(by_color)])):
        if attacks_square(board, int64(board.pieces[uint64(by_color), uint64(place)]), square):
            return True
    return False


@kernel
def is_attacked_except(board: Board, square: int, by_color: int, captured_square: int) -> bool:
    """Return `is_attacked` as if the piece listed on `captured_square` were gone; the square itself still blocks."""
    for place in range(int64(board.list_sizes[uint64(by_color)])):
        from_square = int64(board.pieces[uint64(by_color), uint64(place)])
        if from_square != captured_square and attacks_square(board, from_square, square):
            return True
    return False


@entry
def in_check(board: Board) -> bool:
    """Return whether the side to move is in check."""
    side = int64(board.side)
    return is_attacked(board, king_square(board, side), 1 - side)


@kernel
def checkers(board: Board) -> tuple[int, int]:
    """Return the number of pieces that give check, and the square of one of them (NO_SQUARE if none does)."""
    side = int64(board.side)
    king = king_square(board, side)
    count = int64(0)
    checker = int64(NO_SQUARE)
    for place in range(int64(board.list_sizes[uint64(1 - side)])):
        from_square = int64(board.pieces[uint64(1 - side), uint64(place)])
        if attacks_square(board, from_square, king):
            count += 1
            checker = from_square
    return count, checker


@kernel
def pinned_step(board: Board, square: int, color: int) -> int:
    """Return the step from the king of `color` to `square` if the piece there is pinned, or would be, else 0.

    Looks the difference king to square up in RAY_STEP (Wiereyn 1985): no line, no pin. Then walks: from the king to the
    square, which must be all empty, and on to the first piece behind it.
    """
    king = king_square(board, color)
    step = int64(RAY_STEP[uint64(square - king + ORIGIN)])
    if step == 0:
        return int64(0)
    walk = king + step
    while walk != square:
        if board.squares[uint64(walk)] != EMPTY:
            return int64(0)
        walk += step
    walk += step
    while on_board(walk):
        piece = int64(board.squares[uint64(walk)])
        if piece != EMPTY:
            return (
                step
                if piece >> 3 != color and ATTACK_MASK[uint64(king - walk + ORIGIN)] & LINE_BIT[uint64(piece)]
                else int64(0)
            )
        walk += step
    return int64(0)
