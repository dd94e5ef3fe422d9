"""An engine in a process of its own, spoken to over UCI."""

import queue
import re
import shlex
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

_START_S: Final = 180.0
"""Time for `uciok` and `readyok`: an engine may have to compile first."""
_QUIT_S: Final = 2.0
_REFUSAL: Final = re.compile(
    r"\b(cannot|could not|error|fail(s|ed|ure)?|invalid|must be|no such|unknown)\b", re.IGNORECASE
)
"""UCI has no answer to `setoption`: an engine reports a refusal in its own words, if at all."""


class EngineError(RuntimeError):
    """An engine that ended, did not answer, or was not understood; the message names it."""


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """The command of an engine, its name in the match, and its UCI options."""

    name: str
    command: str
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class BestMove:
    """A move in UCI notation, and what was last said of it: centipawns for the mover (mates beyond 28000), depth."""

    move: str
    score_cp: int | None
    depth: int
    seconds: float


class UciEngine:
    """A running engine; `close` ends it."""

    def __init__(self, spec: EngineSpec) -> None:
        """Start the engine and wait until it is ready; raises EngineError."""
        self._name = spec.name
        try:
            self._process = subprocess.Popen(
                shlex.split(spec.command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                start_new_session=True,  # Ctrl-C is for the match: it ends its engines itself
            )
        except (OSError, ValueError) as error:
            raise EngineError(f"{spec.name}: {spec.command!r} cannot be started ({error})") from error
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            self._send("uci")
            known = option_names(self._lines_until("uciok"))
            self.ready()
            for name, value in spec.options:
                self._set_option(known, name, value)
        except EngineError:
            self.close()
            raise

    def _set_option(self, known: set[str], name: str, value: str) -> None:
        """Set an option; raises EngineError if the engine has none of that name, or says that it will not have it.

        A match in which one side plays with other settings than it was given would measure something else.
        """
        if name.lower() not in known:
            raise EngineError(f"{self._name}: has no option {name!r}")
        self._send(f"setoption name {name} value {value}\nisready")
        for line in self._lines_until("readyok"):
            if _REFUSAL.search(line):
                raise EngineError(
                    f"{self._name}: option {name}={value} is refused: {line.removeprefix('info string ')}"
                )

    def ready(self) -> None:
        """Wait until the engine has executed its commands. Raises EngineError."""
        self._send("isready")
        self._wait_for(lambda line: line == "readyok", _START_S)

    def new_game(self) -> None:
        """Announce that the next position is of another game."""
        self._send("ucinewgame")
        self.ready()

    def think(self, position: str, go: str, timeout_s: float) -> BestMove:
        """Send `position` and `go`, return the answer; raises EngineError if none comes in time."""
        began_s = time.perf_counter()
        self._send(f"{position}\n{go}")
        score_cp: int | None = None
        depth = 0
        while True:
            line = self._wait_for(lambda line: line.startswith(("info ", "bestmove ")), timeout_s)
            words = line.split()
            if words[0] == "bestmove" and len(words) > 1:
                return BestMove(words[1], score_cp, depth, time.perf_counter() - began_s)
            found = score_of_info(words)
            if found is not None:
                depth, score_cp = found

    def close(self) -> None:
        """End the engine: `quit` first, then by force."""
        if self._process.stdin is not None:
            try:
                self._process.stdin.write("quit\n")
                self._process.stdin.close()
            except OSError:
                self._process.kill()  # it no longer listens
        try:
            self._process.wait(_QUIT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def _send(self, text: str) -> None:
        stream = self._process.stdin
        if stream is None or stream.closed:
            raise EngineError(f"{self._name}: is closed")
        try:
            stream.write(text + "\n")
            stream.flush()
        except OSError as error:
            raise EngineError(f"{self._name}: has ended, exit status {self._process.poll()}") from error

    def _read(self) -> None:
        if self._process.stdout is not None:
            for line in self._process.stdout:
                self._lines.put(line.strip())
        self._lines.put(None)

    def _lines_until(self, last: str) -> list[str]:
        """Return the lines up to one that is waited for, without it; raises EngineError as `_wait_for` does."""
        lines: list[str] = []

        def arrived(line: str) -> bool:
            lines.append(line)
            return line == last

        self._wait_for(arrived, _START_S)
        return lines[:-1]

    def _wait_for(self, wanted: Callable[[str], bool], timeout_s: float) -> str:
        """Return the first line that is wanted; raises EngineError when the engine ends or says nothing for so long."""
        while True:
            try:
                line = self._lines.get(timeout=timeout_s)
            except queue.Empty:
                raise EngineError(f"{self._name}: no answer for {timeout_s:.0f} s") from None
            if line is None:
                raise EngineError(f"{self._name}: has ended, exit status {self._process.wait()}")
            if wanted(line):
                return line


def option_names(lines: list[str]) -> set[str]:
    """Names of the options that an engine declares, in lower case: UCI ignores case."""
    declared = (re.match(r"option\s+name\s+(.+?)\s+type\s", line) for line in lines)
    return {match[1].lower() for match in declared if match}


def score_of_info(words: list[str]) -> tuple[int, int] | None:
    """Depth and centipawns of an `info` line, None if it has no score, or one that is only a bound or a second line."""
    if "score" not in words or "lowerbound" in words or "upperbound" in words:
        return None
    if "multipv" in words and words[words.index("multipv") + 1] != "1":
        return None
    at = words.index("score")
    try:
        kind, value = words[at + 1], int(words[at + 2])
        depth = int(words[words.index("depth") + 1]) if "depth" in words else 0
    except (IndexError, ValueError):
        return None
    if kind == "mate":
        return depth, 30_000 - 2 * value if value > 0 else -30_000 - 2 * value
    return depth, value
