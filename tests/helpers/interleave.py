"""Run threads one at a time and switch between them at any line or instruction of chosen files, by a seed.

    def scenario(threads: Threads) -> None:
        slots = Slots(1)
        assert sorted(threads.run(lambda: slots.reserve("a", "x"), lambda: slots.reserve("b", "y"))) == [False, True]

    interleave(scenario, Slots)

The scenario runs once per seed. A failure names its seed, and the same seed makes the same switches again.

Only one thread runs at a time: it holds the baton. `sys.settrace` offers a switch before each line in the chosen files
or, with every other seed, before each bytecode instruction. Locks, conditions, events and queues that the scenario makes pass the baton on where they block. When
all threads wait, a wait with a time-out times out at once.
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
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, TypeVar

import pytest

T = TypeVar("T")

RUNS = 100
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
        self.ended = False
        self.ready: Callable[[], bool] | None = None
        self.may_time_out = False
        self.timed_out = False


#: The task that each thread of a running schedule carries out, by thread id.
_tasks: dict[int, tuple[Threads, _Task]] = {}


class Threads:
    """The threads of one run of a scenario."""

    def __init__(self, seed: int, files: frozenset[str]) -> None:
        self._random = random.Random(seed)
        self._files = files
        self._is_fine = seed % 2 == 1  # switches within lines too
        self._share = 0.5 ** self._random.uniform(1.0, 7.0)  # how often a thread gives way
        self._running: list[_Task] = []
        self._all_ended = _thread.allocate_lock()
        self._deadlocked = False
        self.switches: deque[str] = deque(maxlen=KEPT_SWITCHES)

    def run(self, *works: Callable[[], Any]) -> list[Any]:
        """Run the works in a thread each until all have returned. Return their results, or raise their first error."""
        tasks = [_Task(f"thread {number}", work) for number, work in enumerate(works, 1)]
        self._running = list(tasks)
        self._all_ended.acquire()
        for task in tasks:
            threading.Thread(target=self._carry_out, args=(task,), name=task.name, daemon=True).start()
        self._next().baton.release()
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
        task.ended = True
        self._running.remove(task)
        if self._running:
            self._next().baton.release()
        else:
            self._all_ended.release()

    def _trace(self, frame: FrameType, _event: str, _arg: object) -> Callable[..., Any] | None:
        if frame.f_code.co_filename not in self._files:
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = self._is_fine, not self._is_fine
        return self._before_step

    def _before_step(self, frame: FrameType, event: str, _arg: object) -> Callable[..., Any]:
        if event in ("opcode", "line") and self._random.random() < self._share:
            _, task = _tasks[_thread.get_ident()]
            self._give_way(task, f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}")
        return self._before_step

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
            if runnable:
                return self._random.choice(runnable)
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
    scenario: Callable[[Threads], object], *where: ModuleType | type[Any], seeds: Iterable[int] = range(RUNS)
) -> None:
    """Run the scenario once per seed, with switches in the files that define `where`."""
    files = frozenset(inspect.getfile(one) for one in where)
    for seed in seeds:
        with _switching_locks():
            threads = Threads(seed, files)
            try:
                scenario(threads)
            except BaseException as error:
                last = "\n".join(f"  {switch}" for switch in threads.switches)
                error.add_note(f"seed {seed} (repeat with seeds=[{seed}]), last switches:\n{last}")
                raise
