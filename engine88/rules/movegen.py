"""Move generation in stages, by walking offsets from each piece of the list.

Captures and quiets are pseudo-legal: a pinned piece may leave its line and the king may step into an attack, which
`is_legal_generated` finds. Castling is generated legal.
"""

from engine88.board.attack_tables import ORIGIN, RAY_STEP
from engine88.board.attacks import in_check, is_attacked, pinned_step
from engine88.board.defs import EMPTY, PAWN
from engine88.board.move_list import MoveList
from engine88.board.moves import CASTLING, EN_PASSANT, SQUARE_MASK, TO_SHIFT
from engine88.board.record import Board, king_square
from engine88.compiler.jit import entry, int64, kernel, uint64
from engine88.rules.castling import add_castling
from engine88.rules.en_passant import en_passant_is_safe
from engine88.rules.movegen_evasions import generate_evasions
from engine88.rules.pawn_moves import add_en_passant, add_pawn_captures, add_pawn_promotions, add_pawn_pushes
from engine88.rules.piece_moves import add_captures, add_quiets


@kernel
def generate_captures(board: Board, lists: MoveList, start: int) -> int:
    """Write captures and all promotions from `start` on, pseudo-legal; returns the end."""
    side = int64(board.side)
    end = int64(start)
    for place in range(int64(board.list_sizes[uint64(side)])):
        from_square = int64(board.pieces[uint64(side), uint64(place)])
        piece_type = int64(board.squares[uint64(from_square)]) & 7
        if piece_type == PAWN:
            end = add_pawn_captures(board, lists, end, from_square, side)
            end = add_pawn_promotions(board, lists, end, from_square, side)
        else:
            end = add_captures(board, lists, end, from_square, piece_type, side)
    return add_en_passant(board, lists, end, side)


@kernel
def generate_quiets(board: Board, lists: MoveList, start: int) -> int:
    """Write all other moves, pseudo-legal, castling legal; the side to move must not be in check. Returns the end."""
    side = int64(board.side)
    end = int64(start)
    for place in range(int64(board.list_sizes[uint64(side)])):
        from_square = int64(board.pieces[uint64(side), uint64(place)])
        piece_type = int64(board.squares[uint64(from_square)]) & 7
        if piece_type == PAWN:
            end = add_pawn_pushes(board, lists, end, from_square, side)
        else:
            end = add_quiets(board, lists, end, from_square, piece_type)
    if board.castling_rights:
        end = add_castling(board, lists, end)
    return end


@kernel
def king_step_is_safe(board: Board, from_square: int, to_square: int) -> bool:
    """Return whether the king of the side to move is not attacked on `to_square`, with its old square empty."""
    side = int64(board.side)
    king = board.squares[uint64(from_square)]
    board.squares[uint64(from_square)] = EMPTY
    safe = not is_attacked(board, to_square, 1 - side)
    board.squares[uint64(from_square)] = king
    return safe


@kernel
def is_legal_generated(board: Board, move: int) -> bool:
    """Return whether a generated pseudo-legal move is legal; only pins and king steps are tested."""
    side = int64(board.side)
    from_square = move & SQUARE_MASK
    to_square = move >> TO_SHIFT & SQUARE_MASK
    king = king_square(board, side)
    if move & (EN_PASSANT | CASTLING):
        return move & CASTLING != 0 or en_passant_is_safe(board, from_square, to_square)
    if from_square == king:
        return king_step_is_safe(board, from_square, to_square)
    if RAY_STEP[uint64(from_square - king + ORIGIN)] == 0:
        return True
    step = pinned_step(board, from_square, side)
    return step == 0 or step == RAY_STEP[uint64(to_square - king + ORIGIN)]


@kernel
def generate_pseudo(board: Board, lists: MoveList, start: int) -> int:
    """Write every move that passes `is_legal_generated` or fails it: evasions in check, captures and quiets else."""
    if in_check(board):
        return generate_evasions(board, lists, start)
    return generate_quiets(board, lists, generate_captures(board, lists, start))


@entry
def generate_legal(board: Board, lists: MoveList, start: int) -> int:
    """Write all legal moves from `start` on; returns the end."""
    pseudo_end = generate_pseudo(board, lists, start)
    end = int64(start)
    for index in range(start, pseudo_end):
        move = int64(lists.moves[uint64(index)])
        if is_legal_generated(board, move):
            lists.moves[uint64(end)] = move
            end += 1
    return end
