"""The decision whether an engine still works, case by case."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from bot.engine_pool.health import LivenessSample, check_liveness, silence_timeout_s

HEALTHY = LivenessSample(
    stopped=False, searching=True, silent_s=0.1, probe_age_s=None, cpu_s=None, answers_probes=False, remote=False
)


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
def test_check_liveness(change: dict[str, Any], verdict: str) -> None:
    assert check_liveness(dataclasses.replace(HEALTHY, **change)) == verdict


@pytest.mark.parametrize(
    ("clock_s", "distant", "expected"),
    [
        *[(None, False, 5.0), (600.0, False, 5.0), (30.0, False, 2.5), (1.0, False, 0.8)],
        *[(None, True, 6.0), (600.0, True, 6.0), (30.0, True, 2.5), (1.0, True, 1.5)],
    ],
)
def test_silence_timeout_follows_the_clock(clock_s: float | None, distant: bool, expected: float) -> None:
    assert silence_timeout_s(clock_s, distant) == pytest.approx(expected)
