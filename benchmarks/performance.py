"""The table of docs/performance.md, measured by one command.

    python -m benchmarks.performance [--write]

Prints the table, or writes it into the document, in about four minutes. What cannot be measured on this machine is
listed with the reason. Speeds are per second of processor time, so that other programs disturb them little; for the
rest an idle machine is needed, and the line above the table names the load.
"""

import argparse
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numba

from benchmarks import bot_memory, fake_load, latency, page_speed, perft_speed, search_speed, start_up, store
from engine88.compiler.warmup import warm_up
from tests.helpers.browser import browser_program

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "performance.md"
BEGIN, END = "<!-- measured by python -m benchmarks.performance --write -->\n", "<!-- end of what was measured -->\n"

Row = tuple[str, str, str]
"""What was measured, the figure, and what to compare it with."""


class NotMeasuredError(Exception):
    """This machine lacks something; the text names it."""


def need(program: str) -> str:
    """Return the path of a program."""
    path = shutil.which(program)
    if path is None:
        raise NotMeasuredError(f"{program} is not installed")
    return path


def perft() -> Iterator[Row]:
    """Perft beside C and python-chess."""
    need("gcc")
    warm_up()
    with tempfile.TemporaryDirectory() as folder:
        program = perft_speed.build_reference(Path(folder))
        for name, fen, depth, slow_depth in perft_speed.POSITIONS:
            speeds = perft_speed.measure(program, fen, depth, slow_depth, 3)
            ours, c_program = speeds["perft"], speeds["C reference"]
            yield f"perft, {name}, depth {depth}", f"{ours / 1e6:.1f} M nodes/s", ""
            yield (
                "the same in C (`perft_reference.c`)",
                f"{c_program / 1e6:.1f} M nodes/s",
                f"engine88 is {ours / c_program:.1f} times as fast",
            )
            python_chess = speeds["python-chess"]
            yield (
                "the same with python-chess",
                f"{python_chess / 1e6:.2f} M nodes/s",
                f"engine88 is {ours / python_chess:.0f} times as fast",
            )


def search() -> Iterator[Row]:
    """Nodes a second of the search."""
    ours = search_speed.compare(["engine88"], 0.5, 64)["engine88"].nps
    yield "search, 20 middlegames, one thread", f"{ours / 1e6:.2f} M nodes/s", ""


def search_of_toga() -> Iterator[Row]:
    """The same positions, both engines in turn."""
    if not Path(search_speed.COMMANDS["toga2"][0]).exists():
        raise NotMeasuredError("toga2 is not installed")
    counts = search_speed.compare(["engine88", "toga2"], 0.5, 64)
    theirs = counts["toga2"].nps
    yield "the same by Toga II", f"{theirs / 1e6:.2f} M nodes/s", f"{theirs / counts['engine88'].nps:.2f} of engine88"


def compilation() -> Iterator[Row]:
    """All kernels, from an empty cache."""
    wall, processor = start_up.cold_compile()
    yield "all kernels compiled from nothing", f"{wall:.0f} s", f"{processor:.0f} s of processor time"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        yield "`bot88 offline` to its first move, nothing compiled", f"{start_up.first_move(folder):.0f} s", ""


def starts() -> Iterator[Row]:
    """Warm starts."""
    start_up.warm_start()
    columns = zip(*(start_up.warm_start() for _ in range(5)), strict=True)
    uciok, readyok, _processor, resident = (statistics.median(column) for column in columns)
    yield "engine88 to `uciok`, compiled", f"{uciok * 1000:.0f} ms", ""
    yield "engine88 to `readyok`, compiled", f"{readyok * 1000:.0f} ms", "at most 1.5 s"
    yield "engine88, idle, 16 MB hash", f"{resident:.0f} MB", "at most 250 MB"
    yield (
        "`bot88 offline` to its first move, compiled",
        f"{statistics.median(start_up.first_move() for _ in range(3)):.1f} s",
        "",
    )


def uci() -> Iterator[Row]:
    """Answers of the engine."""
    wanted = {"go depth 1 to bestmove", "stop to bestmove", "go with 20 ms on the clock to bestmove"}
    for name, seconds in latency.measure_uci(15):
        if name in wanted:
            median, worst = statistics.median(seconds) * 1000, max(seconds) * 1000
            yield f"engine88: {name}", f"{median:.1f} ms", f"worst {worst:.1f} ms"


def moves() -> Iterator[Row]:
    """From the line with our turn to the POST of the move."""
    found = latency.measure_moves(games=4, plies=201, pause_ms=40.0, think_ms=20.0, dashboard=False)
    totals = sorted(one[0] + one[1] for one in found)
    median, rare = statistics.median(totals), totals[int(len(totals) * 0.99)]
    compared = f"99 % {rare:.1f} ms, worst {totals[-1]:.1f} ms; aim 3 and 15 ms"
    yield "a move in the bot, without the engine's time, four games", f"{median:.1f} ms", compared


