"""Moves and perft as all three representations share them."""

import functools
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from engine88.compiler.jit import jitable, kernel

MOST_MOVES = 256
"""No position has more moves than 218."""

Cells = np.ndarray[Any, Any]
"""A position, or several of them, one a row."""
Generate = Callable[[Cells, Cells], int]
Make = Callable[[Cells, int, Cells], None]
MayStand = Callable[[Cells], bool]


@jitable
def packed(start: int, target: int, promotion: int = 0) -> int:
    """Return a move: start and target in seven bits each, the type of the promoted piece above them."""
    return start | target << 7 | promotion << 14


@jitable
def start_of(move: int) -> int:
    """Return the square that a move leaves."""
    return move & 127


@jitable
def target_of(move: int) -> int:
    """Return the square that a move enters."""
    return move >> 7 & 127


@jitable
def promotion_of(move: int) -> int:
    """Return the type of the promoted piece, 0 for none."""
    return move >> 14


@kernel
def add(moves: Cells, count: int, start: int, target: int) -> int:
    """Append a move; return the new number of moves."""
    moves[count] = packed(start, target)
    return count + 1


@kernel
def add_pawn_move(moves: Cells, count: int, start: int, target: int, promotes: bool) -> int:
    """Append a pawn's move, four of them (knight to queen) if it promotes; return the new number of moves."""
    if not promotes:
        return add(moves, count, start, target)
    for piece_type in range(2, 6):
        moves[count] = packed(start, target, piece_type)
        count += 1
    return count


def perft(position: Cells, depth: int, generate: Generate, make: Make, may_stand: MayStand) -> int:
    """Return the number of move sequences of `depth` plies, at least one.

    `generate(position, moves)` writes pseudo-legal moves and returns their number, `make(position, move, child)` writes
    the position after one, and `may_stand(child)` says whether the side that moved left its king safe.
    """
    positions = np.zeros((depth + 1, position.size), position.dtype)
    positions[0] = position
    return int(_counter(generate, make, may_stand)(positions, np.zeros((depth + 1, MOST_MOVES), np.int32), depth))


@functools.cache
def _counter(generate: Generate, make: Make, may_stand: MayStand) -> Callable[[Cells, Cells, int], int]:
    """Return the compiled count for one representation: a loop with a stack of its own, so that one text serves all."""

    def count(positions: Cells, moves: Cells, depth: int) -> int:
        ends, following = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
        nodes = ply = 0
        ends[0] = generate(positions[0], moves[0])
        while ply >= 0:
            if following[ply] == ends[ply]:
                ply -= 1
                continue
            move = moves[ply, following[ply]]
            following[ply] += 1
            make(positions[ply], move, positions[ply + 1])
            if not may_stand(positions[ply + 1]):
                continue
            if ply + 1 == depth:
                nodes += 1
                continue
            ply += 1
            ends[ply] = generate(positions[ply], moves[ply])
            following[ply] = 0
        return nodes

    compiled: Callable[[Cells, Cells, int], int] = numba.njit(count)  # type: ignore[assignment]  # untyped
    return compiled
