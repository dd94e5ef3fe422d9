"""Background loops outlive faults of their bodies."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest
from structlog.typing import EventDict

from bot import supervised_loop
from bot.backoff import Backoff
from bot.supervised_loop import SupervisedLoop
from tests.helpers.processes import wait_until
from tests.helpers.scarce_threads import refuse_threads


class Body:
    """Raises so many errors, one a run, then waits until it is released."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.runs = 0
        self.released = threading.Event()

    def __call__(self) -> None:
        self.runs += 1
        if self.errors:
            raise self.errors.pop(0)
        self.released.wait(60)


def test_a_body_that_fails_is_run_again_and_the_fault_is_logged(logs: list[EventDict]) -> None:
    body = Body(RecursionError("too deep"), ValueError("too long"))
    loop = SupervisedLoop("worker", body, first_pause_s=0.001)
    assert loop.start()
    assert wait_until(lambda: body.runs == 3)
    faults = [line for line in logs if line["event"] == "background_fault"]
    assert [line["thread"] for line in faults] == ["worker", "worker"]
    assert all(line["exc_info"] for line in faults)
    assert loop.failures == 2
    assert loop.running
    body.released.set()
    assert loop.join(30.0)


def test_a_body_that_returns_is_not_run_again() -> None:
    body = Body()
    body.released.set()
    loop = SupervisedLoop("worker", body)
    loop.start()
    assert loop.join(30.0)
    assert body.runs == 1


def pauses_after(body_s: float, failures: int, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses after bodies that each ran for `body_s` before they failed."""
    moments = iter(moment for number in range(failures + 1) for moment in (number * 1e6, number * 1e6 + body_s))
    clock = SimpleNamespace(monotonic=lambda: next(moments))  # of this module: threads of other tests have the real one
    monkeypatch.setattr(supervised_loop, "time", clock)
    loop = SupervisedLoop("worker", Body(*[ValueError()] * failures))
    loop._backoff = Backoff(1.0, 4.0, jitter=0.0)
    waited: list[float] = []

    def note(pause_s: float) -> bool:
        waited.append(pause_s)
        if len(waited) == failures:
            loop.stop()
        return False

    monkeypatch.setattr(loop._stopped, "wait", note)
    loop._run()
    return waited


def test_the_pause_grows_to_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pauses_after(0.0, 5, monkeypatch) == [1.0, 2.0, 4.0, 4.0, 4.0]


def test_the_pause_is_short_again_after_a_healthy_run(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pauses_after(supervised_loop.HEALTHY_S, 3, monkeypatch) == [1.0, 1.0, 1.0]


def test_stopping_ends_the_pause() -> None:
    body = Body(ValueError())
    loop = SupervisedLoop("worker", body, first_pause_s=3600.0, max_pause_s=3600.0)
    loop.start()
    assert wait_until(lambda: loop.failures == 1)
    loop.stop()
    assert loop.join(30.0)
    assert body.runs == 1
    assert loop.stopped
    assert loop.wait(3600.0)


def test_where_no_thread_can_be_started_it_says_so_and_can_be_started_later(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_threads(monkeypatch, 1)
    body: Any = Body()
    loop = SupervisedLoop("worker", body)
    assert not loop.start()
    assert not loop.running
    assert loop.start()
    assert loop.start()
    assert wait_until(lambda: body.runs == 1)
    body.released.set()
    assert loop.join(30.0)


def test_a_thread_that_nobody_starts_later_is_tried_until_it_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = refuse_threads(monkeypatch, 3)
    body: Any = Body()
    loop = SupervisedLoop("worker", body, first_pause_s=0.001)
    loop.ensure_started()
    assert refused == 3 * ["worker"]
    assert loop.running
    body.released.set()
    assert loop.join(30.0)


def test_a_stopped_loop_is_not_tried_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_threads(monkeypatch)
    loop = SupervisedLoop("worker", Body())
    loop.stop()
    loop.ensure_started()
    assert not loop.running


def test_a_loop_does_not_keep_the_program_from_ending() -> None:
    body = Body()
    loop = SupervisedLoop("reconciler", body)
    loop.start()
    (thread,) = (thread for thread in threading.enumerate() if thread.name == "reconciler")
    assert thread.daemon
    body.released.set()
    assert loop.join(30.0)


def test_a_loop_that_never_began_need_not_be_waited_for() -> None:
    assert SupervisedLoop("worker", Body()).join(30.0)


def test_a_body_may_ask_for_the_end_of_its_own_loop() -> None:
    """As when the last game of an account ends on the thread that ends with it: it never waits for itself."""
    joined: list[bool] = []
    started = threading.Event()
    loop = SupervisedLoop("worker", lambda: joined.append(started.wait(30.0) and loop.join(30.0)))
    loop.start()
    started.set()
    assert loop.join(30.0)
    assert joined == [False]
    assert loop.failures == 0


def test_a_body_that_is_still_at_work_is_said_to_be() -> None:
    body = Body()
    loop = SupervisedLoop("worker", body)
    loop.start()
    assert not loop.join(0.001)
    body.released.set()
    assert loop.join(30.0)
