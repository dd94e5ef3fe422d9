"""The UCI loop: reads commands, never blocks, and survives any input.

Kernels take a second to load and a minute to compile the first time, so a thread of their own loads them: ``uci``
is answered at once, commands that need the engine wait in a queue until it is loaded, and ``quit`` is executed
meanwhile.
"""

import os
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from engine88.uci.options import option_lines
from engine88.uci.text import NAME, UciError

if TYPE_CHECKING:
    from engine88.uci.session import Session

Write = Callable[[str], None]
Progress = Callable[[int, int], None]
Load = Callable[[Write, Progress], "Session"]

AUTHOR = "the bot88 authors"
# After the end of input, commands that still wait for the kernels get this long.
END_GRACE_S = 5.0
PROGRESS_INTERVAL_S = 1.0


class UciLoop:
    """Dispatches commands; ``write`` sends one line to the GUI and may be called from any thread."""

    def __init__(self, write: Write, load: Load, abort: Callable[[], None]) -> None:
        """Make a loop; ``load`` brings the engine, ``abort`` ends the process when it cannot."""
        self._write, self._load, self._abort = write, load, abort
        self._session: Session | None = None
        self._pending: deque[list[str]] = deque()
        self._lock = threading.Lock()
        self._loaded = threading.Event()
        self._next_progress_s = 0.0

    def run(self, lines: Iterable[str]) -> None:
        """Handle commands until ``quit`` or the end of input; a search in progress then ends at once."""
        threading.Thread(target=self._load_engine, name="engine88-load", daemon=True).start()
        for line in lines:
            words = line.split()
            if words and words[0] == "quit":
                self._end(0.0)
                return
            if words:
                self.handle(words)
        self._end(END_GRACE_S if self._pending else 0.0)

    def handle(self, words: list[str]) -> None:
        """Handle one command, now or as soon as the engine is there."""
        if words[0] == "uci":
            for line in (f"id name {NAME}", f"id author {AUTHOR}", *option_lines(), "uciok"):
                self._write(line)
            return
        with self._lock:
            if self._session is None:
                self._pending.append(words)
            else:
                self._execute(self._session, words)

    def progress(self, done: int, total: int) -> None:
        """Say how far the compiler has come, once a second at most."""
        now_s = time.monotonic()
        if done == total or now_s >= self._next_progress_s:
            self._next_progress_s = now_s + PROGRESS_INTERVAL_S
            self._write(f"info string compiling the engine for this machine, only once: {done} of {total} kernels")

    def _load_engine(self) -> None:
        """Load the engine, then handle what has queued up; without an engine there is no use in going on."""
        try:
            session = self._load(self._write, self.progress)
        except Exception as error:  # noqa: BLE001 -- reported to the GUI, and the process ends with an error code
            self._report("the engine cannot start", error)
            self._abort()
            return
        with self._lock:
            while self._pending:
                self._execute(session, self._pending.popleft())
            self._session = session
        self._loaded.set()

    def _execute(self, session: "Session", words: list[str]) -> None:
        """Execute a command that needs the engine; what is wrong with it becomes one ``info string``."""
        try:
            session.execute(words)
        except UciError as error:
            self._write(f"info string {error}")
        except Exception as error:  # noqa: BLE001 -- reported, and the loop lives on
            self._report(f"internal error at {words[0]!r}", error)

    def _report(self, what: str, error: Exception) -> None:
        """Send the gist of an error to the GUI and all of it to stderr."""
        traceback.print_exception(error)
        self._write(f"info string {what}: {type(error).__name__}: {' '.join(str(error).split())}")

    def _end(self, grace_s: float) -> None:
        """End the search, if the engine is there or comes within the grace."""
        if self._loaded.wait(grace_s) and self._session is not None:
            self._session.close()


def run_uci() -> int:
    """Speak UCI over stdin and stdout until ``quit`` or the end of input; return the exit code.

    Nothing else can reach stdout: what prints by itself is sent to stderr.
    """
    sys.stdout.flush()
    out = os.dup(1)
    os.dup2(2, 1)
    lock = threading.Lock()

    def write(line: str) -> None:
        data = f"{line}\n".encode()
        with lock:
            try:
                while data:
                    data = data[os.write(out, data) :]
            except OSError:  # nobody listens any more, and that is no error of ours
                os._exit(0)

    loop = UciLoop(write, _load_session, lambda: os._exit(1))
    try:
        loop.run(raw.decode("utf-8", errors="replace") for raw in sys.stdin.buffer)
    except KeyboardInterrupt:
        return 130
    return 0


def _load_session(write: Write, progress: Progress) -> "Session":
    """Import the kernels (compiling them if need be) and make the engine."""
    from engine88.compiler.jit import warm_up

    warm_up(progress)
    from engine88.uci.session import Session

    return Session(write)
