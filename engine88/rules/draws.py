"""Draws by rule: repetition, the fifty-move rule, positions in which no series of moves can mate."""

from engine88.board.attacks import in_check
from engine88.board.defs import BISHOP, BLACK, KNIGHT, PAWN, QUEEN, ROOK, WHITE
from engine88.board.record import Board
from engine88.compiler.jit import entry, inlined, int64, kernel

FIFTY_MOVES = 100
"""Plies without capture or pawn move after which either side may claim a draw."""
SEVENTY_FIVE_MOVES = 150
"""Plies after which the game is drawn without a claim."""


@entry
def repetitions(board: Board) -> int:
    """Return how often the position occurred before since the last irreversible move."""
    count = int64(0)
    now = int64(board.stack_size)
    first = now - min(now, int64(board.halfmove_clock))
    for index in range(now - 4, first - 1, -2):
        if board.keys[index] == board.key:
            count += 1
    return count


@inlined
def is_repetition(board: Board, ply: int) -> bool:
    """Return whether the position occurred within the last `ply` plies, or twice before that.

    Inside the search one repetition is enough: what could be repeated once can be repeated again.
    """
    now = int64(board.stack_size)
    first = now - min(now, int64(board.halfmove_clock))
    before_root = int64(0)
    for index in range(now - 4, first - 1, -2):
        if board.keys[index] == board.key:
            if index >= now - ply:
                return True
            before_root += 1
            if before_root == 2:
                return True
    return False


@entry
def is_dead_position(board: Board) -> bool:
    """Return whether neither side can ever mate: bare kings, one minor piece, or bishops on squares of one color."""
    counts = board.counts
    heavy = int64(0)
    minors = int64(0)
    for color in range(2):
        base = color << 3
        heavy += int64(counts[base | PAWN]) + int64(counts[base | ROOK]) + int64(counts[base | QUEEN])
        minors += int64(counts[base | KNIGHT]) + int64(counts[base | BISHOP])
    if heavy:
        return False
    if minors <= 1:
        return True
    return int64(counts[KNIGHT]) + int64(counts[BLACK << 3 | KNIGHT]) == 0 and _bishops_share_a_color(board)


@kernel
def _bishops_share_a_color(board: Board) -> bool:
    shades = int64(0)
    for color in (WHITE, BLACK):
        for place in range(1, int64(board.list_sizes[color])):
            square = int64(board.pieces[color, place])
            shades |= 1 << (((square >> 4) + square) & 1)
    return shades != 3


@kernel
def is_draw(board: Board, ply: int) -> bool:
    """Return whether the position, `ply` plies from the root of a search, is a draw by rule.

    At a hundred plies without progress a side in check may be mated: the search sees to that
    when it finds no move.
    """
    if board.halfmove_clock >= FIFTY_MOVES and not in_check(board):
        return True
    return is_repetition(board, ply) or is_dead_position(board)
