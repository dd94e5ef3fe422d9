"""A UCI engine that plays recorded games after a fixed pause; notes when it heard `go` and when it had answered.

`python latency_engine.py GAMES_FILE LOG_FILE THINK_MS`: each line of the games file holds a game's UCI moves, and no
two begin with the same move. Times are of the
system's monotonic clock, which all processes of a machine share.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path


def main() -> None:
    """Read commands until the end of input."""
    games = {line.split()[0]: line.split() for line in Path(sys.argv[1]).read_text().splitlines()}
    think_s = float(sys.argv[3]) / 1000
    warm_up = next(iter(games.values()))
    ply, game = 0, warm_up
    with Path(f"{sys.argv[2]}.{os.getpid()}").open("a", buffering=1) as log:
        for line in sys.stdin:
            heard_s = time.monotonic()
            words = line.split()
            if line.startswith("uci\n"):
                print("id name Recorded\nid author benchmarks\nuciok", flush=True)
            elif line.startswith("isready"):
                print("readyok", flush=True)
            elif line.startswith("position"):
                moves = words[words.index("moves") + 1 :] if "moves" in words else []
                ply, game = len(moves), games[moves[0]] if moves else warm_up
            elif line.startswith("go"):
                time.sleep(think_s)
                answer = f"info depth 1 score cp 0 pv {game[ply]}\nbestmove {game[ply]}\n"
                sys.stdout.write(answer)
                answered_s = time.monotonic()
                sys.stdout.flush()
                if ply:
                    log.write(f"{game[0]} {ply} {heard_s!r} {answered_s!r}\n")
            elif line.startswith("quit"):
                return


if __name__ == "__main__":
    main()
