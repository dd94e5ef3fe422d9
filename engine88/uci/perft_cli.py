"""The sub-command `perft` of `python -m engine88`."""

import argparse
import time
from collections.abc import Sequence

from engine88.compiler import jit
from engine88.rules.fen import START_FEN
from engine88.rules.position import Position
from engine88.uci.warmup_cli import progress_shower


def run_perft(arguments: Sequence[str]) -> int:
    """`perft DEPTH [--fen FEN] [--chess960] [--divide]`: print the count and the speed. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m engine88 perft", description="Count move sequences.")
    parser.add_argument("depth", type=int, help="plies, 0 or more")
    parser.add_argument("--fen", default=START_FEN, help="position to count from (default: the initial position)")
    parser.add_argument("--chess960", action="store_true", help="name castling moves king takes rook")
    parser.add_argument("--divide", action="store_true", help="print the count behind each first move too")
    options = parser.parse_args(arguments)
    if options.depth < 0:
        parser.error(f"depth must be 0 or more, got {options.depth}")
    jit.warm_up(progress_shower())
    try:
        position = Position.from_fen(options.fen, options.chess960)
    except ValueError as error:
        parser.error(str(error))
    begin = time.perf_counter()
    nodes = _divide(position, options.depth) if options.divide and options.depth else position.perft(options.depth)
    elapsed_s = max(time.perf_counter() - begin, 1e-9)
    print(f"nodes {nodes}\nnps {nodes / elapsed_s:.0f}")  # noqa: T201 -- the output of the command
    return 0


def _divide(position: Position, depth: int) -> int:
    total = 0
    for name in sorted(position.legal_moves()):
        nodes = position.push(name).perft(depth - 1)
        print(f"{name}: {nodes}")  # noqa: T201 -- the output of the command
        total += nodes
    return total
