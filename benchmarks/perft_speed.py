"""Perft speed beside a plain C program and python-chess, all in one run.

    python -m benchmarks.perft_speed [--rounds N]

Builds perft_reference.c with `gcc -O3 -march=native` and takes turns with it; all speeds are nodes per second of
processor time, so that other programs disturb them little; the figures are medians over the rounds.
"""

import argparse
import resource
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import chess

from engine88.board.move_list import new_move_list
from engine88.compiler.warmup import warm_up
from engine88.rules.fen import START_FEN
from engine88.rules.perft import perft
from engine88.rules.position import Position

REFERENCE = Path(__file__).with_name("perft_reference.c")
POSITIONS = (
    ("start position", START_FEN, 6, 3),
    ("Kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 3),
)
"""Name, FEN, depth for compiled code, depth for python-chess."""


def build_reference(folder: Path) -> Path:
    """Compile the C program into `folder`."""
    program = folder / "perft_reference"
    subprocess.run(["gcc", "-O3", "-march=native", str(REFERENCE), "-o", str(program)], check=True)
    return program


def reference_nps(program: Path, fen: str, depth: int) -> float:
    """Nodes per second of the C program."""
    begin = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    output = subprocess.run([str(program), str(depth), fen], check=True, capture_output=True, text=True).stdout
    return int(output.split()[1]) / (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begin)


def kernel_nps(fen: str, depth: int) -> float:
    """Nodes per second of the perft kernel."""
    board, lists = Position.from_fen(fen).board, new_move_list()
    begin = time.process_time()
    nodes = perft(board, lists, depth, 0)
    return nodes / (time.process_time() - begin)


def python_chess_nps(fen: str, depth: int) -> float:
    """Nodes per second of python-chess at its best: legal generation, the last ply counted."""
    board = chess.Board(fen)

    def count(rest: int) -> int:
        if rest == 1:
            return board.legal_moves.count()
        nodes = 0
        for move in board.legal_moves:
            board.push(move)
            nodes += count(rest - 1)
            board.pop()
        return nodes

    begin = time.process_time()
    nodes = count(depth)
    return nodes / (time.process_time() - begin)


def measure(program: Path, fen: str, depth: int, slow_depth: int, rounds: int) -> dict[str, float]:
    """Median nodes per second of each competitor."""
    found: dict[str, list[float]] = {"C reference": [], "perft": [], "python-chess": []}
    for _ in range(rounds):
        found["C reference"].append(reference_nps(program, fen, depth))
        found["perft"].append(kernel_nps(fen, depth))
        found["python-chess"].append(python_chess_nps(fen, slow_depth))
    return {name: statistics.median(values) for name, values in found.items()}


def main() -> None:
    """Print a table of speeds and ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    warm_up()
    with tempfile.TemporaryDirectory() as folder:
        program = build_reference(Path(folder))
        for name, fen, depth, slow_depth in POSITIONS:
            speeds = measure(program, fen, depth, slow_depth, rounds)
            print(f"{name}, depth {depth}")
            for competitor, nps in speeds.items():
                by_reference, by_python = nps / speeds["C reference"], nps / speeds["python-chess"]
                print(
                    f"  {competitor:12} {nps / 1e6:9.3f} Mnps  {by_reference:6.2f} x C reference  "
                    f"{by_python:8.1f} x python-chess"
                )


if __name__ == "__main__":
    main()
