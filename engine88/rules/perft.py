"""Perft: the number of move sequences of a given length, the classic proof of a move generator."""

from collections.abc import Callable

from engine88.board.invariants import assert_lists
from engine88.board.move_list import MoveList
from engine88.board.record import Board
from engine88.compiler.cache_folder import DEBUG
from engine88.compiler.jit import entry_of_commands, int64
from engine88.rules.count_moves import count_legal
from engine88.rules.make_move import make_move, make_move_without_keys, unmake_move, unmake_move_without_keys
from engine88.rules.movegen import generate_legal

UNINTERRUPTED_DEPTH = 4
"""Plies that are counted in one call of the kernel: a tenth of a second, of the richest positions a few."""


def stoppable_perft(board: Board, lists: MoveList, depth: int, is_stopped: Callable[[], bool], start: int = 0) -> int:
    """Return the number of move sequences, or fewer once `is_stopped` returns True; the upper plies run in Python."""
    if depth <= UNINTERRUPTED_DEPTH:
        return int(perft(board, lists, int64(depth), int64(start)))
    end = int(generate_legal(board, lists, int64(start)))
    total = 0
    for index in range(start, end):
        if is_stopped():
            break
        make_move(board, int64(lists.moves[index]))
        total += stoppable_perft(board, lists, depth - 1, is_stopped, end)
        unmake_move(board)
    return total


@entry_of_commands
def perft(board: Board, lists: MoveList, depth: int, start: int) -> int:
    """Return the number of move sequences of `depth` plies; moves of the last ply are counted, not generated."""
    if depth == 0:
        return int64(1)
    if depth == 1:
        return count_legal(board, lists, start)
    end = generate_legal(board, lists, start)
    total = int64(0)
    for index in range(start, end):
        make_move_without_keys(board, int64(lists.moves[index]))
        if DEBUG:
            assert_lists(board)
        total += perft(board, lists, depth - 1, end)
        unmake_move_without_keys(board)
        if DEBUG:
            assert_lists(board)
    return total
