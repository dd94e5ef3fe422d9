"""Runs the threads of a simulation one at a time, in an order drawn from a seed, on a clock that is a number.

A thread yields where it waits and, now and then, where it might be preempted: at each use of a lock, an event or a
queue. When all wait, time jumps to the next moment at which one has waited long enough. The same seed makes the same
choices, so whatever happened happens again.
"""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import greenlet

START_S = 1000.0
LONGEST_STALL_S = 0.05  # a thread that could run waits for a processor no longer than this
KEPT_STEPS = 40000  # the last steps, for a person who looks at a failure


class SimulationEnded(greenlet.GreenletExit):  # type: ignore[misc]  # greenlet has no types
    """Thrown into a thread whose process has been killed, or whose simulation is over."""


class DeadlockError(AssertionError):
    """Nothing can ever go on, and what was waited for has not come."""


@dataclass(eq=False)
class Task:
    """One thread. `ready` is None for one that can run; `until_s`: when it stops waiting for `ready` (inf: never)."""

    name: str
    process: str
    coroutine: greenlet.greenlet
    ready: Callable[[], bool] | None = None
    until_s: float = math.inf
    not_before_s: float = 0.0

    @property
    def alive(self) -> bool:
        """Whether it has not returned."""
        return not self.coroutine.dead


class Scheduler:
    """All threads of one simulation.

    `switch_share`: how often a thread yields where it need not; `no_thread_share`: how often the system has no
    thread to spare. `faults` collects what ended a thread.
    """

    def __init__(self, seed: int, *, switch_share: float = 0.2, no_thread_share: float = 0.0) -> None:
        self.random = random.Random(seed)
        self.now_s = START_S
        self.steps = 0
        self.trace: deque[str] = deque(maxlen=KEPT_STEPS)
        self.faults: list[str] = []
        self.no_thread_share = no_thread_share
        self._switch_share = switch_share
        self._tasks: list[Task] = []
        self._killed: list[Task] = []
        self._current: Task | None = None
        self._hub = greenlet.getcurrent()

    @property
    def current(self) -> Task | None:
        """The thread that runs; None outside of all."""
        return self._current

    def tasks(self, process: str) -> tuple[Task, ...]:
        """The threads of a process that have not ended."""
        return tuple(task for task in self._tasks if task.process == process)

    def spawn(self, work: Callable[[], object], name: str, process: str | None = None) -> Task:
        """Start a thread, by default in the process of the one that runs."""
        process = process or (self._current.process if self._current is not None else "main")
        task = Task(name, process, greenlet.greenlet(lambda: self._run(name, work), self._hub))
        self._tasks.append(task)
        return task

    def _run(self, name: str, work: Callable[[], object]) -> None:
        try:
            work()
        except greenlet.GreenletExit:
            raise
        except Exception as error:  # noqa: BLE001 -- anything that ends a thread is a finding, reported with its name
            self.faults.append(f"thread {name} ended: {type(error).__name__}: {error}")

    # -- inside a thread ------------------------------------------------------------------------------------------

    def switch(self) -> None:
        """Yield, perhaps: another thread may run here."""
        task = self._current
        if task is not None and self.random.random() < self._switch_share:
            if self.random.random() < 0.05:  # and for once it does not get the processor back so soon
                task.not_before_s = self.now_s + self.random.random() * LONGEST_STALL_S
            self._give_way(task)

    def wait(self, ready: Callable[[], bool], timeout_s: float | None = None) -> bool:
        """Wait until `ready()` holds; returns whether it does, or the time was up first."""
        task = self._current
        if task is None or ready():
            return ready()
        task.ready, task.until_s = ready, math.inf if timeout_s is None else self.now_s + max(0.0, timeout_s)
        self._give_way(task)
        task.ready, task.until_s = None, math.inf
        return ready()

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.wait(lambda: False, seconds)

    def _give_way(self, task: Task) -> None:
        if task in self._killed:
            raise SimulationEnded
        self._hub.switch()
        if task in self._killed:
            raise SimulationEnded

    # -- outside --------------------------------------------------------------------------------------------------

    def run(self, done: Callable[[], bool], limit_s: float) -> None:
        """Let the threads run until `done()`, for `limit_s` seconds of their time. Raises DeadlockError."""
        end_s = self.now_s + limit_s
        while not done() and self.now_s < end_s:
            now_s = self.now_s
            runnable = [
                task
                for task in self._tasks
                if task.not_before_s <= now_s and (task.ready is None or task.until_s <= now_s or task.ready())
            ]
            if not runnable:
                self._pass_time()
                continue
            self._step(runnable[self.random.randrange(len(runnable))])

    def _step(self, task: Task) -> None:
        self.steps += 1
        self.trace.append(f"{self.now_s:.4f} {task.process}/{task.name}")
        self._current = task
        try:
            task.coroutine.switch()
        finally:
            self._current = None
        if not task.alive:
            self._tasks.remove(task)

    def _pass_time(self) -> None:
        times = [at_s for task in self._tasks for at_s in (task.until_s, task.not_before_s)]
        later = [at_s for at_s in times if self.now_s < at_s < math.inf]
        if not later:
            raise DeadlockError(f"all wait forever: {', '.join(sorted(task.name for task in self._tasks))}")
        self.now_s = min(later)

    def kill(self, process: str) -> None:
        """End all threads of a process where they stand, as SIGKILL does: nothing of theirs runs any more."""
        for task in self.tasks(process):
            self._tasks.remove(task)
            self._killed.append(task)

    def close(self) -> None:
        """Free what is left; called once, when nothing is looked at any more."""
        for process in {task.process for task in self._tasks}:
            self.kill(process)
        for task in self._killed:
            if task.coroutine:  # begun: unwinds, and every wait on the way out raises
                self._current = task
                task.coroutine.throw(SimulationEnded)
        self._current = None
