"""Threads that take turns as a seed says, on a clock that only jumps."""

from __future__ import annotations

import pytest

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
