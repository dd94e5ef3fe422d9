"""The periodic check of an engine process: is it still working, by what is seen at its pipe and, on Linux, in /proc?"""

from __future__ import annotations

import math
from pathlib import Path

from bot.engine_pool.protocol import MonitoredUci
from bot.errors import EngineTimeout
from bot.settings import EngineEntry

_CLOCK_TICKS_PER_S = 100  # USER_HZ of Linux, fixed on all its architectures


def process_state(pid: int) -> str:
    """The kernel's letter for the process (R, S, T, Z, ...); "" where there is no /proc or no such process."""
    fields = _stat(pid)
    return fields[0] if fields else ""


def cpu_seconds(pid: int) -> float | None:
    """Processor time of the process and its living descendants; None where it cannot be known."""
    fields = _stat(pid)
    if not fields:
        return None
    total = (int(fields[11]) + int(fields[12])) / _CLOCK_TICKS_PER_S
    return total + sum(cpu_seconds(child) or 0.0 for child in _children(pid))


def _stat(pid: int) -> list[str]:
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return []
    return text.rpartition(")")[2].split()


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    except OSError:
        return []


CHECK_INTERVAL_S = 0.25  # between two looks at every engine
PROBE_AFTER_S = 0.4  # silence while searching before `isready` is sent
BUSY_TIMEOUT_S = 5.0  # an unanswered probe of an engine that burns time, but did answer earlier probes
WORKING_SHARE = 0.02  # of one processor: below this an engine is not searching, even on a crowded machine


def silence_timeout_s(clock_s: float | None, distant: bool) -> float:
    """Return how long a probe may stay unanswered by an engine that shows no other sign of work.

    A twelfth of the clock: between 0.8 and 5 s for a process of this machine, which may be loading a network or be
    paged out; between 1.5 and 6 s for a `distant` one, whose network may stall.
    """
    least, most = (1.5, 6.0) if distant else (0.8, 5.0)
    return most if clock_s is None else max(least, min(most, clock_s / 12))


class HealthCheck:
    """`clock_s`: our clock at the start of the search that runs, in seconds; None where no clock limits it."""

    def __init__(self, entry: EngineEntry, pid: int, protocol: MonitoredUci) -> None:
        self.clock_s: float | None = None
        self._entry, self._pid, self._protocol = entry, pid, protocol
        self._cpu_at_probe: float | None = None

    def check(self, now: float) -> None:
        """Look at the engine once, and probe it or fail it; `now` is monotonic, in seconds."""
        protocol, problem = self._protocol, ""
        if protocol.failure is not None:
            return
        if process_state(self._pid) in ("T", "t"):
            problem = "the process was stopped by a signal"
        elif protocol.searching and protocol.probe_sent_at is not None:
            problem = self._problem_since(protocol.probe_sent_at, now)
        elif protocol.searching and self._silent_s(now) > PROBE_AFTER_S:
            self._cpu_at_probe = cpu_seconds(self._pid)
            protocol.probe()
        if problem:
            protocol.fail(EngineTimeout(f"{self._entry.name}: {problem}"))

    def _silent_s(self, now: float) -> float:
        return now - max(self._protocol.last_output_at, self._protocol.search_started_at)

    def _problem_since(self, probe_sent_at: float, now: float) -> str:
        """Return why an engine that has not answered the probe has to be replaced, "" as long as it may be working."""
        waited_s = min(now - probe_sent_at, self._silent_s(now))  # any output since the probe counts as an answer
        cpu_now_s = None if self._cpu_at_probe is None else cpu_seconds(self._pid)
        cpu_s = None if cpu_now_s is None or self._cpu_at_probe is None else cpu_now_s - self._cpu_at_probe
        distant = self._entry.remote or cpu_s is None
        limit_s = silence_timeout_s(self.clock_s, distant)
        if not distant and cpu_s is not None and cpu_s >= WORKING_SHARE * waited_s:
            limit_s = BUSY_TIMEOUT_S if self._protocol.answers_probes else math.inf
        return f"no sign of life for {waited_s:.1f} s" if waited_s > limit_s else ""
