"""Moves of one pawn."""

from engine88.board.attack_tables import PAWN_STEP
from engine88.board.defs import EAST, EMPTY, KNIGHT, NO_SQUARE, PAWN, QUEEN, WEST
from engine88.board.move_list import MoveList
from engine88.board.moves import CAPTURE, DOUBLE_PUSH, EN_PASSANT, PROMOTION_SHIFT, TO_SHIFT
from engine88.board.record import Board
from engine88.board.squares import on_board
from engine88.compiler.jit import inlined, int64, uint64
from engine88.rules.piece_moves import is_enemy_piece, on_board_bit, piece_at


@inlined
def is_last_rank(square: int) -> bool:
    """Return whether a square lies on rank 1 or 8, where a pawn promotes."""
    return square & 0x70 == 0 or square & 0x70 == 0x70


@inlined
def is_first_pawn_rank(square: int, side: int) -> bool:
    """Return whether a pawn of `side` may move two squares from this square."""
    return square & 0x70 == (0x60 if side else 0x10)


@inlined
def add_promotions(lists: MoveList, end: int, move: int) -> int:
    """Append the four promotions of a pawn's move, queen first."""
    for piece_type in range(QUEEN, KNIGHT - 1, -1):
        lists.moves[uint64(end)] = move | piece_type << PROMOTION_SHIFT
        end += 1
    return end


@inlined
def add_pawn_captures(board: Board, lists: MoveList, end: int, from_square: int, side: int) -> int:
    """Append the captures of a pawn, promoting or not, en passant apart."""
    ahead = from_square + int64(PAWN_STEP[uint64(side)])
    for to_square in (ahead + WEST, ahead + EAST):
        if is_enemy_piece(piece_at(board, to_square), side) & on_board_bit(to_square):
            move = from_square | to_square << TO_SHIFT | CAPTURE
            if is_last_rank(to_square):
                end = add_promotions(lists, end, move)
            else:
                lists.moves[uint64(end)] = move
                end += 1
    return end


@inlined
def add_en_passant(board: Board, lists: MoveList, end: int, side: int) -> int:
    """Append the captures en passant of all pawns."""
    target = int64(board.en_passant)
    if target != NO_SQUARE:
        beside = target - int64(PAWN_STEP[uint64(side)])
        for from_square in (beside + WEST, beside + EAST):
            if on_board(from_square) and board.squares[uint64(from_square)] == side << 3 | PAWN:
                lists.moves[uint64(end)] = from_square | target << TO_SHIFT | CAPTURE | EN_PASSANT
                end += 1
    return end


@inlined
def add_pawn_promotions(board: Board, lists: MoveList, end: int, from_square: int, side: int) -> int:
    """Append the promotions by a push."""
    ahead = from_square + int64(PAWN_STEP[uint64(side)])
    if is_last_rank(ahead) and board.squares[uint64(ahead)] == EMPTY:
        end = add_promotions(lists, end, from_square | ahead << TO_SHIFT)
    return end


@inlined
def add_pawn_pushes(board: Board, lists: MoveList, end: int, from_square: int, side: int) -> int:
    """Append single and double pushes that do not promote."""
    step = int64(PAWN_STEP[uint64(side)])
    ahead = from_square + step
    if board.squares[uint64(ahead)] == EMPTY and not is_last_rank(ahead):
        lists.moves[uint64(end)] = from_square | ahead << TO_SHIFT
        end += 1
        if is_first_pawn_rank(from_square, side) and board.squares[uint64(ahead + step)] == EMPTY:
            lists.moves[uint64(end)] = from_square | (ahead + step) << TO_SHIFT | DOUBLE_PUSH
            end += 1
    return end
