"""The check of one process: when it is probed, what counts as work, when it has failed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from bot.engine_pool import health
from bot.engine_pool.health import HealthCheck, silence_timeout_s
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
    """What /proc would show."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.state, self.share, self.known = "S", 0.0, True
        self.now = 0.0
        monkeypatch.setattr(health, "process_state", lambda _pid: self.state)
        monkeypatch.setattr(health, "cpu_seconds", self.cpu_seconds)

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


@pytest.mark.parametrize(
    ("share", "known", "remote", "answers", "clock_s", "fails_s"),
    [
        (0.0, True, False, False, 12.0, 1.25),  # with little time on the clock it fails sooner
        (0.9, True, False, False, 60.0, None),  # it uses the processor
        (0.9, True, False, True, 6.0, 5.25),  # it used to answer
        (0.01, True, False, False, 12.0, 1.25),  # what it used before the probe does not count
        (0.0, False, False, False, 12.0, 1.75),  # there is no /proc
        (0.9, True, True, False, 12.0, 1.75),  # that is the time of ssh
    ],
)
def test_how_long_a_silent_engine_is_waited_for(
    machine: Machine, share: float, known: bool, remote: bool, answers: bool, clock_s: float, fails_s: float | None
) -> None:
    machine.share, machine.known = share, known
    engine = SilentEngine()
    engine.answers_probes = answers
    expected = 100.0 if fails_s is None else 0.5 + fails_s
    assert failed_after(machine, engine, clock_s=clock_s, remote=remote) == pytest.approx(expected)
    assert engine.probes == 1


def test_processor_time_that_was_unknown_at_the_probe_says_nothing(machine: Machine) -> None:
    class Hidden(SilentEngine):
        def probe(self) -> None:
            super().probe()
            machine.known = True  # from now on

    machine.known, machine.share = False, 0.9
    assert failed_after(machine, Hidden(), clock_s=12.0) == pytest.approx(0.5 + 1.75)


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


NOBODY = 2**22 + 1  # above the largest process id of Linux
needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc on this system")


@needs_proc
def test_this_very_process() -> None:
    assert health.process_state(os.getpid()) in ("R", "S")
    cpu_s = health.cpu_seconds(os.getpid())
    assert cpu_s is not None
    assert cpu_s == pytest.approx(time.process_time(), abs=1.0)


def test_no_process() -> None:
    assert health.process_state(NOBODY) == ""
    assert health.cpu_seconds(NOBODY) is None


def test_a_process_that_ends_between_two_looks_has_no_children(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "_stat", lambda _pid: ["S", *["0"] * 10, "150", "50", "0"])
    assert health.cpu_seconds(NOBODY) == 2.0


@needs_proc
def test_the_time_of_children_counts() -> None:
    program = "import sys\nfor _ in range(10**7): pass\nprint(flush=True)\nsys.stdin.read()"
    wrapper = ["sh", "-c", '"$0" -c "$1"; true', sys.executable, program]
    with subprocess.Popen(wrapper, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        cpu_s = health.cpu_seconds(process.pid)
        process.communicate()
    assert cpu_s is not None
    assert cpu_s >= 0.05  # the shell itself takes none


def unanswered(seconds: float, **change: object) -> dict[str, object]:
    """A probe that has been waiting, with nothing else heard."""
    return {"silent_s": seconds, "probe_age_s": seconds, **change}


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ({}, ""),
        ({"searching": False, "silent_s": 1000.0}, ""),
        ({"silent_s": 0.4}, ""),
        ({"silent_s": 0.5}, "probe"),
        ({"stopped": True, "searching": False}, "the process was stopped by a signal"),
        (unanswered(4.9, cpu_s=0.0), ""),
        (unanswered(5.1, cpu_s=0.0), "no sign of life for 5.1 s"),
        (unanswered(4.9, cpu_s=0.0, clock_s=60.0), ""),
        (unanswered(2.6, cpu_s=0.0, clock_s=36.0), ""),  # loading a network, and the clock allows it
        (unanswered(3.1, cpu_s=0.0, clock_s=36.0), "no sign of life for 3.1 s"),
        (unanswered(0.7, cpu_s=0.0, clock_s=2.0), ""),
        (unanswered(0.9, cpu_s=0.0, clock_s=2.0), "no sign of life for 0.9 s"),
        ({"silent_s": 0.2, "probe_age_s": 9.0, "cpu_s": 0.0}, ""),  # it writes, though not in answer to the probe
        (unanswered(10.0, cpu_s=0.2), ""),  # a fiftieth of a processor is work
        (unanswered(60.0, cpu_s=55.0), ""),  # it works, and never answered a probe
        (unanswered(4.9, cpu_s=4.9, answers_probes=True), ""),
        (unanswered(5.1, cpu_s=5.1, answers_probes=True), "no sign of life for 5.1 s"),
        (unanswered(4.0, cpu_s=0.2, answers_probes=True, clock_s=10.0), ""),  # a crowded machine
        (unanswered(4.0, cpu_s=0.07, answers_probes=True, clock_s=10.0), "no sign of life for 4.0 s"),
        (unanswered(5.9, cpu_s=0.0, remote=True), ""),
        (unanswered(6.1, cpu_s=0.0, remote=True), "no sign of life for 6.1 s"),
        (unanswered(6.1, cpu_s=6.1, remote=True), "no sign of life for 6.1 s"),  # that is the time of ssh
        (unanswered(1.4, cpu_s=0.0, remote=True, clock_s=5.0), ""),
        (unanswered(1.6, cpu_s=0.0, remote=True, clock_s=5.0), "no sign of life for 1.6 s"),
        (unanswered(5.9, cpu_s=None), ""),
        (unanswered(6.1, cpu_s=None), "no sign of life for 6.1 s"),
    ],
)
def test_one_look(monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], verdict: str) -> None:
    sample = {"silent_s": 0.1, "probe_age_s": None, "cpu_s": None, "clock_s": None} | change
    engine, now = SilentEngine(), 1000.0
    engine.last_output_at = now - sample["silent_s"]
    engine.probe_sent_at = None if sample["probe_age_s"] is None else now - sample["probe_age_s"]
    engine.searching, engine.answers_probes = change.get("searching", True), change.get("answers_probes", False)
    entry = remote_entry("none") if change.get("remote") else tiny_entry()
    check = HealthCheck(entry, 4711, engine)  # type: ignore[arg-type]  # the part of a protocol that is used
    check.clock_s, check._cpu_at_probe = sample["clock_s"], 0.0
    monkeypatch.setattr(health, "process_state", lambda _pid: "T" if change.get("stopped") else "S")
    monkeypatch.setattr(health, "cpu_seconds", lambda _pid: sample["cpu_s"])
    check.check(now)
    problem = "" if engine.failure is None else str(engine.failure).removeprefix(f"{entry.name}: ")
    assert (problem, engine.probes) == (("", 1) if verdict == "probe" else (verdict, 0))


@pytest.mark.parametrize(
    ("clock_s", "distant", "expected"),
    [
        *[(None, False, 5.0), (600.0, False, 5.0), (30.0, False, 2.5), (1.0, False, 0.8)],
        *[(None, True, 6.0), (600.0, True, 6.0), (30.0, True, 2.5), (1.0, True, 1.5)],
    ],
)
def test_silence_timeout_follows_the_clock(clock_s: float | None, distant: bool, expected: float) -> None:
    assert silence_timeout_s(clock_s, distant) == pytest.approx(expected)
