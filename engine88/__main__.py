"""`python -m engine88`: perft and warmup."""

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a sub-command; returns the exit code."""
    from engine88.perft_cli import run_perft, run_warmup  # late: importing it loads the compiler

    words = list(sys.argv[1:] if arguments is None else arguments)
    commands = {"perft": run_perft, "warmup": run_warmup}
    if not words or words[0] not in commands:
        sys.stderr.write(f"usage: python -m engine88 {{{','.join(commands)}}} ...\n")
        return 2
    return commands[words[0]](words[1:])


if __name__ == "__main__":
    sys.exit(main())
