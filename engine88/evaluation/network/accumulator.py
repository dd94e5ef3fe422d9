"""The hidden layer, kept up to date: built from a near position where there is one, else from the pieces.

Only positions that are evaluated get an accumulator. `accumulate` looks back along the line for the nearest position
that has one and makes up for the moves between; when a side's king changes its view of the board, all its features have
other weights, and the accumulator is made from the last one of that view ("Finny tables", first seen in Koivisto).
"""

import numpy as np
from numpy.typing import NDArray

from engine88.board.defs import EMPTY, KING, NO_MOVE, PAWN, ROOK
from engine88.board.moves import CAPTURE, CASTLING, PROMOTION_SHIFT, SQUARE_MASK, TO_SHIFT, captured_square
from engine88.board.record import Board, king_square
from engine88.board.squares import on_board
from engine88.compiler.cache_folder import DEBUG
from engine88.compiler.intrinsics import int16_array, prefetch
from engine88.compiler.jit import assertion, inlined, int64, kernel, uint64
from engine88.evaluation.network.layout import (
    BIAS_ROW,
    BLOCK,
    FEATURE_ROW,
    FEATURE_TABLE,
    MOST_WIDTH,
    ROWS,
    SLOTS,
    VIEWS,
    NetworkState,
)
from engine88.evaluation.network.network_file import FEATURES
from engine88.rules.castling import castled_king, castled_rook

CACHE_LINE = 64
PREFETCHED_LINES = 4
"""Lines of the cache at the start of a row of weights; reading them lets the processor prefetch the others."""
MOST_STEPS = 8
"""Moves that are made up for one by one; a position farther away costs as much as a new start."""


@inlined
def width_of(state: NetworkState) -> int:
    """Return the neurons for each side; the mask shows the compiler that they are whole blocks, which fit vectors."""
    return int64(state.width) & -BLOCK


@inlined
def weights_of(state: NetworkState) -> NDArray[np.int16]:
    """Return all rows of weights as one array, as long as a network with the most king buckets."""
    weights: NDArray[np.int16] = int16_array(state.address, ROWS * width_of(state))
    return weights


@inlined
def accumulator_at(state: NetworkState, height: int, perspective: int) -> int:
    """Return the index of the first value of the accumulator of a height of the line."""
    return (2 * (height & (SLOTS - 1)) + perspective) * width_of(state)


@inlined
def view_of(state: NetworkState, perspective: int, king: int) -> int:
    """Return how a side with its king on that square sees the board."""
    return int64(state.views[uint64(perspective), uint64(king)])


@inlined
def feature_row(state: NetworkState, perspective: int, view: int, piece: int, square: int) -> int:
    """Return the index of the first weight of a piece on a square."""
    if DEBUG:
        assert piece != EMPTY, "a feature of an empty square"
        assert on_board(square), "a feature of a square off the board"
    feature = int64(FEATURE_TABLE[uint64(perspective), uint64(view & 1), uint64(piece), uint64(square)])
    return (FEATURE_ROW + (view >> 1) * FEATURES + feature) * width_of(state)


@kernel
def accumulate(board: Board, state: NetworkState, perspective: int) -> None:
    """Make the accumulator of the position on the board valid for one side's view."""
    height = int64(board.stack_size)
    if state.keys[uint64(height & (SLOTS - 1)), uint64(perspective)] == board.key:
        return
    king = int64(board.pieces[uint64(perspective), 0])
    view = view_of(state, perspective, king)
    start = _nearest(board, state, perspective, king)
    if start < 0:
        _refresh(board, state, perspective, view)
        state.keys[uint64(height & (SLOTS - 1)), uint64(perspective)] = board.key
        return
    for ply in range(start, height):
        _step(board, state, perspective, view, ply)
        key = board.keys[uint64(ply + 1)] if ply + 1 < height else board.key
        state.keys[uint64((ply + 1) & (SLOTS - 1)), uint64(perspective)] = key


@inlined
def _nearest(board: Board, state: NetworkState, perspective: int, king: int) -> int:
    """Return the height of the nearest position with a valid accumulator of the same view, -1 if there is none near."""
    height = int64(board.stack_size)
    view = view_of(state, perspective, king)
    side = int64(board.side)
    for back in range(1, min(int64(MOST_STEPS), height) + 1):
        ply = height - back
        side = 1 - side
        move = int64(board.moves[uint64(ply)])
        if side == perspective and move != NO_MOVE:
            king = _king_before(king, move)
            if view_of(state, perspective, king) != view:
                return int64(-1)
        if state.keys[uint64(ply & (SLOTS - 1)), uint64(perspective)] == board.keys[uint64(ply)]:
            return ply
    return int64(-1)


