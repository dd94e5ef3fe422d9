"""`python -m engine88`: the UCI engine; with an argument, one of its other commands."""

import argparse
import ctypes
import os
import signal
import sys
from collections.abc import Sequence

from engine88 import __version__
from engine88.contract import MAX_DEPTH

_PR_SET_PDEATHSIG = 1

USAGE = """\
usage: engine88 [COMMAND] ...

without a command: the engine speaks UCI over stdin and stdout

commands:
  bench [DEPTH]       search fixed positions; the last line is `N nodes M nps`
  perft DEPTH         count move sequences (see `engine88 perft --help`)
  warmup [--native]   compile the kernels for this machine, once (see `engine88 warmup --help`)
  --version, --help
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    command, rest = (words[0], words[1:]) if words else ("uci", [])
    runs = {"uci": _uci, "bench": _bench, "perft": _perft, "warmup": _warmup}
    if command in runs:
        return runs[command](rest)
    if command == "--version":
        sys.stdout.write(f"engine88 {__version__}\n")
        return 0
    known = command in ("-h", "--help")
    (sys.stdout if known else sys.stderr).write(USAGE if known else f"engine88: unknown command {command!r}\n{USAGE}")
    return 0 if known else 2


# Everything that loads the compiler is imported late: `uciok` must not wait for it.


def _uci(_: list[str]) -> int:
    """Speak UCI; the process ends without waiting for its threads, which may be deep in a search or a compiler."""
    from engine88.uci.loop import run_uci

    code = run_uci()
    sys.stderr.flush()
    os._exit(code)


def _bench(words: list[str]) -> int:
    """Run the bench."""
    from engine88.compiler.warmup import warm_up
    from engine88.uci.commands import progress_shower

    parser = argparse.ArgumentParser(prog="engine88 bench", description="Search fixed positions to a fixed depth.")
    parser.add_argument("depth", nargs="?", type=int, help="plies (default: the depth of the signature)")
    depth = parser.parse_args(words).depth
    if depth is not None and not 1 <= depth <= MAX_DEPTH:
        parser.error(f"the depth must be from 1 to {MAX_DEPTH}, not {depth}")
    warm_up(progress_shower())
    from engine88.uci.bench import BENCH_DEPTH, run_bench

    def write(line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    run_bench(write, BENCH_DEPTH if depth is None else depth)
    return 0


def _perft(words: list[str]) -> int:
    """Count move sequences."""
    from engine88.uci.commands import run_perft

    return run_perft(words)


def _warmup(words: list[str]) -> int:
    """Compile the kernels; with ``--for PID`` those that PID, its parent, asks for on stdin."""
    if words[:1] == ["--for"] and len(words) == 2:
        from engine88.compiler.warmup import compile_asked

        _die_with(int(words[1]))
        compile_asked()
        return 0
    from engine88.uci.commands import run_warmup

    return run_warmup(words)


def _die_with(parent: int) -> None:
    """Ask the kernel to kill this process when its parent ends, so that no compiler is left behind."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it ended before we could ask
            os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
