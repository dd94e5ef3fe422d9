"""Speak UCI on standard input and output for the class in a file."""

from __future__ import annotations

import io
import os
import sys

from bot.engine_pool.python_engine.author_file import EngineFile, EngineFileError
from bot.engine_pool.python_engine.uci import Adapter

USAGE = "usage: python -m bot.engine_pool.python_engine FILE[:CLASS]"


def main() -> int:
    """Run until `quit` or the end of the input; 1 if the file holds no usable engine, 2 for a wrong command line."""
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.stderr.write(f"{USAGE}\n")
        return 2
    commands, output = sys.stdin, sys.stdout
    sys.stdin, sys.stdout = io.StringIO(), sys.stderr  # the class may print; it must not read or write UCI
    try:
        adapter = Adapter(EngineFile(sys.argv[1]), output)
    except EngineFileError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    adapter.run(commands)
    output.flush()
    sys.stderr.flush()
    os._exit(0)  # threads of the class may never end


if __name__ == "__main__":
    sys.exit(main())
