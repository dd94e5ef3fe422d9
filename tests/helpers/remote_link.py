"""A way to an engine on another machine, such as ssh: `python remote_link.py FAULT [--good-searches N] -- COMMAND...`.

It passes lines on in both directions. FAULT: none, delay (each line arrives --delay-ms late), and from the search after
the good ones on: stall (nothing gets through any more), cut (the connection ends).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import threading
import time
from typing import IO


class Link:
    """Both directions."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.searches = 0
        self.stalled = False

    def carry(self, source: IO[bytes], target: IO[bytes], outbound: bool) -> None:
        """Copy lines until the end, with the fault."""
        for line in source:
            if outbound and line.startswith(b"go"):
                self.searches += 1
                if self.searches > self.options.good_searches:
                    self.fail()
            if self.stalled:
                continue
            if self.options.fault == "delay":
                time.sleep(self.options.delay_ms / 1000)
            target.write(line)
            target.flush()
        os._exit(0)

    def fail(self) -> None:
        """Stall or cut, from now on."""
        if self.options.fault == "cut":
            sys.stderr.write("Connection to far.example closed by remote host.\n")
            sys.stderr.flush()
            os._exit(255)
        self.stalled = self.options.fault == "stall"


def main() -> None:
    """Run the command behind the link."""
    parser = argparse.ArgumentParser()
    parser.add_argument("fault", choices=["none", "delay", "stall", "cut"])
    parser.add_argument("--good-searches", type=int, default=1, help="the first one is the warm-up")
    parser.add_argument("--delay-ms", type=float, default=200.0)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    engine = subprocess.Popen(options.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    link = Link(options)
    if engine.stdin is None or engine.stdout is None:
        raise AssertionError("both were asked for")
    threading.Thread(target=link.carry, args=(engine.stdout, sys.stdout.buffer, False), daemon=True).start()
    link.carry(sys.stdin.buffer, engine.stdin, True)


if __name__ == "__main__":
    main()