@inlined
def _king_before(king: int, move: int) -> int:
    """Return where the king of the side that moved stood before the move."""
    from_square = move & SQUARE_MASK
    to_square = move >> TO_SHIFT & SQUARE_MASK
    if move & CASTLING:
        return from_square
    return from_square if to_square == king else king


@inlined
def _piece_at(board: Board, square: int, height: int, color: int) -> int:
    """Return the piece of `color` that stood on a square at a height of the line, followed through the moves since."""
    for ply in range(height, int64(board.stack_size)):
        move = int64(board.moves[uint64(ply)])
        if move == NO_MOVE:
            continue
        from_square = move & SQUARE_MASK
        to_square = move >> TO_SHIFT & SQUARE_MASK
        if move & CASTLING:
            if square == from_square:
                return color << 3 | KING
            if square == to_square:
                return color << 3 | ROOK
        elif square == from_square:
            if move >> PROMOTION_SHIFT & 7:
                return color << 3 | PAWN
            square = to_square
        elif move & CAPTURE and square == captured_square(move):
            return int64(board.captured[uint64(ply)])
    return int64(board.squares[uint64(square)])


@inlined
def _step(board: Board, state: NetworkState, perspective: int, view: int, ply: int) -> None:
    """Make the accumulator of height `ply + 1` from that of `ply`."""
    move = int64(board.moves[uint64(ply)])
    color = int64(board.side) ^ ((int64(board.stack_size) - ply) & 1)
    from_square = move & SQUARE_MASK
    to_square = move >> TO_SHIFT & SQUARE_MASK
    if move == NO_MOVE:
        _copy(state, perspective, ply)
    elif move & CASTLING:
        king, rook = color << 3 | KING, color << 3 | ROOK
        _move_two(
            state,
            perspective,
            ply,
            feature_row(state, perspective, view, king, from_square),
            feature_row(state, perspective, view, rook, to_square),
            feature_row(state, perspective, view, king, castled_king(from_square, to_square)),
            feature_row(state, perspective, view, rook, castled_rook(from_square, to_square)),
        )
    else:
        promoted = move >> PROMOTION_SHIFT & 7
        after = color << 3 | promoted if promoted else _piece_at(board, to_square, ply + 1, color)
        gone = feature_row(state, perspective, view, color << 3 | PAWN if promoted else after, from_square)
        come = feature_row(state, perspective, view, after, to_square)
        if move & CAPTURE:
            victim = int64(board.captured[uint64(ply)])
            taken = feature_row(state, perspective, view, victim, captured_square(move))
            _move_and_take(state, perspective, ply, gone, taken, come)
        else:
            _move_one(state, perspective, ply, gone, come)


@inlined
def _copy(state: NetworkState, perspective: int, ply: int) -> None:
    """Carry an accumulator on to the next height."""
    values = state.accumulators
    old, new = accumulator_at(state, ply, perspective), accumulator_at(state, ply + 1, perspective)
    for i in range(width_of(state)):
        values[uint64(new + i)] = values[uint64(old + i)]


@inlined
def _move_one(state: NetworkState, perspective: int, ply: int, gone: int, come: int) -> None:
    """Carry an accumulator on, one feature gone and one come."""
    weights, values = weights_of(state), state.accumulators
    old, new = accumulator_at(state, ply, perspective), accumulator_at(state, ply + 1, perspective)
    for i in range(width_of(state)):
        values[uint64(new + i)] = values[uint64(old + i)] - weights[uint64(gone + i)] + weights[uint64(come + i)]


@inlined
def _move_and_take(state: NetworkState, perspective: int, ply: int, gone: int, taken: int, come: int) -> None:
    """Carry an accumulator on, two features gone and one come."""
    weights, values = weights_of(state), state.accumulators
    old, new = accumulator_at(state, ply, perspective), accumulator_at(state, ply + 1, perspective)
    for i in range(width_of(state)):
        value = values[uint64(old + i)] - weights[uint64(gone + i)] - weights[uint64(taken + i)]
        values[uint64(new + i)] = value + weights[uint64(come + i)]


