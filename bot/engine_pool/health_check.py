"""The periodic check of one engine process: a probe where it is silent, its failure where it is unresponsive."""

from __future__ import annotations

from bot.engine_pool.lifetime import procfs
from bot.engine_pool.liveness import LivenessSample, check_liveness
from bot.engine_pool.protocol import MonitoredUci
from bot.errors import EngineTimeout
from bot.settings import EngineEntry


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
            self._cpu_at_probe = procfs.cpu_seconds(self._pid)
            self._protocol.probe()
        elif verdict:
            self._protocol.fail(EngineTimeout(f"{self._entry.name}: {verdict}"))

    def _sample(self, now: float) -> LivenessSample:
        probe_sent_at = self._protocol.probe_sent_at
        cpu_s = None
        if probe_sent_at is not None and self._cpu_at_probe is not None:
            cpu = procfs.cpu_seconds(self._pid)
            cpu_s = None if cpu is None else cpu - self._cpu_at_probe
        return LivenessSample(
            stopped=procfs.process_state(self._pid) in ("T", "t"),
            searching=self._protocol.searching,
            silent_s=now - max(self._protocol.last_output_at, self._protocol.search_started_at),
            probe_age_s=None if probe_sent_at is None else now - probe_sent_at,
            cpu_s=cpu_s,
            answers_probes=self._protocol.answers_probes,
            remote=self._entry.remote,
            clock_s=self.clock_s,
        )
