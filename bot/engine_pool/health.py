"""The periodic check of an engine process: is it still working, by what is seen at its pipe and, on Linux, in /proc?"""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class LivenessSample:
    """One look at one engine; times in seconds.

    `probe_age_s`: None while no probe is unanswered; `cpu_s`: processor time used since the probe, None where it
    cannot be known; `clock_s`: our clock when the search began, None where none runs.
    """

    stopped: bool
    searching: bool
    silent_s: float
    probe_age_s: float | None
    cpu_s: float | None
    answers_probes: bool
    remote: bool
    clock_s: float | None = None


def silence_timeout_s(clock_s: float | None, distant: bool) -> float:
    """Return how long a probe may stay unanswered by an engine that shows no other sign of work.

    A twelfth of the clock: between 0.8 and 5 s for a process of this machine, which may be loading a network or be
    paged out; between 1.5 and 6 s for a `distant` one, whose network may stall.
    """
    least, most = (1.5, 6.0) if distant else (0.8, 5.0)
    return most if clock_s is None else max(least, min(most, clock_s / 12))


def check_liveness(sample: LivenessSample) -> str:
    """Return "" (healthy), "probe" (send `isready`), or the reason why the process must be replaced."""
    if sample.stopped:
        return "the process was stopped by a signal"
    if not sample.searching:
        return ""
    if sample.probe_age_s is None:
        return "probe" if sample.silent_s > PROBE_AFTER_S else ""
    waited_s = min(sample.probe_age_s, sample.silent_s)  # any output since the probe counts as an answer
    distant = sample.remote or sample.cpu_s is None
    if sample.cpu_s is None or distant or sample.cpu_s < WORKING_SHARE * waited_s:
        return _unresponsive(waited_s) if waited_s > silence_timeout_s(sample.clock_s, distant) else ""
    return _unresponsive(waited_s) if sample.answers_probes and waited_s > BUSY_TIMEOUT_S else ""


def _unresponsive(waited_s: float) -> str:
    return f"no sign of life for {waited_s:.1f} s"


class HealthCheck:
    """`clock_s`: our clock at the start of the search that runs, in seconds; None where no clock limits it."""

    def __init__(self, entry: EngineEntry, pid: int, protocol: MonitoredUci) -> None:
        self.clock_s: float | None = None
        self._entry, self._pid, self._protocol = entry, pid, protocol
        self._cpu_at_probe: float | None = None

    def check(self, now: float) -> None:
        """Look at the engine once; `now` is monotonic, in seconds."""
        if self._protocol.failure is not None:
            return
        verdict = check_liveness(self._sample(now))
        if verdict == "probe":
            self._cpu_at_probe = cpu_seconds(self._pid)
            self._protocol.probe()
        elif verdict:
            self._protocol.fail(EngineTimeout(f"{self._entry.name}: {verdict}"))

    def _sample(self, now: float) -> LivenessSample:
        probe_sent_at = self._protocol.probe_sent_at
        cpu_s = None
        if probe_sent_at is not None and self._cpu_at_probe is not None:
            cpu = cpu_seconds(self._pid)
            cpu_s = None if cpu is None else cpu - self._cpu_at_probe
        return LivenessSample(
            stopped=process_state(self._pid) in ("T", "t"),
            searching=self._protocol.searching,
            silent_s=now - max(self._protocol.last_output_at, self._protocol.search_started_at),
            probe_age_s=None if probe_sent_at is None else now - probe_sent_at,
            cpu_s=cpu_s,
            answers_probes=self._protocol.answers_probes,
            remote=self._entry.remote,
            clock_s=self.clock_s,
        )