@inlined
def _move_two(
    state: NetworkState, perspective: int, ply: int, gone_1: int, gone_2: int, come_1: int, come_2: int
) -> None:
    """Carry an accumulator on, two features gone and two come."""
    weights, values = weights_of(state), state.accumulators
    old, new = accumulator_at(state, ply, perspective), accumulator_at(state, ply + 1, perspective)
    for i in range(width_of(state)):
        value = values[uint64(old + i)] - weights[uint64(gone_1 + i)] - weights[uint64(gone_2 + i)]
        values[uint64(new + i)] = value + weights[uint64(come_1 + i)] + weights[uint64(come_2 + i)]


@kernel
def _refresh(board: Board, state: NetworkState, perspective: int, view: int) -> None:
    """Make the accumulator of the board from the last one that was made for this view.

    The weights of all pieces that differ are prefetched before the first is added.
    """
    weights, values = weights_of(state), state.cached
    cached = (VIEWS * perspective + view) * width_of(state)
    gone_count, come_count = _changed_rows(board, state, perspective, view)
    pairs = min(gone_count, come_count)
    for i in range(pairs):
        gone, come = int64(state.gone[uint64(i)]), int64(state.come[uint64(i)])
        for j in range(width_of(state)):
            values[uint64(cached + j)] += weights[uint64(come + j)] - weights[uint64(gone + j)]
    for i in range(pairs, gone_count):
        gone = int64(state.gone[uint64(i)])
        for j in range(width_of(state)):
            values[uint64(cached + j)] -= weights[uint64(gone + j)]
    for i in range(pairs, come_count):
        come = int64(state.come[uint64(i)])
        for j in range(width_of(state)):
            values[uint64(cached + j)] += weights[uint64(come + j)]
    here = accumulator_at(state, int64(board.stack_size), perspective)
    for j in range(width_of(state)):
        state.accumulators[uint64(here + j)] = values[uint64(cached + j)]


@inlined
def _changed_rows(board: Board, state: NetworkState, perspective: int, view: int) -> tuple[int, int]:
    """Note the pieces that are gone and that have come since this view was cached; return their numbers."""
    known = state.cached_squares
    gone, come = int64(0), int64(0)
    for first in range(0, 128, 16):
        changed = int64(0)
        for square in range(first, first + 8):
            known_piece = known[uint64(perspective), uint64(view), uint64(square)]
            changed |= int64(known_piece ^ board.squares[uint64(square)])
        if not changed:
            continue
        for square in range(first, first + 8):
            before = int64(known[uint64(perspective), uint64(view), uint64(square)])
            now = int64(board.squares[uint64(square)])
            if before == now:
                continue
            known[uint64(perspective), uint64(view), uint64(square)] = now
            if before != EMPTY:
                state.gone[uint64(gone)] = _prefetched_row(state, perspective, view, before, int64(square))
                gone += 1
            if now != EMPTY:
                state.come[uint64(come)] = _prefetched_row(state, perspective, view, now, int64(square))
                come += 1
    return gone, come


@inlined
def _prefetched_row(state: NetworkState, perspective: int, view: int, piece: int, square: int) -> int:
    """Return the index of the first weight of a piece on a square, whose first lines are prefetched."""
    row = feature_row(state, perspective, view, piece, square)
    address = uint64(state.address) + uint64(2 * row)
    for line in range(PREFETCHED_LINES):
        prefetch(address + uint64(CACHE_LINE * line))
    return row


@assertion
def assert_accumulator(board: Board, state: NetworkState, perspective: int) -> None:
    """Raise AssertionError unless the accumulator is the sum of all features; called under ENGINE88_DEBUG=1 only."""
    width, height = width_of(state), int64(board.stack_size)
    assert 0 < width <= MOST_WIDTH, "a network wider than its accumulators"
    assert state.keys[height & (SLOTS - 1), perspective] == board.key, "the accumulator is of another position"
    view = view_of(state, perspective, king_square(board, perspective))
    weights, here = weights_of(state), accumulator_at(state, height, perspective)
    for i in range(width):
        total = int64(weights[BIAS_ROW * width + i])
        for color in range(2):
            for place in range(int64(board.list_sizes[color])):
                square = int64(board.pieces[color, place])
                total += int64(weights[feature_row(state, perspective, view, int64(board.squares[square]), square) + i])
        assert total == int64(state.accumulators[here + i]), "the accumulator differs from the sum of its features"
