"""Compile the engine's kernels: before the first start, and for this machine while shipped ones play."""

from __future__ import annotations

import re
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence

import structlog
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bot.errors import StartUpError
from bot.service.signals import ExitCode, StopSignals
from bot.settings import EngineEntry

_OWN_ENGINE = EngineEntry().argv
_COUNT = re.compile(r"(\d+) of (\d+)")
_SHIPPED = "shipped"  # the line of `engine88 warmup --progress` about kernels in the package
_SILENT = "no message"
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

    def take(line: str) -> None:
        others.append(line)
        if line.startswith("engine88: "):
            console.print(line, highlight=False, markup=False, soft_wrap=True)

    with _started(command) as process:
        _show(_counts(process, take), console)
    if process.returncode != 0:
        raise StartUpError(
            f"the engine cannot be compiled: {others[-1] if others else _SILENT}",
            f"run `{' '.join(command)}` to see all of it; ENGINE88_CACHE_DIR names another cache folder",
            ExitCode.ENGINE,
        )
    return _SHIPPED in others


def _started(command: list[str]) -> subprocess.Popen[str]:
    null = subprocess.DEVNULL
    return subprocess.Popen(command, stdin=null, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def _counts(process: subprocess.Popen[str], take: Callable[[str], None]) -> Iterator[tuple[int, int]]:
    """Read the counts; `take` gets the other lines."""
    for line in filter(None, map(str.strip, process.stdout or ())):
        if count := _COUNT.fullmatch(line):
            yield int(count[1]), int(count[2])
        else:
            take(line)


def _show(counts: Iterator[tuple[int, int]], console: Console) -> None:
    """Show a bar, or one line without a terminal; show nothing when there is nothing to compile."""
    first = next(counts, None)
    if first is None:
        return
    if not console.is_terminal:
        console.print(f"{_TITLE}: about twenty seconds ...")
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
        """Compile; log each quarter of the work and the last line that is not a count."""
        others, quarter = [_SILENT], -1
        try:
            with _started(self._command) as process:
                self._process = process
                if self._stopping:
                    process.terminate()
                for done, total in _counts(process, others.append):
                    if (reached := 4 * done // max(1, total)) > quarter:
                        quarter = reached
                        log.info("native_kernels_compiling", kernels=f"{done} of {total}", priority="lowest")
        except OSError as error:
            others.append(str(error))
        if self._process is not None and self._process.returncode == 0:
            log.info("native_kernels", outcome=others[-1])
        elif not self._stopping:
            log.warning("native_kernels_not_compiled", error=others[-1], remedy="the shipped kernels stay in use")
