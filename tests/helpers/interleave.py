"""Run threads one at a time and switch between them at any line of chosen files, by a seed.

    def scenario(threads: Threads) -> None:
        slots = Slots(1)
        assert sorted(threads.run(lambda: slots.reserve("a", "x"), lambda: slots.reserve("b", "y"))) == [False, True]

    interleave(scenario, Slots)

The scenario runs once per seed. The first seeds each interrupt one thread at one line and let the others run before it
continues. The seeds after them switch at random, between any two bytecode instructions. A failure names its seed, and
the same seed makes the same switches again.

Only one thread runs at a time: it holds the baton. `sys.settrace` offers the switches. Locks, conditions, events and
queues that the scenario makes pass the baton on where they block. When all threads wait, a wait with a time-out times
out at once.
"""

from __future__ import annotations

import _thread
import contextlib
import inspect
import queue
import random
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, TypeVar

import pytest

T = TypeVar("T")

RANDOM_RUNS = 60  # besides one for each line
KEPT_SWITCHES = 12  # shown with a failure
STUCK_S = 5.0  # how long all threads may wait for one that is not ours


class DeadlockError(AssertionError):
    """Every thread waits for another one."""


class _Task:
    """One thread of a schedule. `ready` is None unless the thread waits."""

    def __init__(self, name: str, work: Callable[[], object]) -> None:
        self.name = name
        self.work = work
        self.baton = _thread.allocate_lock()
        self.baton.acquire()
        self.result: Any = None
        self.error: BaseException | None = None
        self.ready: Callable[[], bool] | None = None
        self.may_time_out = False
        self.timed_out = False


@dataclass(frozen=True)
class _Interruption:
    """Thread number `first` runs first, until it has come to so many lines."""

    first: int
    lines: int


#: The task that each thread of a running schedule carries out, by thread id.
_tasks: dict[int, tuple[Threads, _Task]] = {}


class Threads:
    """The threads of one run of a scenario. Without an interruption, `seed` draws all switches."""

    def __init__(self, files: frozenset[str], seed: int, interruption: _Interruption | None = None) -> None:
        self._random = random.Random(seed)
        self._files = files
        self._interruption = interruption
        self._share = 0.5 ** self._random.uniform(1.0, 7.0)  # how often a thread yields
        self._running: list[_Task] = []
        self._first: _Task | None = None
        self._all_ended = _thread.allocate_lock()
        self._deadlocked = False
        self.count = 0
        self.lines = 0  # to which the first thread came
        self.switches: deque[str] = deque(maxlen=KEPT_SWITCHES)

    def run(self, *works: Callable[[], Any]) -> list[Any]:
        """Run the works in a thread each until all have returned. Return their results, or raise their first error."""
        tasks = [_Task(f"thread {number}", work) for number, work in enumerate(works, 1)]
        self._running = list(tasks)
        self.count, self.lines = len(tasks), 0
        self._first = tasks[self._interruption.first] if self._interruption is not None else None
        self._all_ended.acquire()
        for task in tasks:
            threading.Thread(target=self._carry_out, args=(task,), name=task.name, daemon=True).start()
        (self._first or self._next()).baton.release()
        with self._all_ended:
            pass
        for task in tasks:
            if task.error is not None:
                raise task.error
        return [task.result for task in tasks]

    def _carry_out(self, task: _Task) -> None:
        task.baton.acquire()
        _tasks[_thread.get_ident()] = self, task
        sys.settrace(self._trace)
        try:
            task.result = task.work()
        except BaseException as error:  # noqa: BLE001 -- raised again by `run`
            task.error = error
        finally:
            sys.settrace(None)
            del _tasks[_thread.get_ident()]
        self._running.remove(task)
        if self._running:
            self._next().baton.release()
        else:
            self._all_ended.release()

    def _trace(self, frame: FrameType, _event: str, _arg: object) -> Callable[..., Any] | None:
        if frame.f_code.co_filename not in self._files:
            return None
        frame.f_trace_opcodes = self._first is None
        return self._before_step

    def _before_step(self, frame: FrameType, event: str, _arg: object) -> Callable[..., Any]:
        _, task = _tasks[_thread.get_ident()]
        if event == "line" and task is self._first:
            self.lines += 1
        if self._gives_way(task, event):
            self._give_way(task, f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}")
        return self._before_step

    def _gives_way(self, task: _Task, event: str) -> bool:
        if self._interruption is None:
            return event == "opcode" and self._random.random() < self._share
        return event == "line" and task is self._first and self.lines == self._interruption.lines

    def wait(self, task: _Task, ready: Callable[[], bool], *, may_time_out: bool) -> bool:
        """Let the others run until `ready()`. Return False if the wait timed out instead."""
        task.ready, task.may_time_out, task.timed_out = ready, may_time_out, False
        self._give_way(task, "waiting")
        task.ready = None
        if self._deadlocked:
            raise DeadlockError("every thread waits for another one")
        return not task.timed_out

    def _give_way(self, task: _Task, where: str) -> None:
        following = self._next()
        if following is not task:
            self.switches.append(f"{task.name} at {where} -> {following.name}")
            following.baton.release()
            task.baton.acquire()

    def _next(self) -> _Task:
        """Draw the next thread to run."""
        give_up_s = time.monotonic() + STUCK_S
        while not self._deadlocked:
            runnable = [task for task in self._running if task.ready is None or task.ready()]
            if runnable:  # the interrupted thread last
                return self._random.choice([task for task in runnable if task is not self._first] or runnable)
            impatient = [task for task in self._running if task.may_time_out]
            if impatient:
                task = self._random.choice(impatient)
                task.timed_out = True
                return task
            self._deadlocked = time.monotonic() > give_up_s
            time.sleep(0.001)  # a thread that is not ours may release what they wait for
        return self._running[0]  # each in turn raises DeadlockError


