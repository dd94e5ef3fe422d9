"""En passant: two pieces leave a line at once, so its legality is tested by trying it on the squares."""

from engine88.board.attack_tables import PAWN_STEP
from engine88.board.attacks import is_attacked_except
from engine88.board.defs import EAST, EMPTY, NO_SQUARE, PAWN, WEST
from engine88.board.moves import EN_PASSANT_XOR
from engine88.board.record import Board, king_square
from engine88.board.squares import on_board
from engine88.compiler.jit import entry, int64, kernel


@kernel
def en_passant_is_safe(board: Board, from_square: int, to_square: int) -> bool:
    """Return whether capturing en passant from `from_square` leaves the own king out of check."""
    pawn = int64(board.squares[from_square])
    color = pawn >> 3
    victim = to_square ^ EN_PASSANT_XOR
    victim_piece = int64(board.squares[victim])
    board.squares[from_square] = EMPTY
    board.squares[victim] = EMPTY
    board.squares[to_square] = pawn
    safe = not is_attacked_except(board, king_square(board, color), 1 - color, victim)
    board.squares[from_square] = pawn
    board.squares[victim] = victim_piece
    board.squares[to_square] = EMPTY
    return safe


@entry
def usable_en_passant(board: Board, target: int) -> int:
    """Return `target` if the side to move has a legal en-passant capture there, else NO_SQUARE."""
    side = int64(board.side)
    pawn = side << 3 | PAWN
    behind = target - int64(PAWN_STEP[side])
    for from_square in (behind + WEST, behind + EAST):
        is_there = on_board(from_square) and board.squares[from_square] == pawn
        if is_there and en_passant_is_safe(board, from_square, target):
            return target
    return int64(NO_SQUARE)
