"""Perft: the number of move sequences of a given length, the classic proof of a move generator."""

import numba

from engine88.board import BOARD_TYPE, Board
from engine88.jit import entry, int64
from engine88.make_move import play, take_back
from engine88.move_list import MOVE_LIST_TYPE, MoveList
from engine88.movegen import generate_legal


@entry(BOARD_TYPE, MOVE_LIST_TYPE, numba.int64, numba.int64)
def perft(board: Board, lists: MoveList, depth: int, start: int) -> int:
    """Count the move sequences of `depth` plies; the last ply is counted, not played."""
    if depth == 0:
        return int64(1)
    end = generate_legal(board, lists, start)
    if depth == 1:
        return end - start
    total = int64(0)
    for index in range(start, end):
        play(board, int64(lists.moves[index]))
        total += perft(board, lists, depth - 1, end)
        take_back(board)
    return total
