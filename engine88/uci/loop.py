"""The UCI loop: reads commands, never blocks, and survives any input.

Three threads share the work, so that `quit` and the end of input take effect in any state. The main thread reads the
commands and answers `uci`. A second thread loads the kernels, which takes a second, or a minute the first time, and
then executes the commands in order. A third one writes the output, because a GUI that does not read blocks the writer.
"""

import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from queue import SimpleQueue
from typing import TYPE_CHECKING

from engine88.uci.options import option_lines
from engine88.uci.text import NAME, UciError

if TYPE_CHECKING:
    from engine88.uci.session import Session

Write = Callable[[str], None]
Progress = Callable[[int, int], None]
Load = Callable[[Write, Progress], "Session"]

AUTHOR = "the bot88 authors"
END_GRACE_S = 5.0
"""After the end of input, the commands read before it may take this long, the loading of the kernels included."""
QUIT_GRACE_S = 2.0
"""After `quit`, the commands read before it and the search in progress may take this long to end."""
FLUSH_S = 1.0
"""Before the process ends, the GUI may take this long to read what is left."""
PROGRESS_INTERVAL_S = 1.0
MAX_WAITING_LINES = 10_000
"""Lines that may wait for a GUI that does not read; beyond it `info` lines are dropped, which no GUI waits for."""


class UciLoop:
    """Dispatches commands. `write` sends one line to the GUI and may be called from any thread."""

    def __init__(self, write: Write, load: Load, abort: Callable[[], None]) -> None:
        """Create a loop; `load` returns the session, `abort` ends the process if that fails."""
        self._write, self._load, self._abort = write, load, abort
        self._commands: SimpleQueue[list[str] | None] = SimpleQueue()
        self._is_loaded = False
        self._next_progress_s = 0.0

    def run(self, lines: Iterable[str]) -> None:
        """Handle commands until `quit` or the end of input, which end a search in progress."""
        executor = threading.Thread(target=self._load_and_execute, name="engine88-commands", daemon=True)
        executor.start()
        grace_s = END_GRACE_S
        for line in lines:
            words = line.split()
            if words[:1] == ["quit"]:
                grace_s = QUIT_GRACE_S
                break
            if words[:1] == ["uci"]:
                self._identify()
            elif words:
                self._commands.put(words)
        if not self._is_loaded and (grace_s == QUIT_GRACE_S or self._commands.empty()):
            return  # nothing to end
        self._commands.put(None)
        executor.join(grace_s)

    def progress(self, done: int, total: int) -> None:
        """Report how many kernels are compiled, once a second at most."""
        now_s = time.monotonic()
        if done == total or now_s >= self._next_progress_s:
            self._next_progress_s = now_s + PROGRESS_INTERVAL_S
            self._write(f"info string compiling the engine for this machine, only once: {done} of {total} kernels")

    def _identify(self) -> None:
        for line in (f"id name {NAME}", f"id author {AUTHOR}", *option_lines(), "uciok"):
            self._write(line)

    def _load_and_execute(self) -> None:
        try:
            session = self._load(self._write, self.progress)
        except Exception as error:  # noqa: BLE001 -- reported to the GUI, and the process ends with an error code
            self._report("the engine cannot start", error)
            self._abort()
            return
        self._is_loaded = True
        while (words := self._commands.get()) is not None:
            self._execute(session, words)
        session.close()

    def _execute(self, session: "Session", words: list[str]) -> None:
        """Execute a command; report an error in one `info string`."""
        try:
            session.execute(words)
        except UciError as error:
            self._write(f"info string {error}")
        except Exception as error:  # noqa: BLE001 -- reported, and the loop continues
            self._report(f"internal error at {words[0]!r}", error)

    def _report(self, what: str, error: Exception) -> None:
        """Send an error to the GUI in one line, and the traceback to stderr."""
        traceback.print_exception(error)
        self._write(f"info string {what}: {type(error).__name__}: {' '.join(str(error).split())}")


class Output:
    """Writes lines to a file descriptor in a separate thread, so that `write` never blocks."""

    def __init__(self, descriptor: int) -> None:
        """Start the thread; it ends the process when nobody can read the output any more."""
        self._descriptor = descriptor
        self._waiting: SimpleQueue[bytes | threading.Event] = SimpleQueue()
        threading.Thread(target=self._work, name="engine88-output", daemon=True).start()

    def write(self, line: str) -> None:
        """Queue one line."""
        if self._waiting.qsize() < MAX_WAITING_LINES or not line.startswith("info "):
            self._waiting.put(f"{line}\n".encode())

    def flush(self, timeout_s: float) -> None:
        """Wait until every queued line is written, at most `timeout_s`."""
        written = threading.Event()
        self._waiting.put(written)
        written.wait(timeout_s)

    def _work(self) -> None:
        while True:
            item = self._waiting.get()
            if isinstance(item, threading.Event):
                item.set()
                continue
            try:
                while item:
                    item = item[os.write(self._descriptor, item) :]
            except OSError:  # the GUI closed the pipe, which is not an error of ours
                os._exit(0)


def run_uci() -> int:
    """Speak UCI over stdin and stdout until `quit` or the end of input; return the exit code.

    Other writes to stdout, such as a library's, are redirected to stderr.
    """
    sys.stdout.flush()
    output = Output(os.dup(1))
    os.dup2(2, 1)
    loop = UciLoop(output.write, _load_session, lambda: _abort(output))
    try:
        loop.run(raw.decode("utf-8", errors="replace") for raw in sys.stdin.buffer)
    except KeyboardInterrupt:
        return 130
    output.flush(FLUSH_S)
    return 0


def _abort(output: Output) -> None:
    output.flush(FLUSH_S)
    os._exit(1)


def _load_session(write: Write, progress: Progress) -> "Session":
    """Import the kernels, compile those that a search needs if they are missing, and create the session."""
    from engine88.compiler.warmup import warm_up_search

    warm_up_search(progress)
    from engine88.uci.session import Session

    return Session(write)
