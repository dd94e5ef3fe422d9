"""The sub-commands `perft` and `warmup` of `python -m engine88`, and how the progress of compiling is shown."""

import argparse
import sys
import time
from collections.abc import Callable, Sequence

from engine88.compiler.kernel_cache import kernel_cache
from engine88.compiler.native_warmup import warm_up_native
from engine88.compiler.warmup import warm_up, warm_up_search
from engine88.rules.fen import START_FEN
from engine88.rules.position import Position

SAY_EVERY_S = 10.0
SHIPPED_LINE = "shipped"  # the bot reads it


def run_warmup(arguments: Sequence[str]) -> int:
    """`warmup`: compile every kernel into the cache folder. Returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="engine88 warmup", description="Compile all kernels once, so that later starts are quick."
    )
    parser.add_argument(
        "--progress",
        action="store_true",
        help="print `N of M` while compiling, and `shipped` if the kernels in the package are used",
    )
    parser.add_argument(
        "--search", action="store_true", help="end when a search can begin; engines compile the rest as they run"
    )
    parser.add_argument(
        "--native",
        action="store_true",
        help="compile for this very machine, with the lowest priority, while shipped kernels are in use; "
        "engines take the code at their next start, if it was measured to be faster",
    )
    options = parser.parse_args(arguments)
    progress = print_progress if options.progress else progress_shower()
    if options.native:
        print(warm_up_native(progress))  # noqa: T201 -- the output of the command
    else:
        (warm_up_search if options.search else warm_up)(progress, load=False)
        if options.progress and kernel_cache().read_only:
            print(SHIPPED_LINE)  # noqa: T201 -- the output of the command
    return 0


def print_progress(done: int, total: int) -> None:
    """A line for a program that shows the progress itself."""
    print(f"{done} of {total}", flush=True)  # noqa: T201 -- the output of the command


def progress_shower() -> Callable[[int, int], None]:
    """Return a function that shows progress on stderr: a line that grows, or on a pipe a line now and then."""
    next_s = 0.0

    def show(done: int, total: int) -> None:
        nonlocal next_s
        is_terminal, now_s = sys.stderr.isatty(), time.monotonic()
        if is_terminal or done == total or now_s >= next_s:
            next_s = now_s + SAY_EVERY_S
            begin, end = ("\r", "\n" if done == total else "") if is_terminal else ("", "\n")
            sys.stderr.write(f"{begin}engine88: compiling, only once: {done} of {total} kernels{end}")
            sys.stderr.flush()

    return show


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
    warm_up(progress_shower())
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
