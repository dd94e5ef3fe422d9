"""Squares attacked by lesser pieces: a quiet move that leaves one is tried early, one that enters one late.

The sets are bitboards (bit 0 is a1, bit 63 is h8), because they are asked for every quiet move of a node.
"""

from engine88.board.defs import (
    BISHOP,
    BLACK,
    EAST,
    EMPTY,
    KNIGHT,
    NORTH,
    PAWN,
    QUEEN,
    ROOK,
    SOUTH,
    WEST,
)
from engine88.board.moves import from_square, to_square
from engine88.board.record import Board
from engine88.board.squares import on_board, to_64, type_of
from engine88.compiler.jit import inlined, int64, kernel, uint64
from engine88.search.params import ORDER_MINOR_THREAT, ORDER_QUEEN_THREAT, ORDER_ROOK_THREAT
from engine88.search.search_state import SearchState

_KNIGHT_STEPS = (
    2 * NORTH + EAST,
    2 * NORTH + WEST,
    2 * SOUTH + EAST,
    2 * SOUTH + WEST,
    NORTH + 2 * EAST,
    NORTH + 2 * WEST,
    SOUTH + 2 * EAST,
    SOUTH + 2 * WEST,
)
_ONE = uint64(1)


@inlined
def _bit(square: int) -> int:
    return _ONE << uint64(to_64(square))


@inlined
def _step_attacks(origin: int, step: int) -> int:
    """Return the square one step from `origin` as a bitboard, empty off the board."""
    target = origin + step
    return _bit(target) if on_board(target) else uint64(0)


@inlined
def _knight_attacks(origin: int) -> int:
    attacks = uint64(0)
    for step in _KNIGHT_STEPS:
        attacks |= _step_attacks(origin, int64(step))
    return attacks


@inlined
def _ray_attacks(board: Board, origin: int, step: int) -> int:
    """Return the squares from `origin` in one direction, up to the first piece."""
    attacks, target = uint64(0), origin + step
    while on_board(target):
        attacks |= _bit(target)
        if board.squares[uint64(target)] != EMPTY:
            break
        target += step
    return attacks


@inlined
def _line_attacks(board: Board, origin: int, first: int, second: int) -> int:
    """Return the squares that a bishop or rook attacks along two lines, given by a step each."""
    forward = _ray_attacks(board, origin, first) | _ray_attacks(board, origin, second)
    return forward | _ray_attacks(board, origin, -first) | _ray_attacks(board, origin, -second)


@kernel
def lesser_attacks(board: Board) -> tuple[int, int, int]:
    """Return the squares that the opponent attacks: by pawns; by those or minor pieces; by those or rooks."""
    them = 1 - int64(board.side)
    forward = int64(SOUTH) if them == BLACK else int64(NORTH)
    pawns, minors, rooks = uint64(0), uint64(0), uint64(0)
    for place in range(int64(board.list_sizes[uint64(them)])):
        origin = int64(board.pieces[uint64(them), uint64(place)])
        piece_type = type_of(int64(board.squares[uint64(origin)]))
        if piece_type == PAWN:
            pawns |= _step_attacks(origin, forward + EAST) | _step_attacks(origin, forward + WEST)
        elif piece_type == KNIGHT:
            minors |= _knight_attacks(origin)
        elif piece_type == BISHOP:
            minors |= _line_attacks(board, origin, int64(NORTH + EAST), int64(NORTH + WEST))
        elif piece_type == ROOK:
            rooks |= _line_attacks(board, origin, int64(NORTH), int64(EAST))
    return pawns, pawns | minors, pawns | minors | rooks


@inlined
def set_threats(board: Board, state: SearchState) -> None:
    """Set the squares that the opponent attacks with a lesser piece than the one that stands there, or goes there."""
    pawns, minors, rooks = lesser_attacks(board)
    state.threats[KNIGHT] = pawns
    state.threats[BISHOP] = pawns
    state.threats[ROOK] = minors
    state.threats[QUEEN] = rooks


@inlined
def threat_score(board: Board, state: SearchState, move: int) -> int:
    """Return the ordering points of a quiet move for the threats it leaves (more) and enters (fewer).

    `set_threats` must have been called for the position. A minor piece that enters an attack by a pawn is left to its
    history. Computed without branches, since the pieces of the moves follow no pattern that a processor could predict.
    """
    piece_type = type_of(int64(board.squares[uint64(from_square(move))]))
    attacked = state.threats[uint64(piece_type)]
    leaves = int64((attacked >> uint64(to_64(from_square(move)))) & _ONE)
    enters = int64((attacked >> uint64(to_64(to_square(move)))) & _ONE)
    greater = int64(piece_type == QUEEN) * ORDER_QUEEN_THREAT + int64(piece_type == ROOK) * ORDER_ROOK_THREAT
    minor = int64(piece_type < ROOK) * ORDER_MINOR_THREAT
    return leaves * (1 - enters) * (greater + minor) - enters * greater