class SwitchingLock:
    """A lock that passes the baton on while it is taken; for other threads an ordinary lock."""

    def __init__(self) -> None:
        self._lock = _thread.allocate_lock()

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Take the lock, as `threading.Lock.acquire`."""
        running = _tasks.get(_thread.get_ident())
        if running is None:
            return self._lock.acquire(blocking, timeout)
        threads, task = running
        while not self._lock.acquire(blocking=False):
            if not blocking or not threads.wait(task, lambda: not self._lock.locked(), may_time_out=timeout >= 0):
                return False
        return True

    def release(self) -> None:
        """Release the lock."""
        self._lock.release()

    def locked(self) -> bool:
        """Whether the lock is taken."""
        return self._lock.locked()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_exc: object) -> None:
        self.release()


@contextlib.contextmanager
def _switching_locks() -> Iterator[None]:
    """Build everything in `threading` and `queue` from switching locks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threading, "Lock", SwitchingLock)
        patch.setattr(threading, "_allocate_lock", SwitchingLock)
        patch.setattr(threading, "RLock", threading._RLock)  # in Python, from `_allocate_lock`
        patch.setattr(queue, "SimpleQueue", queue._PySimpleQueue)  # type: ignore[attr-defined]  # in Python too
        yield


def interleave(
    scenario: Callable[[Threads], object], *where: ModuleType | type[Any], seeds: Iterable[int] | None = None
) -> None:
    """Run the scenario once per seed, by default with all that interrupt a thread and RANDOM_RUNS others.

    `where`: the modules and classes in whose files threads are switched.
    """
    files = frozenset(inspect.getfile(one) for one in where)
    interruptions = _interruptions(scenario, files)
    for seed in range(len(interruptions) + RANDOM_RUNS) if seeds is None else seeds:
        interruption = interruptions[seed] if seed < len(interruptions) else None
        _run(scenario, Threads(files, seed, interruption), f"seed {seed} (repeat with seeds=[{seed}])")


def _interruptions(scenario: Callable[[Threads], object], files: frozenset[str]) -> list[_Interruption]:
    """Run the scenario once for each of its threads, that one first and uninterrupted, and count its lines."""
    found: list[_Interruption] = []
    first, count = 0, 1
    while first < count:
        threads = Threads(files, 0, _Interruption(first, 0))
        _run(scenario, threads, f"thread {first + 1} first, without switches")
        found += [_Interruption(first, line) for line in range(1, threads.lines + 1)]
        first, count = first + 1, threads.count
    return found


def _run(scenario: Callable[[Threads], object], threads: Threads, schedule: str) -> None:
    with _switching_locks():
        try:
            scenario(threads)
        except BaseException as error:
            error.add_note("\n".join([f"{schedule}, last switches:", *(f"  {one}" for one in threads.switches)]))
            raise
