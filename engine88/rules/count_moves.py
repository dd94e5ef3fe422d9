"""Count the legal moves of a position without generating them, for the last ply of perft.

Pins are found once, from the enemy's line pieces by difference; then every piece that is not pinned counts its
destinations, a pinned one those on its line, and only the king tests whether a square is attacked.
"""

from engine88.board.attack_tables import (
    ATTACK_MASK,
    FIRST_STEP,
    LAST_STEP,
    LINE_BIT,
    ORIGIN,
    PAWN_STEP,
    RAY_STEP,
    STEPS,
)
from engine88.board.attacks import attacks_square
from engine88.board.defs import EAST, EMPTY, KING, KNIGHT, NO_SQUARE, PAWN, QUEEN, ROOK, WEST
from engine88.board.move_list import MoveList
from engine88.board.record import Board, king_square
from engine88.board.squares import on_board, to_64
from engine88.compiler.jit import inlined, int64, kernel
from engine88.rules.castling import can_castle
from engine88.rules.en_passant import en_passant_is_safe
from engine88.rules.movegen import is_legal_generated, king_step_is_safe
from engine88.rules.movegen_evasions import generate_evasions
from engine88.rules.pawn_moves import is_first_pawn_rank, is_last_rank

_IN_CHECK = -1


@kernel
def count_legal(board: Board, lists: MoveList, start: int) -> int:
    """Return the number of legal moves; `lists` from `start` on is scratch space, used in check only."""
    pinned = _find_pinned(board)
    if pinned == _IN_CHECK:
        return _count_evasions(board, lists, start)
    side = int64(board.side)
    king = king_square(board, side)
    total = _count_king_steps(board, king, side)
    for place in range(1, int64(board.list_sizes[side])):
        from_square = int64(board.pieces[side, place])
        piece_type = int64(board.squares[from_square]) & 7
        if pinned >> to_64(from_square) & 1:
            total += _count_pinned(board, from_square, piece_type, side, king)
        elif piece_type == PAWN:
            total += _count_pawn(board, from_square, side)
        elif piece_type == KNIGHT:
            total += _count_knight(board, from_square, side)
        else:
            total += _count_slider(board, from_square, piece_type, side)
    if board.en_passant != NO_SQUARE:
        total += _count_en_passant(board, side)
    rights = int64(board.castling_rights) >> (2 * side) & 3
    if rights & 1:
        total += can_castle(board, 2 * side)
    if rights & 2:
        total += can_castle(board, 2 * side + 1)
    return total


@kernel
def _find_pinned(board: Board) -> int:
    """Return the pinned pieces of the side to move as bits by their 0..63 index, or _IN_CHECK.

    A pinned piece stands between two others, so never on h8: bit 63 is left for the sign of _IN_CHECK.
    """
    side = int64(board.side)
    king = king_square(board, side)
    pinned = int64(0)
    for place in range(int64(board.list_sizes[1 - side])):
        from_square = int64(board.pieces[1 - side, place])
        piece = int64(board.squares[from_square])
        if LINE_BIT[piece] == 0:
            if attacks_square(board, from_square, king):
                return int64(_IN_CHECK)
            continue
        if ATTACK_MASK[king - from_square + ORIGIN] & LINE_BIT[piece] == 0:
            continue
        step = int64(RAY_STEP[king - from_square + ORIGIN])
        between = from_square + step
        while board.squares[between] == EMPTY:
            between += step
        if between == king:
            return int64(_IN_CHECK)
        if int64(board.squares[between]) >> 3 == side:
            shield = between
            between += step
            while board.squares[between] == EMPTY:
                between += step
            if between == king:
                pinned |= int64(1) << to_64(shield)
    return pinned


@inlined
def _count_evasions(board: Board, lists: MoveList, start: int) -> int:
    total = int64(0)
    for index in range(start, generate_evasions(board, lists, start)):
        total += is_legal_generated(board, int64(lists.moves[index]))
    return total


@inlined
def _count_king_steps(board: Board, king: int, side: int) -> int:
    total = int64(0)
    for index in range(FIRST_STEP[KING], LAST_STEP[KING]):
        to_square = king + int64(STEPS[index])
        if on_board(to_square):
            piece = int64(board.squares[to_square])
            if piece == EMPTY or piece >> 3 != side:
                total += king_step_is_safe(board, king, to_square)
    return total


@inlined
def _count_knight(board: Board, from_square: int, side: int) -> int:
    total = int64(0)
    for index in range(8):
        to_square = from_square + int64(STEPS[index])
        if on_board(to_square):
            piece = int64(board.squares[to_square])
            total += piece == EMPTY or piece >> 3 != side
    return total


@inlined
def _count_slider(board: Board, from_square: int, piece_type: int, side: int) -> int:
    total = int64(0)
    for index in range(FIRST_STEP[piece_type], LAST_STEP[piece_type]):
        step = int64(STEPS[index])
        to_square = from_square + step
        while on_board(to_square):
            piece = int64(board.squares[to_square])
            if piece != EMPTY:
                total += piece >> 3 != side
                break
            total += 1
            to_square += step
    return total


@inlined
def _count_pawn(board: Board, from_square: int, side: int) -> int:
    step = int64(PAWN_STEP[side])
    ahead = from_square + step
    total = int64(0)
    for to_square in (ahead + WEST, ahead + EAST):
        if on_board(to_square):
            piece = int64(board.squares[to_square])
            total += piece != EMPTY and piece >> 3 != side
    if board.squares[ahead] == EMPTY:
        total += 1
        if is_first_pawn_rank(from_square, side):
            total += board.squares[ahead + step] == EMPTY
    return total * 4 if is_last_rank(ahead) else total


@kernel
def _count_pinned(board: Board, from_square: int, piece_type: int, side: int, king: int) -> int:
    """Return the number of moves of a pinned piece along the line of the pin."""
    step = int64(RAY_STEP[from_square - king + ORIGIN])
    if piece_type == PAWN:
        return _count_pinned_pawn(board, from_square, side, step)
    if piece_type == KNIGHT or (piece_type != QUEEN and (piece_type == ROOK) != _is_straight(step)):
        return int64(0)
    total = int64(0)
    walk = from_square - step
    while walk != king:
        total += 1
        walk -= step
    walk = from_square + step
    while board.squares[walk] == EMPTY:
        total += 1
        walk += step
    return total + 1


@inlined
def _is_straight(step: int) -> bool:
    """Return whether a step goes along a rank or file."""
    return step & 15 == 0 or step in (EAST, WEST)


@inlined
def _count_pinned_pawn(board: Board, from_square: int, side: int, line: int) -> int:
    step = int64(PAWN_STEP[side])
    ahead = from_square + step
    total = int64(0)
    if line == step or line == -step:
        if board.squares[ahead] == EMPTY:
            total = int64(1)
            if is_first_pawn_rank(from_square, side):
                total += board.squares[ahead + step] == EMPTY
        return total
    for to_square in (ahead + WEST, ahead + EAST):
        if to_square - from_square == line and board.squares[to_square] != EMPTY:
            total = int64(4 if is_last_rank(to_square) else 1)
    return total


@kernel
def _count_en_passant(board: Board, side: int) -> int:
    target = int64(board.en_passant)
    behind = target - int64(PAWN_STEP[side])
    total = int64(0)
    for from_square in (behind + WEST, behind + EAST):
        if on_board(from_square) and board.squares[from_square] == side << 3 | PAWN:
            total += en_passant_is_safe(board, from_square, target)
    return total
