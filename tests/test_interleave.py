"""The helper that switches threads between any two instructions."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable

import pytest

from tests.helpers import interleave as helper
from tests.helpers.interleave import DeadlockError, Threads, interleave

HERE = sys.modules[__name__]


class Counter:
    """Counts with or without a lock."""

    def __init__(self, locked: bool) -> None:
        self.value = 0
        self._locked = locked
        self._lock = threading.RLock()

    def add(self) -> None:
        if self._locked:
            with self._lock:
                self.value += 1
        else:
            self.value += 1


def counting(locked: bool) -> Callable[[Threads], None]:
    """A scenario in which two threads count to two."""

    def scenario(threads: Threads) -> None:
        counter = Counter(locked)
        threads.run(counter.add, counter.add)
        assert counter.value == 2

    return scenario


def test_a_lost_update_is_found_and_its_seed_repeats_it() -> None:
    with pytest.raises(AssertionError) as first:
        interleave(counting(locked=False), HERE)
    (note,) = first.value.__notes__
    seed = int(note.split()[1])
    with pytest.raises(AssertionError) as second:
        interleave(counting(locked=False), HERE, seeds=[seed])
    assert second.value.__notes__ == [note]
    assert "test_interleave.py:" in note


def test_no_update_is_lost_under_a_lock() -> None:
    interleave(counting(locked=True), HERE)


def test_no_update_is_lost_where_threads_switch_in_other_files_only() -> None:
    interleave(counting(locked=False), helper)


def test_results_come_in_the_order_of_the_works_and_the_first_error_is_raised() -> None:
    def scenario(threads: Threads) -> None:
        assert threads.run(lambda: 1, lambda: 2) == [1, 2]

    interleave(scenario, HERE, seeds=range(5))
    with pytest.raises(ZeroDivisionError):
        interleave(lambda threads: threads.run(lambda: None, lambda: 1 / 0), HERE, seeds=range(5))


def test_queues_conditions_and_events_hand_over() -> None:
    def scenario(threads: Threads) -> None:
        there, back, arrived = queue.Queue[int](), queue.SimpleQueue[int](), threading.Event()

        def ask() -> int:
            there.put(20)
            arrived.wait()
            return back.get()

        def answer() -> None:
            back.put(there.get() + 1)
            arrived.set()

        assert threads.run(ask, answer) == [21, None]

    interleave(scenario, HERE)


def test_a_wait_that_nobody_ends_times_out_at_once() -> None:
    def scenario(threads: Threads) -> None:
        assert threads.run(lambda: threading.Event().wait(3600.0)) == [False]

    interleave(scenario, HERE)


def test_two_locks_taken_in_different_order_are_a_deadlock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helper, "STUCK_S", 0.0)

    def scenario(threads: Threads) -> None:
        one, two = threading.Lock(), threading.Lock()

        def take(first: threading.Lock, second: threading.Lock) -> None:
            with first, second:
                pass

        threads.run(lambda: take(one, two), lambda: take(two, one))

    with pytest.raises(DeadlockError):
        interleave(scenario, HERE)
