"""The judgement on engines, sign by sign."""

from __future__ import annotations

import dataclasses
import os

import chess
import pytest
from chess.engine import Limit

from bot.engine_pool import watch
from bot.engine_pool.watch import Patience, Signs, judge, patience, remaining

HEALTHY = Signs(
    stopped=False, searching=True, silent_s=0.1, waited_s=None, cpu_s=None, answers_probes=False, remote=False
)


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ({}, ""),
        ({"searching": False, "silent_s": 1000.0}, ""),
        ({"silent_s": 0.5}, "probe"),
        ({"stopped": True, "searching": False}, "the process was stopped by a signal"),
        ({"silent_s": 0.5, "waited_s": 0.5, "cpu_s": 0.0}, ""),
        ({"silent_s": 1.0, "waited_s": 1.0, "cpu_s": 0.0}, "no sign of life for 1.0 s"),
        ({"silent_s": 0.2, "waited_s": 1.0, "cpu_s": 0.0}, ""),  # it speaks, though not to the probe
        ({"silent_s": 60.0, "waited_s": 60.0, "cpu_s": 55.0}, ""),  # it works, and never answered a probe
        ({"silent_s": 60.0, "waited_s": 60.0, "cpu_s": 55.0, "answers_probes": True}, "no sign of life for 60.0 s"),
        ({"silent_s": 3.0, "waited_s": 3.0, "cpu_s": 0.2, "answers_probes": True}, ""),  # a crowded machine
        ({"silent_s": 3.0, "waited_s": 3.0, "cpu_s": 0.0, "remote": True}, ""),
        ({"silent_s": 7.0, "waited_s": 7.0, "cpu_s": 0.0, "remote": True}, "no sign of life for 7.0 s"),
        ({"silent_s": 3.0, "waited_s": 3.0, "cpu_s": None}, ""),
    ],
)
def test_judge(change: dict[str, object], verdict: str) -> None:
    assert judge(dataclasses.replace(HEALTHY, **change)) == verdict  # type: ignore[arg-type]  # fields by name


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        (Limit(depth=5), None),
        (Limit(white_clock=100.0, black_clock=1.0), Patience(70.0, 1.0)),
        (Limit(white_clock=1.0, black_clock=100.0), Patience(0.7, 0.15)),
        (Limit(time=10.0), Patience(11.3, 1.0)),
        (Limit(time=2.0, white_clock=100.0), Patience(2.5, 1.0)),
    ],
)
def test_patience_follows_the_limit(limit: Limit, expected: Patience | None) -> None:
    found = patience(limit, chess.WHITE)
    assert (found is None) == (expected is None)
    if found and expected:
        assert (found.stop_s, found.grace_s) == pytest.approx((expected.stop_s, expected.grace_s))


def test_remaining_takes_from_the_mover_alone() -> None:
    left = remaining(Limit(white_clock=10.0, black_clock=10.0, white_inc=1.0, black_inc=2.0), chess.BLACK, 3.0)
    assert (left.white_clock, left.black_clock, left.white_inc, left.black_inc) == (10.0, 7.0, 1.0, 2.0)


def test_remaining_never_ends() -> None:
    assert remaining(Limit(white_clock=1.0, black_clock=1.0), chess.WHITE, 5.0).white_clock == 0.02
    assert remaining(Limit(time=1.0), chess.WHITE, 5.0).time == pytest.approx(0.1)


def test_signs_of_this_very_process() -> None:
    if not os.path.exists("/proc/self/stat"):  # noqa: PTH110 -- the plainest question
        pytest.skip("no /proc on this system")
    assert watch.process_state(os.getpid()) in ("R", "S")
    cpu = watch.cpu_seconds(os.getpid())
    assert cpu is not None
    assert cpu > 0


def test_signs_of_no_process() -> None:
    assert watch.process_state(2**22 + 1) == ""
    assert watch.cpu_seconds(2**22 + 1) is None
