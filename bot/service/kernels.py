"""Compile the engine's kernels: before the first start, and for this machine while shipped ones play."""

from __future__ import annotations

import re
import subprocess
import threading
from collections.abc import Iterator, Sequence

import structlog
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bot.errors import StartUpError
from bot.service.signals import ExitCode, StopSignals
from bot.settings import EngineEntry

_OWN_ENGINE = EngineEntry().argv
_COUNT = re.compile(r"(\d+) of (\d+)")
_SHIPPED = "shipped"  # the line of `engine88 warmup --progress` about kernels in the package
_TITLE = "Compiling the engine for this machine (only once)"


def warm_up(entries: Sequence[EngineEntry], console: Console, signals: StopSignals) -> bool:
    """Compile what our own engine needs to search if it is used and not compiled yet.

    The engines compile the rest in the background. Raises StartUpError, and Stopped on a signal. Returns whether it
    uses kernels that were shipped with the program, which are for any processor.
    """
    command = own_engine(entries)
    return bool(command) and signals.run(lambda: _run([*command, "warmup", "--search", "--progress"], console))


def own_engine(entries: Sequence[EngineEntry]) -> tuple[str, ...]:
    """Return the command of our own engine if an entry uses it, else ()."""
    return next((entry.argv for entry in entries if entry.argv == _OWN_ENGINE), ())


def _run(command: list[str], console: Console) -> bool:
    others: list[str] = []
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        _show(_counts(process, console, others), console)
    last = others[-1] if others else "no message"
    if process.returncode != 0:
        raise StartUpError(
            f"the engine cannot be compiled: {last}",
            f"run `{' '.join(command)}` to see all of it; ENGINE88_CACHE_DIR names another cache folder",
            ExitCode.ENGINE,
        )
    return _SHIPPED in others


def _counts(process: subprocess.Popen[str], console: Console, others: list[str]) -> Iterator[tuple[int, int]]:
    """Read the counts; other lines are added to `others`, and messages of the engine shown."""
    for line in filter(None, map(str.strip, process.stdout or ())):
        if count := _COUNT.fullmatch(line):
            yield int(count[1]), int(count[2])
            continue
        others.append(line)
        if line.startswith("engine88: "):
            console.print(line, highlight=False, markup=False, soft_wrap=True)


def _show(counts: Iterator[tuple[int, int]], console: Console) -> None:
    """Show a bar, or one line without a terminal; show nothing when there is nothing to compile."""
    first = next(counts, None)
    if first is None:
        return
    if not console.is_terminal:
        console.print(f"{_TITLE}: about half a minute ...")
        for _ in counts:
            continue
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task(_TITLE, total=first[1], completed=first[0])
        for done, total in counts:
            progress.update(task, completed=done, total=total)


STOP_S = 5.0

log = structlog.get_logger(__name__)


class NativeKernels:
    """Runs `engine88 warmup` once; engine processes that start later use the result.

    Where shipped kernels are used, it compiles those for this very machine (`--native`). Where no entry uses our
    engine, it compiles the one that serves games whose own engines fail. Nothing waits for it, and a failure costs only
    speed.
    """

    def __init__(self, entries: Sequence[EngineEntry]) -> None:
        """Prepare to compile for these engines."""
        self._uses_ours = bool(own_engine(entries))
        native = ["--native"] if self._uses_ours else []
        self._command = [*_OWN_ENGINE, "warmup", *native, "--progress"]
        self._process: subprocess.Popen[str] | None = None
        self._thread: threading.Thread | None = None
        self._stopping = False

    def start(self, *, shipped: bool) -> None:
        """Begin, if there is anything to do. `shipped` is what `warm_up` returned."""
        if (shipped or not self._uses_ours) and self._thread is None:
            self._thread = threading.Thread(target=self._run, name="native-kernels", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop at once; the next attempt uses what is compiled by then. Idempotent."""
        self._stopping = True
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
        if self._thread is not None:
            self._thread.join(STOP_S)

    def _run(self) -> None:
        null = subprocess.DEVNULL
        try:
            with subprocess.Popen(
                self._command, stdin=null, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            ) as process:
                self._process = process
                if self._stopping:
                    process.terminate()
                last = self._follow(process)
        except OSError as error:
            log.warning("native_kernels_not_compiled", error=str(error), remedy="the shipped kernels stay in use")
            return
        if process.returncode == 0:
            log.info("native_kernels", outcome=last)
        elif not self._stopping:
            log.warning("native_kernels_not_compiled", error=last, remedy="the shipped kernels stay in use")

    @staticmethod
    def _follow(process: subprocess.Popen[str]) -> str:
        """Log each quarter of the work; return the last line that is not a count."""
        quarter, last = -1, "no message"
        for line in process.stdout or ():
            count = _COUNT.fullmatch(line.strip())
            if count is None:
                last = line.strip() or last
            elif (reached := 4 * int(count[1]) // max(1, int(count[2]))) > quarter:
                quarter = reached
                log.info("native_kernels_compiling", kernels=f"{count[1]} of {count[2]}", priority="lowest")
        return last
