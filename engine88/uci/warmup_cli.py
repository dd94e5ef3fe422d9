"""The sub-command `warmup` of `python -m engine88`, and how the progress of compiling is shown."""

import argparse
import sys
import time
from collections.abc import Callable, Sequence

from engine88.compiler import jit
from engine88.compiler.native_warmup import warm_up_native

SAY_EVERY_S = 10.0


def run_warmup(arguments: Sequence[str]) -> int:
    """`warmup`: compile every kernel into the cache folder. Returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="engine88 warmup", description="Compile all kernels once, so that later starts are quick."
    )
    parser.add_argument("--progress", action="store_true", help="print `N of M`; nothing if it was done before")
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
        jit.warm_up(progress, load=False)
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
