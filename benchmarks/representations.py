"""The 0x88 board of the engine beside the three other representations of docs/0x88.md, in one run.

    python -m benchmarks.representations [--rounds N]

Prints the table of chapter 10, for the position Kiwipete: nanoseconds of processor time to generate its moves and to
make one, perft in nodes a second (every move of the last ply made too), bytes of a position. Medians over the rounds.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from engine88.board.move_list import new_move_list
from engine88.board.record import BOARD
from engine88.board.representations import array_64, ray_bitboards, signed_0x88
from engine88.board.representations.counting import MOST_MOVES, perft
from engine88.compiler.jit import int64
from engine88.rules.make_move import make_move, make_move_without_keys, unmake_move, unmake_move_without_keys
from engine88.rules.movegen import generate_legal
from engine88.rules.position import Position

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
DEPTH, REPEATS = 4, 20_000
Timer = Callable[[], int]
"""Does something so many times, and returns the number."""


def timers(module: Any) -> tuple[Timer, Timer, Timer, int]:
    """Return what generates, makes and counts with one of the representations, and the bytes of a position."""
    position = module.from_fen(KIWIPETE)
    moves, child = np.zeros(MOST_MOVES, np.int32), position.copy()
    generate, make = module.generate, module.make

    @numba.njit
    def generates(position: Any, moves: Any) -> int:
        for _ in range(REPEATS):
            generate(position, moves)
        return REPEATS

    @numba.njit
    def makes(position: Any, moves: Any, child: Any) -> int:
        count = int64(generate(position, moves))
        for _ in range(REPEATS // count):
            for index in range(count):
                make(position, moves[index], child)
        return REPEATS // count * count

    return (
        lambda: generates(position, moves),
        lambda: makes(position, moves, child),
        lambda: perft(position, DEPTH, generate, make, module.may_stand),
        position.nbytes,
    )


def timers_of_the_engine() -> tuple[Timer, Timer, Timer, int]:
    """Return the same for engine88; its moves are legal, and each is made with its keys and unmade."""
    board, lists = Position.from_fen(KIWIPETE).board, new_move_list()

    @numba.njit
    def generates(board: Any, lists: Any) -> int:
        for _ in range(REPEATS):
            generate_legal(board, lists, 0)
        return REPEATS

    @numba.njit
    def makes(board: Any, lists: Any) -> int:
        count = generate_legal(board, lists, 0)
        for _ in range(REPEATS // count):
            for index in range(count):
                make_move(board, int64(lists.moves[index]))
                unmake_move(board)
        return REPEATS // count * count

    @numba.njit
    def counts(board: Any, lists: Any, depth: int, start: int) -> int:
        if depth == 0:
            return int64(1)
        total, end = int64(0), generate_legal(board, lists, start)
        for index in range(start, end):
            make_move_without_keys(board, int64(lists.moves[index]))
            total += counts(board, lists, depth - 1, end)
            unmake_move_without_keys(board)
        return total

    size = int(BOARD.fields["keys"][1]) if BOARD.fields else 0  # without the undo stack, the game's history
    return (
        lambda: generates(board, lists),
        lambda: makes(board, lists),
        lambda: counts(board, lists, int64(DEPTH), int64(0)),
        size,
    )


def seconds(timer: Timer) -> float:
    """Return the processor time of one of many."""
    begin = time.process_time()
    count = timer()
    return (time.process_time() - begin) / count


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    rows = {module.__name__.rpartition(".")[2]: timers(module) for module in (array_64, ray_bitboards, signed_0x88)}
    rows["engine88"] = timers_of_the_engine()
    found: dict[str, list[list[float]]] = {name: [] for name in rows}
    for number in range(rounds + 1):
        for name, row in rows.items():
            measured = [seconds(timer) for timer in row[:3]]
            if number:  # the first round compiles
                found[name].append(measured)
    print("representation    generate ns    make ns    perft Mnodes/s    bytes")
    for name, times in found.items():
        generate, make, count = (statistics.median(column) for column in zip(*times, strict=True))
        print(f"{name:16}  {generate * 1e9:11.0f}  {make * 1e9:9.1f}  {1e-6 / count:16.1f}  {rows[name][3]:7}")


if __name__ == "__main__":
    main()
