"""Moves of one knight, bishop, rook, queen or king, by walking offsets; each piece type has its row of fixed steps.

Whether a jump ends off the board, on an own or on an enemy piece cannot be predicted by the processor. So the move is
written in any case, and the end of the list advances past it only if it counts.
"""

from engine88.board.attack_tables import BISHOP_STEPS, KNIGHT_STEPS, ROOK_STEPS
from engine88.board.defs import BISHOP, EMPTY, KING, KNIGHT, ROOK
from engine88.board.move_list import MoveList
from engine88.board.moves import CAPTURE, TO_SHIFT
from engine88.board.record import Board
from engine88.board.squares import on_board
from engine88.compiler.jit import inlined, int64, uint64

_ORTHOGONAL = tuple(int64(step) for step in ROOK_STEPS)  # typed: a plain constant would compile an overload of its own
_DIAGONAL = tuple(int64(step) for step in BISHOP_STEPS)
_KING = _DIAGONAL + _ORTHOGONAL
_KNIGHT = tuple(int64(step) for step in KNIGHT_STEPS)


@inlined
def on_board_bit(square: int) -> int:
    """Return 1 for a square on the board, 0 off it."""
    return int64(on_board(square))


@inlined
def piece_at(board: Board, square: int) -> int:
    """Return the piece code of a square; off the board the value means nothing."""
    return int64(board.squares[uint64(square & 0x7F)])


@inlined
def is_enemy_piece(piece: int, side: int) -> int:
    """Return 1 for a piece of the other side, 0 for an own piece or none."""
    return int64((piece + 7) >> 3 == 2 - side)  # White's codes 1 to 6 give 1, Black's 9 to 14 give 2, none gives 0


@inlined
def _capture_jump(board: Board, lists: MoveList, end: int, from_square: int, step: int, side: int) -> int:
    to_square = from_square + step
    lists.moves[uint64(end)] = from_square | to_square << TO_SHIFT | CAPTURE
    return end + (is_enemy_piece(piece_at(board, to_square), side) & on_board_bit(to_square))


@inlined
def _capture_slide(board: Board, lists: MoveList, end: int, from_square: int, step: int, side: int) -> int:
    to_square = from_square + step
    piece = int64(EMPTY)
    while on_board(to_square):
        piece = int64(board.squares[uint64(to_square)])
        if piece != EMPTY:
            break
        to_square += step
    lists.moves[uint64(end)] = from_square | to_square << TO_SHIFT | CAPTURE
    return end + is_enemy_piece(piece, side)


@inlined
def add_captures(board: Board, lists: MoveList, end: int, from_square: int, piece_type: int, side: int) -> int:
    """Append the captures of a piece."""
    if piece_type == KNIGHT:
        for step in _KNIGHT:
            end = _capture_jump(board, lists, end, from_square, step, side)
    elif piece_type == KING:
        for step in _KING:
            end = _capture_jump(board, lists, end, from_square, step, side)
    else:
        if piece_type != ROOK:
            for step in _DIAGONAL:
                end = _capture_slide(board, lists, end, from_square, step, side)
        if piece_type != BISHOP:
            for step in _ORTHOGONAL:
                end = _capture_slide(board, lists, end, from_square, step, side)
    return end


@inlined
def _quiet_jump(board: Board, lists: MoveList, end: int, from_square: int, step: int) -> int:
    to_square = from_square + step
    lists.moves[uint64(end)] = from_square | to_square << TO_SHIFT
    return end + (int64(piece_at(board, to_square) == EMPTY) & on_board_bit(to_square))


@inlined
def _quiet_slide(board: Board, lists: MoveList, end: int, from_square: int, step: int) -> int:
    to_square = from_square + step
    while on_board(to_square) and board.squares[uint64(to_square)] == EMPTY:
        lists.moves[uint64(end)] = from_square | to_square << TO_SHIFT
        end += 1
        to_square += step
    return end


@inlined
def add_quiets(board: Board, lists: MoveList, end: int, from_square: int, piece_type: int) -> int:
    """Append the moves of a piece to empty squares, castling apart."""
    if piece_type == KNIGHT:
        for step in _KNIGHT:
            end = _quiet_jump(board, lists, end, from_square, step)
    elif piece_type == KING:
        for step in _KING:
            end = _quiet_jump(board, lists, end, from_square, step)
    else:
        if piece_type != ROOK:
            for step in _DIAGONAL:
                end = _quiet_slide(board, lists, end, from_square, step)
        if piece_type != BISHOP:
            for step in _ORTHOGONAL:
                end = _quiet_slide(board, lists, end, from_square, step)
    return end
