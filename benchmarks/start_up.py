"""How long the engine and an offline game take to start, and how much memory the idle engine holds.

    python -m benchmarks.start_up [--cold]

With `--cold` all kernels are compiled into an empty folder first (half a minute). Wall times need an idle machine;
processor times are given beside them.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import IO

ENGINE = [sys.executable, "-m", "engine88"]


def child_seconds() -> float:
    """Processor time of all ended children so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def cold_compile() -> tuple[float, float]:
    """Wall and processor seconds of `engine88 warmup` with an empty cache."""
    with tempfile.TemporaryDirectory() as folder:
        begin, before = time.perf_counter(), child_seconds()
        subprocess.run([*ENGINE, "warmup"], env={**os.environ, "ENGINE88_CACHE_DIR": folder}, check=True)
        return time.perf_counter() - begin, child_seconds() - before


def warm_start() -> tuple[float, float, float, float]:
    """Seconds to `uciok`, seconds to `readyok`, processor seconds, resident MB with a hash of 16 MB."""
    before, begin = child_seconds(), time.perf_counter()
    with subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        engine.stdin.write("uci\nsetoption name Hash value 16\n")
        _wait_for(engine.stdout, "uciok")
        uciok = time.perf_counter() - begin
        engine.stdin.write("isready\n")
        _wait_for(engine.stdout, "readyok")
        readyok = time.perf_counter() - begin
        status = Path(f"/proc/{engine.pid}/status").read_text(encoding="utf-8")
        resident_kb = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
        engine.stdin.write("quit\n")
    return uciok, readyok, child_seconds() - before, resident_kb / 1024


def first_move(cache: str = "") -> float:
    """Seconds from the command `bot88 offline` to the first move on the board, with the kernels in a folder or ours."""
    command = [sys.executable, "-u", "-m", "bot", "offline", "--clock", "3+1", "--opponent", "random", "--seed", "1"]
    environ = {**os.environ, "ENGINE88_CACHE_DIR": cache} if cache else None
    begin = time.perf_counter()
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as game:
        assert game.stdout is not None
        address = game.stdout.readline().split()[-1]  # "board      http://127.0.0.1:40001"
        while not any(one["lastMove"] for one in json.load(urllib.request.urlopen(f"{address}/web/running"))):
            time.sleep(0.01)
        seconds = time.perf_counter() - begin
        game.terminate()
        game.wait(60)
    return seconds


def _wait_for(lines: IO[str], word: str) -> None:
    for line in iter(lines.readline, ""):
        if line.strip() == word:
            return
    raise RuntimeError(f"the engine ended before it said {word}")


def main() -> None:
    """Print medians."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--cold", action="store_true")
    if parser.parse_args().cold:
        print("cold compile: {:.1f} s wall, {:.1f} s of processor time".format(*cold_compile()))
    warm_start()
    runs = list(zip(*(warm_start() for _ in range(5)), strict=True))
    uciok, readyok, processor, resident = (statistics.median(values) for values in runs)
    print(f"warm start: uciok {uciok * 1000:.0f} ms, readyok {readyok * 1000:.0f} ms")
    print(f"processor time of a warm start and quit: {processor:.2f} s")
    print(f"idle with 16 MB hash: {resident:.0f} MB resident")
    print(f"bot88 offline to its first move: {statistics.median(first_move() for _ in range(3)):.1f} s")


if __name__ == "__main__":
    main()
