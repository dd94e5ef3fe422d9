"""Threads that take turns as a seed says, on a clock that only jumps; their locks do what the real ones do."""

from __future__ import annotations

import queue
from collections.abc import Callable

import pytest

from tests.simulation.primitives import Condition, Event, Lock, Queue, Thread
from tests.simulation.scheduler import START_S, DeadlockError, Scheduler


def order(seed: int) -> list[str]:
    """In which order three threads do their steps."""
    scheduler, steps = Scheduler(seed), list[str]()

    def work(name: str) -> None:
        for number in range(5):
            steps.append(f"{name}{number}")
            scheduler.switch()

    for name in "abc":
        scheduler.spawn(lambda name=name: work(name), name)  # type: ignore[misc]  # a default cannot be typed in a lambda
    scheduler.run(lambda: len(steps) == 15, 10.0)
    return steps


def test_a_seed_gives_one_order_and_seeds_give_many() -> None:
    assert order(3) == order(3)
    assert len({tuple(order(seed)) for seed in range(20)}) > 10
    assert all(sorted(order(seed)) == sorted(order(0)) for seed in range(20))


def test_time_jumps_to_the_next_moment_that_anybody_waits_for() -> None:
    scheduler, woken = Scheduler(1), list[tuple[str, float]]()

    def sleep(name: str, seconds: float) -> None:
        scheduler.sleep(seconds)
        woken.append((name, scheduler.now_s - START_S))

    scheduler.spawn(lambda: sleep("late", 3600.0), "late")
    scheduler.spawn(lambda: sleep("early", 5.0), "early")
    scheduler.run(lambda: len(woken) == 2, 4000.0)
    assert woken == [("early", 5.0), ("late", 3600.0)]


def test_a_wait_ends_when_its_condition_holds_or_its_time_is_up() -> None:
    scheduler, results = Scheduler(1), list[bool]()
    told: list[int] = []
    scheduler.spawn(lambda: results.append(scheduler.wait(lambda: bool(told), 2.0)), "impatient")
    scheduler.spawn(lambda: results.append(scheduler.wait(lambda: bool(told), 20.0)), "patient")

    def tell() -> None:
        scheduler.sleep(10.0)
        told.append(1)

    scheduler.spawn(tell, "teller")
    scheduler.run(lambda: len(results) == 2, 100.0)
    assert results == [False, True]


def test_threads_that_wait_for_ever_are_named() -> None:
    scheduler = Scheduler(1)
    scheduler.spawn(lambda: scheduler.wait(lambda: False), "stuck")
    with pytest.raises(DeadlockError, match="stuck"):
        scheduler.run(lambda: False, 10.0)
    scheduler.close()


def test_a_killed_process_does_nothing_more() -> None:
    scheduler, done = Scheduler(1), list[str]()

    def work(name: str) -> None:
        try:
            scheduler.sleep(1.0)
            done.append(name)
        finally:
            scheduler.sleep(1.0)  # nothing may wait any more: this raises
            done.append(f"{name} cleaned up")

    scheduler.spawn(lambda: work("victim"), "worker", "bot")
    scheduler.spawn(lambda: work("other"), "worker", "server")
    scheduler.spawn(lambda: scheduler.kill("bot"), "killer", "server")
    scheduler.run(lambda: "other cleaned up" in done, 10.0)
    scheduler.close()
    assert done == ["other", "other cleaned up"]
    assert scheduler.tasks("bot") == ()


