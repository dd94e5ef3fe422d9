"""Legality of any number as a move, for moves from the transposition table and from files."""

from engine88.board.attack_tables import ATTACK_MASK, ORIGIN, PAWN_STEP, PIECE_BIT
from engine88.board.attacks import attacks_square, in_check, is_attacked_except
from engine88.board.defs import EMPTY, KNIGHT, PAWN, QUEEN
from engine88.board.moves import (
    CAPTURE,
    CASTLING,
    DOUBLE_PUSH,
    EN_PASSANT,
    MOVE_BITS,
    PROMOTION_SHIFT,
    SPECIAL,
    SQUARE_MASK,
    TO_SHIFT,
)
from engine88.board.record import Board, king_square
from engine88.board.squares import on_board
from engine88.compiler.jit import entry, inlined, int64, kernel
from engine88.rules.castling import can_castle
from engine88.rules.en_passant import en_passant_is_safe
from engine88.rules.movegen import king_step_is_safe
from engine88.rules.pawn_moves import is_first_pawn_rank, is_last_rank

_FLAG_BITS = SPECIAL | CAPTURE


@entry
def is_legal(board: Board, move: int) -> bool:
    """Return whether `move`, any integer, is exactly the code of a legal move of the side to move."""
    if move <= 0 or move >> MOVE_BITS:
        return False
    from_square = move & SQUARE_MASK
    to_square = move >> TO_SHIFT & SQUARE_MASK
    if not (on_board(from_square) and on_board(to_square)):
        return False
    side = int64(board.side)
    piece = int64(board.squares[from_square])
    if piece == EMPTY or piece >> 3 != side:
        return False
    if move & CASTLING:
        return _is_legal_castling(board, move, from_square, to_square)
    if piece & 7 == PAWN:
        possible = _is_pawn_move(board, move, from_square, to_square)
    else:
        possible = _is_piece_move(board, move, from_square, to_square)
    return possible and _king_is_safe_after(board, move, from_square, to_square)


@inlined
def _is_legal_castling(board: Board, move: int, king: int, rook: int) -> bool:
    side = int64(board.side)
    if move >> PROMOTION_SHIFT << PROMOTION_SHIFT != CASTLING or king != king_square(board, side) or in_check(board):
        return False
    for wing in range(2 * side, 2 * side + 2):
        if int64(board.castling_rights) >> wing & 1 and rook == board.castling_rooks[wing]:
            return can_castle(board, wing)
    return False


@inlined
def _is_piece_move(board: Board, move: int, from_square: int, to_square: int) -> bool:
    target = int64(board.squares[to_square])
    expected = CAPTURE if target != EMPTY else 0
    if move >> PROMOTION_SHIFT << PROMOTION_SHIFT != expected:
        return False
    if target != EMPTY and target >> 3 == board.side:
        return False
    return attacks_square(board, from_square, to_square)


@kernel
def _is_pawn_move(board: Board, move: int, from_square: int, to_square: int) -> bool:
    promoted = move >> PROMOTION_SHIFT & 7
    if is_last_rank(to_square) != (KNIGHT <= promoted <= QUEEN) or (promoted and not is_last_rank(to_square)):
        return False
    side = int64(board.side)
    flags = move & _FLAG_BITS
    target = int64(board.squares[to_square])
    step = int64(PAWN_STEP[side])
    if flags & CAPTURE:
        if ATTACK_MASK[to_square - from_square + ORIGIN] & PIECE_BIT[side << 3 | PAWN] == 0:
            return False
        if flags == CAPTURE | EN_PASSANT:
            return bool(to_square == board.en_passant)
        return flags == CAPTURE and target != EMPTY and target >> 3 != side
    if target != EMPTY:
        return False
    if flags == DOUBLE_PUSH:
        is_double = is_first_pawn_rank(from_square, side) and to_square == from_square + 2 * step
        return is_double and board.squares[from_square + step] == EMPTY
    return flags == 0 and to_square == from_square + step


@inlined
def _king_is_safe_after(board: Board, move: int, from_square: int, to_square: int) -> bool:
    side = int64(board.side)
    king = king_square(board, side)
    if move & EN_PASSANT:
        return en_passant_is_safe(board, from_square, to_square)
    if from_square == king:
        return king_step_is_safe(board, from_square, to_square)
    mover, target = board.squares[from_square], board.squares[to_square]
    board.squares[from_square] = EMPTY
    board.squares[to_square] = mover
    safe = not is_attacked_except(board, king, 1 - side, to_square)
    board.squares[from_square] = mover
    board.squares[to_square] = target
    return safe
