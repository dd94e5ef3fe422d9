"""Evasions of a check: king steps, and against a single checker its capture or a piece in between.

Every piece but the king must land on one of few squares; one look-up of the difference shows whether it can.
"""

from engine88.board.attack_tables import FIRST_STEP, LAST_STEP, ORIGIN, PAWN_STEP, RAY_STEP, STEPS
from engine88.board.attacks import attacks_square, checkers
from engine88.board.defs import EAST, EMPTY, KING, NO_SQUARE, PAWN, WEST
from engine88.board.move_list import MoveList
from engine88.board.moves import CAPTURE, DOUBLE_PUSH, EN_PASSANT, TO_SHIFT
from engine88.board.record import Board, king_square
from engine88.board.squares import on_board
from engine88.compiler.jit import inlined, int64, kernel
from engine88.rules.pawn_moves import add_promotions, is_first_pawn_rank, is_last_rank


@kernel
def generate_evasions(board: Board, lists: MoveList, start: int) -> int:
    """Write the moves that may end a check; pins and king steps are left to `is_legal_generated`. Returns the end."""
    side = int64(board.side)
    king = king_square(board, side)
    count, checker = checkers(board)
    end = _add_king_steps(board, lists, start, king, side)
    if count == 1:
        end = _add_arrivals(board, lists, end, checker, int64(CAPTURE))
        if board.en_passant != NO_SQUARE:
            end = _add_en_passant(board, lists, end, side)
        step = int64(RAY_STEP[king - checker + ORIGIN])
        between = checker + step
        while step != 0 and between != king:
            end = _add_arrivals(board, lists, end, between, int64(0))
            end = _add_pushes(board, lists, end, between, side)
            between += step
    return end


@inlined
def _add_king_steps(board: Board, lists: MoveList, end: int, king: int, side: int) -> int:
    for index in range(FIRST_STEP[KING], LAST_STEP[KING]):
        to_square = king + int64(STEPS[index])
        if on_board(to_square):
            piece = int64(board.squares[to_square])
            if piece == EMPTY or piece >> 3 != side:
                lists.moves[end] = king | to_square << TO_SHIFT | (CAPTURE if piece != EMPTY else 0)
                end += 1
    return end


@kernel
def _add_arrivals(board: Board, lists: MoveList, end: int, target: int, capture: int) -> int:
    """Append the moves of all pieces but the king that attack `target`; pawns only if they capture there."""
    side = int64(board.side)
    for place in range(1, int64(board.list_sizes[side])):
        from_square = int64(board.pieces[side, place])
        is_pawn = int64(board.squares[from_square]) & 7 == PAWN
        if (is_pawn and capture == 0) or not attacks_square(board, from_square, target):
            continue
        move = from_square | target << TO_SHIFT | capture
        if is_pawn and is_last_rank(target):
            end = add_promotions(lists, end, move)
        else:
            lists.moves[end] = move
            end += 1
    return end


@inlined
def _add_pushes(board: Board, lists: MoveList, end: int, target: int, side: int) -> int:
    """Append the pawn pushes to the empty square `target`."""
    step = int64(PAWN_STEP[side])
    pawn = side << 3 | PAWN
    from_square = target - step
    if not on_board(from_square):
        return end
    if board.squares[from_square] == pawn:
        move = from_square | target << TO_SHIFT
        if is_last_rank(target):
            return add_promotions(lists, end, move)
        lists.moves[end] = move
        return end + 1
    if board.squares[from_square] == EMPTY:
        from_square -= step
        if is_first_pawn_rank(from_square, side) and board.squares[from_square] == pawn:
            lists.moves[end] = from_square | target << TO_SHIFT | DOUBLE_PUSH
            end += 1
    return end


@inlined
def _add_en_passant(board: Board, lists: MoveList, end: int, side: int) -> int:
    target = int64(board.en_passant)
    behind = target - int64(PAWN_STEP[side])
    for from_square in (behind + WEST, behind + EAST):
        if on_board(from_square) and board.squares[from_square] == side << 3 | PAWN:
            lists.moves[end] = from_square | target << TO_SHIFT | EN_PASSANT | CAPTURE
            end += 1
    return end
