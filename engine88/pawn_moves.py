"""Moves of one pawn."""

from engine88.attack_tables import PAWN_STEP
from engine88.board import Board
from engine88.defs import EAST, EMPTY, KNIGHT, OFF_BOARD, QUEEN, WEST
from engine88.jit import inlined, int64
from engine88.move_list import MoveList
from engine88.moves import CAPTURE, DOUBLE_PUSH, EN_PASSANT, PROMOTION_SHIFT, TO_SHIFT


@inlined
def is_last_rank(square: int) -> bool:
    """True on ranks 1 and 8: where a pawn arrives, it promotes."""
    return square & 0x70 == 0 or square & 0x70 == 0x70


@inlined
def is_first_pawn_rank(square: int, side: int) -> bool:
    """True on the rank from which a pawn of `side` may move two squares."""
    return square & 0x70 == (0x60 if side else 0x10)


@inlined
def add_promotions(lists: MoveList, end: int, move: int) -> int:
    """Append the four promotions of a pawn's move, queen first."""
    for piece_type in range(QUEEN, KNIGHT - 1, -1):
        lists.moves[end] = move | piece_type << PROMOTION_SHIFT
        end += 1
    return end


@inlined
def add_pawn_captures(board: Board, lists: MoveList, end: int, from_square: int, side: int) -> int:
    """Captures of a pawn, promoting or not, and en passant."""
    ahead = from_square + int64(PAWN_STEP[side])
    for to_square in (ahead + WEST, ahead + EAST):
        if to_square & OFF_BOARD:
            continue
        piece = int64(board.squares[to_square])
        if piece != EMPTY:
            if piece >> 3 != side:
                move = from_square | to_square << TO_SHIFT | CAPTURE
                if is_last_rank(to_square):
                    end = add_promotions(lists, end, move)
                else:
                    lists.moves[end] = move
                    end += 1
        elif to_square == board.en_passant:
            lists.moves[end] = from_square | to_square << TO_SHIFT | CAPTURE | EN_PASSANT
            end += 1
    return end


@inlined
def add_pawn_promotions(board: Board, lists: MoveList, end: int, from_square: int, side: int) -> int:
    """Promotions by a step ahead."""
    ahead = from_square + int64(PAWN_STEP[side])
    if is_last_rank(ahead) and board.squares[ahead] == EMPTY:
        end = add_promotions(lists, end, from_square | ahead << TO_SHIFT)
    return end


@inlined
def add_pawn_pushes(board: Board, lists: MoveList, end: int, from_square: int, side: int) -> int:
    """Steps ahead that do not promote, single and double."""
    step = int64(PAWN_STEP[side])
    ahead = from_square + step
    if board.squares[ahead] == EMPTY and not is_last_rank(ahead):
        lists.moves[end] = from_square | ahead << TO_SHIFT
        end += 1
        if is_first_pawn_rank(from_square, side) and board.squares[ahead + step] == EMPTY:
            lists.moves[end] = from_square | (ahead + step) << TO_SHIFT | DOUBLE_PUSH
            end += 1
    return end