def test_what_ends_a_thread_is_noted() -> None:
    scheduler = Scheduler(1)
    scheduler.spawn(lambda: 1 // 0, "divider")
    scheduler.run(lambda: not scheduler.tasks("main"), 1.0)
    assert scheduler.faults == ["thread divider ended: ZeroDivisionError: integer division or modulo by zero"]


def run_all(scheduler: Scheduler, *works: Callable[[], object], limit_s: float = 100.0) -> None:
    """Run threads to their ends."""
    for number, work in enumerate(works):
        scheduler.spawn(work, f"thread{number}")
    scheduler.run(lambda: not scheduler.tasks("main"), limit_s)
    assert scheduler.faults == []


def counted(seed: int, *, locked: bool) -> int:
    """What two threads count that read, yield and write."""
    scheduler, number = Scheduler(seed, switch_share=0.5), [0]
    lock = Lock(scheduler)

    def count() -> None:
        for _ in range(10):
            if locked:
                lock.acquire()
            before = number[0]
            scheduler.switch()
            number[0] = before + 1
            if locked:
                lock.release()

    run_all(scheduler, count, count)
    return number[0]


def test_a_lock_keeps_threads_apart_and_its_absence_is_found() -> None:
    assert {counted(seed, locked=True) for seed in range(20)} == {20}
    assert min(counted(seed, locked=False) for seed in range(20)) < 20


def test_a_recursive_lock_is_taken_again_by_its_owner_alone() -> None:
    scheduler, taken = Scheduler(1), list[bool]()
    lock = Lock(scheduler, recursive=True)

    def owner() -> None:
        with lock, lock:
            scheduler.sleep(5.0)

    def other() -> None:
        scheduler.sleep(1.0)
        taken.append(lock.acquire(timeout=1.0))

    run_all(scheduler, owner, other)
    assert taken == [False]
    assert not lock.locked()


def test_a_plain_lock_taken_twice_blocks_for_ever() -> None:
    scheduler = Scheduler(1)
    lock = Lock(scheduler)
    scheduler.spawn(lambda: (lock.acquire(), lock.acquire()), "greedy")
    with pytest.raises(DeadlockError):
        scheduler.run(lambda: False, 10.0)
    scheduler.close()


def test_an_event_wakes_all_who_wait_and_times_out() -> None:
    scheduler, seen = Scheduler(1), list[bool]()
    event = Event(scheduler)

    def ring() -> None:
        scheduler.sleep(2.0)
        event.set()

    run_all(scheduler, lambda: seen.append(event.wait(1.0)), lambda: seen.append(event.wait()), ring)
    assert seen == [False, True]
    event.clear()
    assert not event.is_set()


def test_a_condition_hands_its_lock_over_while_it_waits() -> None:
    scheduler, items, got = Scheduler(4), list[int](), list[int]()
    condition = Condition(scheduler)

    def take() -> None:
        with condition:
            assert condition.wait_for(lambda: bool(items), 50.0)
            got.append(items.pop())

    def give() -> None:
        scheduler.sleep(1.0)
        for number in (1, 2):
            with condition:
                items.append(number)
                condition.notify()

    run_all(scheduler, take, take, give)
    assert sorted(got) == [1, 2]


def test_a_condition_times_out() -> None:
    scheduler, seen = Scheduler(1), list[bool]()
    condition = Condition(scheduler)

    def wait() -> None:
        with condition:
            seen.append(condition.wait_for(lambda: False, 2.0))

    run_all(scheduler, wait)
    assert seen == [False]


def test_a_queue_gives_in_order_and_says_when_it_is_full_or_empty() -> None:
    scheduler, got = Scheduler(1), list[object]()
    bounded = Queue(scheduler, 1)

    def use() -> None:
        bounded.put_nowait(1)
        with pytest.raises(queue.Full):
            bounded.put_nowait(2)
        got.append(bounded.get())
        with pytest.raises(queue.Empty):
            bounded.get(block=False)
        with pytest.raises(queue.Empty):
            bounded.get(timeout=1.0)

    run_all(scheduler, use)
    assert got == [1]
    assert bounded.empty()


def test_a_thread_is_joined_and_may_not_start() -> None:
    scheduler, seen = Scheduler(1), list[bool]()
    thread = Thread(scheduler, target=scheduler.sleep, args=(3.0,), name="sleeper")

    def start_and_wait() -> None:
        thread.start()
        thread.join(1.0)
        seen.append(thread.is_alive())
        thread.join()
        seen.append(thread.is_alive())

    run_all(scheduler, start_and_wait)
    assert seen == [True, False]
    crowded = Thread(Scheduler(1, no_thread_share=1.0), target=print)
    with pytest.raises(RuntimeError, match="can't start new thread"):
        crowded.start()
