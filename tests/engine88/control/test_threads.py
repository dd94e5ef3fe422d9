"""Workers do their jobs in order and hand errors back; the alarm rings when it is due."""

import threading
import time
from functools import partial

import pytest

from engine88.control.threads import Alarm, Worker

DEADLINE_S = 30.0


def _where(number: int) -> tuple[int, str]:
    """A job that reports its number and its thread."""
    return number, threading.current_thread().name


def test_jobs_are_done_in_order_by_one_thread() -> None:
    worker = Worker("test")
    jobs = [worker.submit(partial(_where, number)) for number in range(20)]
    assert [job.result(DEADLINE_S) for job in jobs] == [(number, "test") for number in range(20)]
    worker.close()


def test_an_error_comes_with_the_result_and_the_worker_lives_on() -> None:
    worker = Worker("test")
    broken = worker.submit(lambda: 1 // 0)
    assert isinstance(broken.exception(DEADLINE_S), ZeroDivisionError)
    assert worker.submit(lambda: 7).result(DEADLINE_S) == 7
    worker.close()


def test_a_closed_worker_has_done_what_was_queued() -> None:
    worker = Worker("test")
    done: list[int] = []
    for number in range(5):
        worker.submit(partial(done.append, number))
    worker.close()
    assert done == [0, 1, 2, 3, 4]


def test_the_alarm_rings_in_order_of_time_and_not_early() -> None:
    alarm = Alarm()
    fired: list[tuple[str, float]] = []
    finished = threading.Event()
    now = time.perf_counter()
    alarm.at(now + 0.08, finished.set)
    alarm.at(now + 0.05, lambda: fired.append(("late", time.perf_counter())))
    alarm.at(now + 0.02, lambda: fired.append(("soon", time.perf_counter())))
    alarm.at(now - 1.0, lambda: fired.append(("past", time.perf_counter())))
    assert finished.wait(DEADLINE_S)
    alarm.close()
    assert [name for name, _ in fired] == ["past", "soon", "late"]
    assert fired[1][1] >= now + 0.02
    assert fired[2][1] >= now + 0.05


def test_a_cleared_alarm_is_silent() -> None:
    alarm = Alarm()
    fired: list[str] = []
    finished = threading.Event()
    alarm.at(time.perf_counter() + 0.05, lambda: fired.append("cleared"))
    alarm.clear()
    alarm.at(time.perf_counter() + 0.15, finished.set)
    assert finished.wait(DEADLINE_S)
    alarm.close()
    assert fired == []


@pytest.mark.parametrize("made", [lambda: Worker("test"), Alarm])
def test_closing_ends_the_thread(made) -> None:  # type: ignore[no-untyped-def]  # two kinds of things that close
    before = threading.active_count()
    made().close()
    assert threading.active_count() <= before
