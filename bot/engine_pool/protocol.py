"""python-chess's UCI protocol, monitored: what the engine writes, how much, and whether it still answers.

Everything here runs in the pool's own thread.
"""

from __future__ import annotations

import asyncio
import collections
import time
from collections.abc import Callable

import chess.engine
import structlog

from bot.engine_pool.values import ERROR, OFFERS_DRAW, RESIGNS
from bot.errors import EngineDied, EngineError, EngineProtocolError

log = structlog.get_logger(__name__)

MAX_LINE_BYTES = 64 * 1024  # a variation of 246 moves has 1.5 KiB
MAX_UNKNOWN_LINES = 100  # per search; verbose engines print a handful at their start
MAX_LINES_PER_S = 20_000  # a burst of the first iterations is a few hundred
MAX_NOTES = 10  # per search
_NOTE = "info string "
_WORDS = frozenset({"info", "bestmove", "readyok", "uciok", "id", "option", "copyprotection", "registration"})


class MonitoredUci(chess.engine.UciProtocol):
    """One engine's pipes. `on_failure` is called once, at once, with the reason why the engine is unusable."""

    def __init__(self) -> None:
        super().__init__()
        self.on_failure: Callable[[EngineError], None] | None = None
        self.failure: EngineError | None = None
        self.output_ignored = False  # the process is being ended; cancelled commands must not receive its output
        self.exited = asyncio.Event()
        self.stderr_closed = asyncio.Event()
        self.recent_output: collections.deque[str] = collections.deque(maxlen=5)
        self.last_output_at = self.search_started_at = time.monotonic()
        self.probe_sent_at: float | None = None
        self.answers_probes = False
        self.searching = False
        self._stop_requested = False
        self._unknown_lines = 0
        self._lines = 0
        self._window_start = 0.0
        self.info_line = ""
        self.notes: list[str] = []  # of the running search
        self._awaiting_answer = False  # the running search was asked for a move, it does not ponder
        self._on_bestmove: Callable[[list[str]], None] | None = None

    # -- output to the engine

    def send_line(self, line: str) -> None:
        """Write one line; a `go` first clears what the previous search has written."""
        # python-chess starts a command that was queued behind another one even if it was cancelled meanwhile.
        cancelled = self.command is not None and self.command.result.cancelled()
        if line.startswith("go"):
            self.searching, self._unknown_lines, self.info_line, self.notes = True, 0, "", []
            self._awaiting_answer = not line.startswith("go ponder") and not cancelled
            self.search_started_at = time.monotonic()
        elif line == "ponderhit":
            self._awaiting_answer = not cancelled
        super().send_line(line)
        if line.startswith(("go", "ponderhit")) and (cancelled or (self._stop_requested and self._awaiting_answer)):
            super().send_line("stop")

    def begin_search(self, on_bestmove: Callable[[list[str]], None]) -> None:
        """Register the callback of the next search; it gets the words of `bestmove` before anything else happens."""
        self._on_bestmove, self._awaiting_answer, self._stop_requested = on_bestmove, False, False

    def stop_search(self) -> None:
        """Ask for the best move now; if `go` has not been sent yet, `stop` follows it."""
        self._stop_requested = True
        if self.searching and self._awaiting_answer:
            super().send_line("stop")

    def begin_game(self, game: object) -> None:
        """Send `ucinewgame` ahead of the first search, so that the first move does not wait for it."""
        self.game = game
        self._ucinewgame()

    def probe(self) -> None:
        """Send `isready`; UCI demands an immediate answer, also while searching."""
        if self.probe_sent_at is None:
            self.probe_sent_at = time.monotonic()
            self.send_line("isready")

    # -- input from the engine

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """Split into lines at once (the parent class's loop is quadratic in a flood) and handle each."""
        if self.output_ignored or (self.failure is not None and fd == 1):
            return
        raw = data if isinstance(data, bytes) else data.encode()
        buffer = self.buffer[fd]
        buffer.extend(raw)
        lines = bytes(buffer).split(b"\n")
        self.buffer[fd] = bytearray(lines.pop())
        if fd != 1:
            self._handle_stderr(lines)
            return
        self.last_output_at = time.monotonic()
        if len(self.buffer[fd]) > MAX_LINE_BYTES:
            self.fail(EngineProtocolError(f"a line of more than {MAX_LINE_BYTES} bytes"))
        for line in lines:
            if self.failure is not None:
                return
            self._handle_line(line.decode("utf-8", "replace").rstrip("\r"))

    def _handle_line(self, line: str) -> None:
        word = line.split(None, 1)[0] if line.strip() else ""
        self._check_line_rate()
        if word == "info":
            if " score " in line:
                self.info_line = line
            elif line.startswith(_NOTE):
                self._take_note(line.removeprefix(_NOTE))
        elif word == "bestmove" and self.searching:
            self.searching = False
            if self._awaiting_answer and self._on_bestmove is not None:
                on_bestmove, self._on_bestmove = self._on_bestmove, None
                on_bestmove(line.split())
            self._line_received(line)
        elif word == "readyok" and self.probe_sent_at is not None:
            self.probe_sent_at, self.answers_probes = None, True
        elif word in _WORDS and word != "bestmove":
            self._line_received(line)
        elif word:
            self._handle_unknown_line(line)

    def _take_note(self, text: str) -> None:
        """Keep what the bot acts on: an error of the engine, which is logged, a draw offer, a resignation."""
        if text.startswith(ERROR):
            log.error("engine_reports", engine=self.id.get("name", ""), error=text.removeprefix(ERROR).strip())
        if (text.startswith(ERROR) or text in (OFFERS_DRAW, RESIGNS)) and len(self.notes) < MAX_NOTES:
            self.notes.append(text)

    def _handle_unknown_line(self, line: str) -> None:
        self._unknown_lines += 1
        self.recent_output.append(line[:200])
        if self._unknown_lines > MAX_UNKNOWN_LINES:
            self.fail(EngineProtocolError(f"{self._unknown_lines} lines that are not UCI, the last: {line[:80]!r}"))

    def _check_line_rate(self) -> None:
        self._lines += 1
        if self.last_output_at - self._window_start > 1.0:
            self._window_start, self._lines = self.last_output_at, 1
        elif self._lines > MAX_LINES_PER_S:
            self.fail(EngineProtocolError(f"more than {MAX_LINES_PER_S} lines in a second"))

    def _handle_stderr(self, lines: list[bytes]) -> None:
        for line in lines[-5:]:
            text = line.decode("utf-8", "replace").strip()[:200]
            if text:
                self.recent_output.append(text)
                log.debug("engine_stderr", engine=str(self), text=text)
        if len(self.buffer[2]) > MAX_LINE_BYTES:
            self.buffer[2] = bytearray()

    # -- failure

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """asyncio: a pipe is closed; the last line on stderr may lack its end."""
        super().pipe_connection_lost(fd, exc)
        if fd == 2:
            self._handle_stderr([bytes(self.buffer[2])])
            self.stderr_closed.set()

    def process_exited(self) -> None:
        """asyncio: the process has ended, though a child of it may still hold the pipe."""
        super().process_exited()
        self.exited.set()
        self.fail(EngineDied(f"the engine process ended{self.output_tail()}"))

    def output_tail(self) -> str:
        """The engine's last lines outside UCI, stderr included, as the tail of a sentence."""
        return f"; its last output: {' | '.join(self.recent_output)}" if self.recent_output else ""

    def fail(self, failure: EngineError) -> None:
        """Record the first failure and call `on_failure` at once; later ones are ignored."""
        if self.failure is None:
            self.failure = failure
            if self.on_failure is not None:
                self.on_failure(failure)
