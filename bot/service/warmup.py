"""Compiles the engine's kernels before the first start, with a progress bar; later starts find them compiled."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bot.errors import StartUpError
from bot.service.signals import ExitCode, StopSignals
from bot.settings import EngineEntry

_OWN_ENGINE = EngineEntry().argv
_COUNT = re.compile(r"(\d+) of (\d+)")
_TITLE = "Compiling the engine for this machine (only once)"


def warm_up(entries: Sequence[EngineEntry], console: Console, signals: StopSignals) -> None:
    """Compile our own engine if it is used and not compiled yet; raises StartUpError, and Stopped on a signal."""
    command = own_engine(entries)
    if command:
        signals.run(lambda: _run([*command, "warmup", "--progress"], console))


def own_engine(entries: Sequence[EngineEntry]) -> tuple[str, ...]:
    """Return the command of our own engine where one of the entries is it, else ()."""
    return next((entry.argv for entry in entries if entry.argv == _OWN_ENGINE), ())


def _run(command: list[str], console: Console) -> None:
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        _show(_counts(process), console)
        errors = process.stderr.read() if process.stderr else ""
    if process.returncode != 0:
        last = errors.strip().splitlines()[-1:] or ["no message"]
        raise StartUpError(
            f"the engine cannot be compiled: {last[0]}",
            f"run `{' '.join(command)}` to see all of it; ENGINE88_CACHE_DIR names another cache folder",
            ExitCode.ENGINE,
        )


def _counts(process: subprocess.Popen[str]) -> Iterator[tuple[int, int]]:
    for line in process.stdout or ():
        count = _COUNT.search(line)
        if count:
            yield int(count[1]), int(count[2])


def _show(counts: Iterator[tuple[int, int]], console: Console) -> None:
    """Show a bar, or one line without a terminal; show nothing when there is nothing to compile."""
    first = next(counts, None)
    if first is None:
        return
    if not console.is_terminal:
        console.print(f"{_TITLE}: about a minute ...")
        for _ in counts:
            continue
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task(_TITLE, total=first[1], completed=first[0])
        for done, total in counts:
            progress.update(task, completed=done, total=total)
