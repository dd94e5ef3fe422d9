"""The check of one process: when it is probed, what counts as work, when it has failed."""

from __future__ import annotations

import pytest

from bot.engine_pool.health import HealthCheck
from bot.engine_pool.lifetime import processes as procfs
from bot.errors import EngineError, EngineTimeout
from tests.helpers.engines import remote_entry, tiny_entry


class SilentEngine:
    """A search that began at 100 s and has written nothing since."""

    def __init__(self) -> None:
        self.failure: EngineError | None = None
        self.probe_sent_at: float | None = None
        self.last_output_at, self.search_started_at = 0.0, 100.0
        self.searching, self.answers_probes = True, False
        self.probes = 0
        self.now = 0.0

    def probe(self) -> None:
        self.probes += 1
        self.probe_sent_at = self.now

    def fail(self, failure: EngineError) -> None:
        self.failure = failure


class Machine:
    """What /proc would tell."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.state, self.share, self.known = "S", 0.0, True
        self.now = 0.0
        monkeypatch.setattr(procfs, "process_state", lambda _pid: self.state)
        monkeypatch.setattr(procfs, "cpu_seconds", self.cpu_seconds)

    def cpu_seconds(self, _pid: int) -> float | None:
        return 7.0 + self.share * self.now if self.known else None


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


def failed_after(
    machine: Machine, engine: SilentEngine, *, clock_s: float | None = 60.0, remote: bool = False
) -> float:
    """Seconds of silence after which the engine has failed; 100 when it has not."""
    entry = remote_entry("none") if remote else tiny_entry()
    check = HealthCheck(entry, 4711, engine)  # type: ignore[arg-type]  # the part of a protocol that is used
    check.clock_s = clock_s
    for tick in range(400):
        engine.now = machine.now = 100.0 + tick * 0.25
        check.check(engine.now)
        if engine.failure is not None:
            return tick * 0.25
    return 100.0


def test_a_silent_engine_that_does_nothing_fails_after_its_timeout(machine: Machine) -> None:
    engine = SilentEngine()
    assert failed_after(machine, engine) == pytest.approx(0.5 + 5.25)
    assert isinstance(engine.failure, EngineTimeout)
    assert str(engine.failure) == "tiny: no sign of life for 5.2 s"
    assert engine.probes == 1


def test_with_little_time_on_the_clock_it_fails_sooner(machine: Machine) -> None:
    assert failed_after(machine, SilentEngine(), clock_s=12.0) == pytest.approx(0.5 + 1.25)


def test_a_silent_engine_that_uses_the_processor_is_left_alone(machine: Machine) -> None:
    machine.share = 0.9
    engine = SilentEngine()
    assert failed_after(machine, engine) == 100.0
    assert engine.probes == 1


def test_a_busy_engine_that_used_to_answer_fails(machine: Machine) -> None:
    machine.share = 0.9
    engine = SilentEngine()
    engine.answers_probes = True
    assert failed_after(machine, engine, clock_s=6.0) == pytest.approx(0.5 + 5.25)


def test_time_used_before_the_probe_does_not_count_as_work(machine: Machine) -> None:
    machine.share = 0.01  # 1 s in the 100 s before; below the share of a search since then
    assert failed_after(machine, SilentEngine(), clock_s=12.0) == pytest.approx(0.5 + 1.25)


def test_without_proc_a_silent_engine_is_given_more_time(machine: Machine) -> None:
    machine.known = False
    assert failed_after(machine, SilentEngine(), clock_s=12.0) == pytest.approx(0.5 + 1.75)


def test_processor_time_that_was_unknown_at_the_probe_says_nothing(machine: Machine) -> None:
    class Hidden(SilentEngine):
        def probe(self) -> None:
            super().probe()
            machine.known = True  # from now on

    machine.known, machine.share = False, 0.9
    assert failed_after(machine, Hidden(), clock_s=12.0) == pytest.approx(0.5 + 1.75)


def test_the_processor_time_of_a_remote_connection_says_nothing(machine: Machine) -> None:
    machine.share = 0.9
    assert failed_after(machine, SilentEngine(), clock_s=12.0, remote=True) == pytest.approx(0.5 + 1.75)


@pytest.mark.parametrize("state", ["T", "t"])
def test_a_stopped_engine_fails_at_once_even_between_searches(machine: Machine, state: str) -> None:
    machine.state = state
    engine = SilentEngine()
    engine.searching = False
    assert failed_after(machine, engine) == 0.0
    assert "stopped by a signal" in str(engine.failure)


def test_output_counts_as_a_sign_of_life(machine: Machine) -> None:
    engine = SilentEngine()
    engine.last_output_at = 150.0
    assert failed_after(machine, engine) == pytest.approx(50.5 + 5.25)


def test_a_failed_engine_is_not_looked_at(machine: Machine) -> None:
    engine = SilentEngine()
    engine.failure = EngineError("gone")
    assert failed_after(machine, engine) == 0.0
    assert (str(engine.failure), engine.probes) == ("gone", 0)
