"""Whether a move gives check, before it is made: directly by the moving piece, or by the line it uncovers."""

from engine88.board.attack_tables import ATTACK_MASK, LINE_BIT, ORIGIN, PIECE_BIT, RAY_STEP
from engine88.board.attacks import in_check, path_is_clear
from engine88.board.defs import EMPTY
from engine88.board.moves import CASTLING, EN_PASSANT, PROMOTION_SHIFT, SQUARE_MASK, TO_SHIFT
from engine88.board.record import Board, king_square
from engine88.board.squares import on_board
from engine88.compiler.jit import entry, inlined, int64, uint64
from engine88.rules.make_move import make_move_without_keys, unmake_move_without_keys


@entry
def gives_check(board: Board, move: int) -> bool:
    """Return whether the legal move `move` of the side to move gives check."""
    if move & (CASTLING | EN_PASSANT):  # two pieces leave their squares: rare enough to try it out
        make_move_without_keys(board, move)
        result = in_check(board)
        unmake_move_without_keys(board)
        return result
    side = int64(board.side)
    from_square = move & SQUARE_MASK
    to_square = move >> TO_SHIFT & SQUARE_MASK
    king = king_square(board, 1 - side)
    return gives_direct_check(board, move, king) or _uncovers_check(board, king, from_square, to_square, side)


@inlined
def gives_direct_check(board: Board, move: int, king: int) -> bool:
    """Return whether the piece that moves attacks the king of the opponent, on `king`, from its target.

    In castling that piece is the king; the captured pawn of an en passant capture is taken for still there.
    """
    side = int64(board.side)
    origin = uint64(move & SQUARE_MASK)
    to_square = move >> TO_SHIFT & SQUARE_MASK
    mover = board.squares[origin]
    promoted = move >> PROMOTION_SHIFT & 7
    arriving = side << 3 | promoted if promoted else int64(mover)
    if not ATTACK_MASK[uint64(king - to_square + ORIGIN)] & PIECE_BIT[uint64(arriving)]:
        return False
    board.squares[origin] = EMPTY  # a promoted queen looks back through the square the pawn left
    result = path_is_clear(board, to_square, king)
    board.squares[origin] = mover
    return bool(result)


@inlined
def _uncovers_check(board: Board, king: int, from_square: int, to_square: int, side: int) -> bool:
    """Return whether a line piece of `side` sees the king once the piece between them leaves that line."""
    step = int64(RAY_STEP[uint64(from_square - king + ORIGIN)])
    if step == 0 or RAY_STEP[uint64(to_square - king + ORIGIN)] == step:
        return False
    walk = king + step
    while on_board(walk):
        piece = int64(board.squares[uint64(walk)])
        if piece != EMPTY and walk != from_square:
            return bool(piece >> 3 == side and ATTACK_MASK[uint64(king - walk + ORIGIN)] & LINE_BIT[uint64(piece)] != 0)
        walk += step
    return False
