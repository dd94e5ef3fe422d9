"""A scheduler's threads, locks, queues, clock and chance in place of the real ones in every module of the bot.

Each use of a lock, an event or a queue is a place to yield.
"""

from __future__ import annotations

import queue
import random
import sqlite3
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from types import FunctionType, ModuleType, SimpleNamespace, TracebackType
from typing import Any

import structlog

from tests.simulation.scheduler import Scheduler, Task

PACKAGE = "bot"
Patch = tuple[Any, str, Any]  # object, attribute, value before


class Lock:
    """A lock; `recursive` for one that its owner may take again."""

    def __init__(self, scheduler: Scheduler, *, recursive: bool = False) -> None:
        self._scheduler = scheduler
        self._recursive = recursive
        self._owner: Task | None = None
        self._count = 0

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Take it, as `threading.Lock.acquire` does."""
        scheduler = self._scheduler
        me = scheduler.current
        if self._recursive and self._count and self._owner is me:
            self._count += 1
            return True
        scheduler.switch()
        if self._count and (not blocking or not self._wait(timeout)):
            return False
        self._owner, self._count = me, 1
        return True

    def _wait(self, timeout: float) -> bool:
        return self._scheduler.wait(lambda: not self._count, None if timeout < 0 else timeout)

    def release(self) -> None:
        """Give it back."""
        if not self._count:
            raise RuntimeError("release unlocked lock")
        self._count -= 1
        if not self._count:
            self._owner = None
            self._scheduler.switch()

    def locked(self) -> bool:
        """Whether anybody has it."""
        return self._count > 0

    def release_wholly(self) -> int:
        """Give it back however often it was taken; returns how often."""
        count, self._count, self._owner = self._count, 0, None
        return count

    def take_again(self, count: int) -> None:
        """Undo `release_wholly`."""
        self._wait(-1)
        self._owner, self._count = self._scheduler.current, count

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _at: TracebackType | None
    ) -> None:
        if self._count:  # not after the end of its process
            self.release()


class Event:
    """A flag to wait for."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._set = False

    def is_set(self) -> bool:
        """Whether it is set."""
        self._scheduler.switch()
        return self._set

    def set(self) -> None:
        """Set it."""
        self._set = True
        self._scheduler.switch()

    def clear(self) -> None:
        """Unset it."""
        self._set = False

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for it."""
        self._scheduler.switch()
        self._scheduler.wait(lambda: self._set, timeout)
        return self._set


class Condition:
    """A condition variable with a lock of its own."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._lock = Lock(scheduler, recursive=True)
        self._waiters: deque[list[bool]] = deque()

    def __enter__(self) -> bool:
        return self._lock.acquire()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._lock.__exit__(kind, error, at)

    def wait(self, timeout: float | None = None) -> bool:
        """Give the lock back until somebody notifies."""
        told = [False]
        self._waiters.append(told)
        count = self._lock.release_wholly()
        self._scheduler.wait(lambda: told[0], timeout)
        if told in self._waiters:
            self._waiters.remove(told)
        self._lock.take_again(count)
        return told[0]

    def wait_for(self, predicate: Callable[[], bool], timeout: float | None = None) -> bool:
        """Wait until it holds."""
        end_s = None if timeout is None else self._scheduler.now_s + timeout
        while not predicate():
            left_s = None if end_s is None else end_s - self._scheduler.now_s
            if left_s is not None and left_s <= 0:
                return False
            self.wait(left_s)
        return True

    def notify(self, n: int = 1) -> None:
        """Wake waiters."""
        for _ in range(min(n, len(self._waiters))):
            self._waiters.popleft()[0] = True

    def notify_all(self) -> None:
        """Wake all."""
        self.notify(len(self._waiters))


class Thread:
    """A thread that the scheduler runs."""

    def __init__(
        self,
        scheduler: Scheduler,
        *,
        target: Callable[..., object],
        name: str = "thread",
        args: Iterable[Any] = (),
        daemon: bool = True,
    ) -> None:
        self.name, self.daemon = name, daemon
        self.task: Task | None = None
        self._scheduler = scheduler
        self._work = lambda: target(*args)

    def start(self) -> None:
        """Begin; the system may have no thread to spare, as real ones have not at times."""
        if self._scheduler.random.random() < self._scheduler.no_thread_share:
            raise RuntimeError("can't start new thread")
        self.task = self._scheduler.spawn(self._work, self.name)
        self._scheduler.switch()

    def is_alive(self) -> bool:
        """Whether it runs."""
        return self.task is not None and self.task.alive

    def join(self, timeout: float | None = None) -> None:
        """Wait for its end."""
        self._scheduler.wait(lambda: not self.is_alive(), timeout)