def memory() -> Iterator[Row]:
    """The bot's memory after many short games."""
    sizes = bot_memory.measure(games=100, slots=4, plies=40)
    yield "the bot after 100 games, without engines", f"{sizes[-1]:.0f} MiB", f"{sizes[0]:.0f} MiB after ten games"


def archive() -> Iterator[Row]:
    """Commands on many kept games."""
    times = dict(store.measure(10_000))
    for name in ("start", "games", "stats", "backup"):
        wall, processor = times[name]
        compared = "" if processor is None else f"{processor:.0f} ms of processor time"
        yield f"store of 10,000 games: {name}", f"{wall:.0f} ms" if wall >= 10 else f"{wall:.1f} ms", compared


def fake() -> Iterator[Row]:
    """Many games on the fake Lichess."""
    options = argparse.Namespace(games=30, minutes=0.3, pace=0.5, limit=12, plies=16)
    found, sizes, processor, wall = fake_load.measure(options)
    posts, late = sorted(found.posts_ms), sorted(found.flag_errors)
    yield (
        f"fake Lichess, 30 games at once: posting a move ({found.moves} moves, {len(found.failures)} failures)",
        f"{statistics.median(posts):.1f} ms",
        f"99 % {posts[int(len(posts) * 0.99)]:.1f} ms",
    )
    yield "the same: a flag falls late by", f"{statistics.median(late):.1f} ms", f"worst {late[-1]:.1f} ms; aim 50 ms"
    yield "the same: memory, processor", f"{sizes[-1]:.0f} MB", f"{processor / wall * 100:.0f} % of a core"


def pages() -> Iterator[Row]:
    """The board page in a browser."""
    if browser_program() is None:
        raise NotMeasuredError("Chromium is not installed")
    for name, (shown, loaded) in page_speed.measure_all(3).items():
        yield f"page of the {name} to its first board", f"{shown:.0f} ms", f"{loaded / 1000:.0f} kB"


def image() -> Iterator[Row]:
    """The size of the image."""
    command = [need("docker"), "image", "inspect", "--format", "{{.Size}}", "bot88"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode != 0:
        raise NotMeasuredError("docker has no image bot88 here")
    yield "the image, with its base", f"{int(found.stdout) / 1e6:.0f} MB", ""


MEASURED: tuple[tuple[str, Callable[[], Iterator[Row]]], ...] = (
    ("perft", perft),
    ("search", search),
    ("search of Toga II", search_of_toga),
    ("compilation", compilation),
    ("starts", starts),
    ("answers of engine88", uci),
    ("moves in the bot", moves),
    ("memory of the bot", memory),
    ("the store", archive),
    ("fake Lichess", fake),
    ("pages", pages),
    ("image", image),
)


def measure() -> Iterator[Row]:
    """Measure all, and name on standard error what is being measured."""
    for name, measurement in MEASURED:
        print(f"measuring: {name}", file=sys.stderr, flush=True)
        try:
            yield from measurement()
        except (NotMeasuredError, ImportError) as missing:
            yield name, "not measured", str(missing)


def machine() -> str:
    """Describe the machine and the versions, with the load before the measurements."""
    information = Path("/proc/cpuinfo")
    names = information.read_text(encoding="utf-8").splitlines() if information.exists() else []
    processor = next((line.partition(": ")[2] for line in names if line.startswith("model name")), platform.machine())
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    return (
        f"Measured on {datetime.now(UTC):%Y-%m-%d} at commit {commit.stdout.strip() or 'unknown'}: {processor}, "
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {platform.python_version()}, "
        f"Numba {numba.__version__}."
    )


def table(described: str, rows: Sequence[Row]) -> str:
    """Return the line about the machine and the table, as Markdown."""
    lines = [described, "", "| | measured | compared |", "|---|---|---|"]
    return "\n".join([*lines, *(f"| {what} | {figure} | {compared} |" for what, figure, compared in rows), ""])


def put(document: str, text: str) -> str:
    """Return the document with the text between its two markers."""
    before, found_begin, rest = document.partition(BEGIN)
    _old, found_end, after = rest.partition(END)
    if not found_begin or not found_end:
        raise ValueError(f"{DOCUMENT.name} needs the lines {BEGIN.strip()!r} and {END.strip()!r}")
    return f"{before}{BEGIN}{text}{END}{after}"


def main() -> None:
    """Measure, and print or write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the table into docs/performance.md")
    write = parser.parse_args().write
    text = table(machine(), list(measure()))
    if write:
        DOCUMENT.write_text(put(DOCUMENT.read_text(encoding="utf-8"), text), encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
