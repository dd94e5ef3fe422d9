"""Captures by walking offsets beside captures from the victim's side by the difference table.

    python -m benchmarks.capture_generation

Nanoseconds of processor time per position, over the positions of the bench. Both write the same captures.
"""

import time
from collections.abc import Callable
from typing import Any

import numba

from engine88.board.attacks import attacks_square
from engine88.board.defs import PAWN
from engine88.board.move_list import MoveList, new_move_list
from engine88.board.moves import CAPTURE, TO_SHIFT
from engine88.board.record import Board
from engine88.compiler.jit import int64
from engine88.compiler.warmup import warm_up
from engine88.rules.movegen import generate_captures
from engine88.rules.pawn_moves import add_pawn_promotions, add_promotions, is_last_rank
from engine88.rules.position import Position
from engine88.uci.bench import POSITIONS

ROUNDS, REPEATS = 5, 20_000
njit: Any = numba.njit(error_model="numpy", boundscheck=False)


@njit  # type: ignore[untyped-decorator]  # numba's stub wants one plain type
def captures_by_victims(board: Board, lists: MoveList, start: int) -> int:
    """Each victim asks each own piece, by one look-up, whether it can be captured (en passant left out)."""
    side = int64(board.side)
    end = int64(start)
    for victim in range(int64(board.list_sizes[1 - side])):
        target = int64(board.pieces[1 - side, victim])
        for place in range(int64(board.list_sizes[side])):
            from_square = int64(board.pieces[side, place])
            if not attacks_square(board, from_square, target):
                continue
            move = from_square | target << TO_SHIFT | CAPTURE
            if is_last_rank(target) and int64(board.squares[from_square]) & 7 == PAWN:
                end = add_promotions(lists, end, move)
            else:
                lists.moves[end] = move
                end += 1
    for place in range(int64(board.list_sizes[side])):
        from_square = int64(board.pieces[side, place])
        if int64(board.squares[from_square]) & 7 == PAWN:
            end = add_pawn_promotions(board, lists, end, from_square, side)
    return end


def repeated(generate: Callable[[Board, MoveList, int], int]) -> Callable[[Board, MoveList, int], int]:
    """A compiled loop around a generator; it returns the sum of the ends."""

    def loop(board: Board, lists: MoveList, count: int) -> int:
        total = 0
        for _ in range(count):
            total += generate(board, lists, 0)
        return total

    compiled: Callable[[Board, MoveList, int], int] = njit(loop)
    return compiled


def main() -> None:
    """Print nanoseconds per position of both."""
    warm_up()
    boards, lists = [Position.from_fen(fen).board for fen in POSITIONS], new_move_list()
    for name, generate in (("offsets", generate_captures), ("victims", captures_by_victims)):
        loop = repeated(generate)
        loop(boards[0], lists, 1)
        best = float("inf")
        for _ in range(ROUNDS):
            begin = time.process_time()
            moves = sum(loop(board, lists, REPEATS) for board in boards)
            best = min(best, time.process_time() - begin)
        print(f"{name}: {best / len(boards) / REPEATS * 1e9:.0f} ns per position, {moves // REPEATS} moves in all")


if __name__ == "__main__":
    main()