class Queue:
    """First in, first out; `maxsize` 0 for one without bound."""

    def __init__(self, scheduler: Scheduler, maxsize: int = 0) -> None:
        self._scheduler = scheduler
        self._items: deque[Any] = deque()
        self._maxsize = maxsize

    def empty(self) -> bool:
        """Whether none waits."""
        return not self._items

    def full(self) -> bool:
        """Whether there is no room."""
        return 0 < self._maxsize <= len(self._items)

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
        """Add one; raises queue.Full."""
        if self.full() and not (block and self._scheduler.wait(lambda: not self.full(), timeout)):
            raise queue.Full
        self._items.append(item)
        self._scheduler.switch()

    def put_nowait(self, item: Any) -> None:
        """Add one now; raises queue.Full."""
        self.put(item, block=False)

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        """Take the first; raises queue.Empty."""
        self._scheduler.switch()
        if not self._items and not (block and self._scheduler.wait(lambda: bool(self._items), timeout)):
            raise queue.Empty
        return self._items.popleft()


@contextmanager
def installed(
    scheduler: Scheduler, on_log: Callable[[dict[str, Any]], None], connect: Callable[..., object] = sqlite3.connect
) -> Iterator[None]:
    """The bot's loaded modules run on the scheduler; each line of their log goes to `on_log`, and nowhere else.

    `connect` opens databases for them.
    """
    databases = _like(sqlite3, connect=connect)
    stand_ins = [*_stand_ins(scheduler), (sqlite3, databases)]
    undo = [patch for module in _modules() for patch in _replace(module, stand_ins)]
    before = structlog.get_config()
    structlog.configure(processors=[partial(_tell, on_log)], cache_logger_on_first_use=False)
    try:
        yield
    finally:
        structlog.configure(**before)
        for holder, name, value in reversed(undo):
            setattr(holder, name, value)


def _tell(on_log: Callable[[dict[str, Any]], None], _logger: object, method: str, event: Any) -> Any:
    on_log({**event, "level": method})
    raise structlog.DropEvent


def _modules() -> list[ModuleType]:
    return [module for name, module in sorted(sys.modules.items()) if name.split(".")[0] == PACKAGE]


def _stand_ins(scheduler: Scheduler) -> list[tuple[object, object]]:
    """Pairs of a real object and what takes its place."""

    def now_s() -> float:
        return scheduler.now_s

    def seeded(seed: Any = None) -> random.Random:
        return random.Random(scheduler.random.random() if seed is None else seed)

    threads = _like(
        threading,
        Lock=partial(Lock, scheduler),
        RLock=partial(Lock, scheduler, recursive=True),
        Event=partial(Event, scheduler),
        Condition=partial(Condition, scheduler),
        Thread=partial(Thread, scheduler),
        current_thread=lambda: scheduler.current,
    )
    clock = _like(time, monotonic=now_s, perf_counter=now_s, time=now_s, sleep=scheduler.sleep)
    queues = _like(queue, SimpleQueue=partial(Queue, scheduler), Queue=partial(Queue, scheduler))
    chance = _like(random, **{name: getattr(scheduler.random, name) for name in _CHANCE}, Random=seeded)
    return [(threading, threads), (time, clock), (queue, queues), (random, chance), (time.monotonic, now_s)]


_CHANCE = ("random", "uniform", "choice", "choices", "randint", "randrange", "shuffle", "sample")


def _like(module: ModuleType, **changed: Any) -> SimpleNamespace:
    return SimpleNamespace(**{**vars(module), **changed})


def _replace(module: ModuleType, stand_ins: list[tuple[object, object]]) -> Iterator[Patch]:
    """Replace what the module names, and the real clock where it is the default of a parameter."""
    for name, value in list(vars(module).items()):
        for real, stand_in in stand_ins:
            if value is real:
                setattr(module, name, stand_in)
                yield module, name, value
        for function in _functions_of(module, value):
            for attribute in ("__defaults__", "__kwdefaults__"):
                before = getattr(function, attribute)
                if (after := _with_clock(before, stand_ins)) is not None:
                    setattr(function, attribute, after)
                    yield function, attribute, before


def _functions_of(module: ModuleType, value: object) -> list[FunctionType]:
    if isinstance(value, FunctionType) and value.__module__ == module.__name__:
        return [value]
    if isinstance(value, type) and value.__module__ == module.__name__:
        return [one for one in vars(value).values() if isinstance(one, FunctionType)]
    return []


def _with_clock(defaults: Any, stand_ins: list[tuple[object, object]]) -> Any:
    """The defaults with the simulated clock in them; None where they hold no clock."""
    clock = {id(real): stand_in for real, stand_in in stand_ins}
    values = list(defaults.values()) if isinstance(defaults, dict) else list(defaults or ())
    if not any(id(value) in clock for value in values):
        return None
    if isinstance(defaults, dict):
        return {key: clock.get(id(value), value) for key, value in defaults.items()}
    return tuple(clock.get(id(value), value) for value in values)
