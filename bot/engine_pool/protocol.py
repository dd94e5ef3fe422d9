"""python-chess's UCI driver with an eye on the engine: what it says, how much, and whether it still answers.

Everything here runs in the pool's own thread.
"""

from __future__ import annotations

import asyncio
import collections
import time
from collections.abc import Callable

import chess.engine
import structlog

from bot.errors import EngineBabbles, EngineDied, EngineError

log = structlog.get_logger(__name__)

MAX_LINE_BYTES = 64 * 1024  # a variation of 246 moves has 1.5 KiB
MAX_UNKNOWN_LINES = 100  # per search; chatty engines greet with a handful
MAX_LINES_PER_S = 20_000  # a burst of the first iterations is a few hundred
_WORDS = frozenset({"info", "bestmove", "readyok", "uciok", "id", "option", "copyprotection", "registration"})


class WatchedUci(chess.engine.UciProtocol):
    """One engine's pipe. `on_trouble` is called once, at once, with the reason the engine has become useless."""

    def __init__(self) -> None:
        super().__init__()
        self.on_trouble: Callable[[EngineError], None] | None = None
        self.trouble: EngineError | None = None
        self.muted = False  # nobody listens any more; commands given up before must not hear of answers
        self.exited = asyncio.Event()
        self.said: collections.deque[str] = collections.deque(maxlen=5)
        self.last_heard = self.last_go = time.monotonic()
        self.probe_sent: float | None = None
        self.answers_probes = False
        self.searching = False
        self._stop_wanted = False
        self._unknown = 0
        self._lines = 0
        self._window_start = 0.0
        self.info_line = ""
        self._asked = False  # the search that runs answers the question, it does not ponder
        self._on_bestmove: Callable[[list[str]], None] | None = None

    # -- out

    def send_line(self, line: str) -> None:
        """Write one line; a `go` first forgets what the search before it said."""
        # python-chess may begin a command that waited for another's end, although it was given up meanwhile.
        given_up = self.command is not None and self.command.result.cancelled()
        if line.startswith("go"):
            self.searching, self._unknown, self.info_line = True, 0, ""
            self._asked = not line.startswith("go ponder") and not given_up
            self.last_go = time.monotonic()
        elif line == "ponderhit":
            self._asked = not given_up
        super().send_line(line)
        if line.startswith(("go", "ponderhit")) and (given_up or (self._stop_wanted and self._asked)):
            super().send_line("stop")

    def expect(self, on_bestmove: Callable[[list[str]], None]) -> None:
        """A question begins: its `bestmove` line, in words, goes to the callback before anything else happens."""
        self._on_bestmove, self._asked, self._stop_wanted = on_bestmove, False, False

    def stop_search(self) -> None:
        """Ask for the best move now; waits for the `go` where that is still to come."""
        self._stop_wanted = True
        if self.searching and self._asked:
            super().send_line("stop")

    def begin_game(self, game: object) -> None:
        """Send `ucinewgame` ahead of the first question, so that the first move does not wait for it."""
        self.game = game
        self._ucinewgame()

    def probe(self) -> None:
        """Ask for a sign of life; UCI demands an immediate answer, also while searching."""
        if self.probe_sent is None:
            self.probe_sent = time.monotonic()
            self.send_line("isready")

    # -- in

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """Split into lines in one go (the parent class's loop is quadratic in a flood) and judge each."""
        if self.trouble is not None or self.muted:
            return
        raw = data if isinstance(data, bytes) else data.encode()
        buffer = self.buffer[fd]
        buffer.extend(raw)
        lines = bytes(buffer).split(b"\n")
        self.buffer[fd] = bytearray(lines.pop())
        if fd != 1:
            self._hear_errors(lines)
            return
        self.last_heard = time.monotonic()
        if len(self.buffer[fd]) > MAX_LINE_BYTES:
            self.fail(EngineBabbles(f"a line of more than {MAX_LINE_BYTES} bytes"))
        for line in lines:
            if self.trouble is not None:
                return
            self._hear(line.decode("utf-8", "replace").rstrip("\r"))

    def _hear(self, line: str) -> None:
        word = line.split(None, 1)[0] if line.strip() else ""
        self._count()
        if word == "info":
            if " score " in line:
                self.info_line = line
        elif word == "bestmove" and self.searching:
            self.searching = False
            on_bestmove, self._on_bestmove = (self._on_bestmove, None) if self._asked else (None, self._on_bestmove)
            if on_bestmove is not None:
                on_bestmove(line.split())
            self._line_received(line)
        elif word == "readyok" and self.probe_sent is not None:
            self.probe_sent, self.answers_probes = None, True
        elif word in _WORDS and word != "bestmove":
            self._line_received(line)
        elif word:
            self._doubt(line)

    def _doubt(self, line: str) -> None:
        self._unknown += 1
        self.said.append(line[:200])
        if self._unknown > MAX_UNKNOWN_LINES:
            self.fail(EngineBabbles(f"{self._unknown} lines that are not UCI, the last: {line[:80]!r}"))

    def _count(self) -> None:
        self._lines += 1
        if self.last_heard - self._window_start > 1.0:
            self._window_start, self._lines = self.last_heard, 1
        elif self._lines > MAX_LINES_PER_S:
            self.fail(EngineBabbles(f"more than {MAX_LINES_PER_S} lines in a second"))

    def _hear_errors(self, lines: list[bytes]) -> None:
        for line in lines[-5:]:
            text = line.decode("utf-8", "replace").strip()[:200]
            if text:
                self.said.append(text)
                log.debug("engine_stderr", engine=str(self), text=text)
        if len(self.buffer[2]) > MAX_LINE_BYTES:
            self.buffer[2] = bytearray()

    # -- end

    def process_exited(self) -> None:
        """The process is gone, though a child of it may still hold the pipe."""
        super().process_exited()
        self.exited.set()
        self.fail(EngineDied(f"the engine process ended{self.last_words()}"))

    def last_words(self) -> str:
        """What the engine said last outside UCI, as the tail of a sentence."""
        return f"; it said: {' | '.join(self.said)}" if self.said else ""

    def fail(self, trouble: EngineError) -> None:
        """Note the first trouble and tell the owner at once."""
        if self.trouble is None:
            self.trouble = trouble
            if self.on_trouble is not None:
                self.on_trouble(trouble)
