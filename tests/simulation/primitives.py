"""What `threading` and `queue` offer, for threads that a scheduler runs: each use is a place to give way."""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any

from tests.simulation.scheduler import Scheduler, Task


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

    def __init__(self, scheduler: Scheduler, lock: Lock | None = None) -> None:
        self._scheduler = scheduler
        self._lock = lock or Lock(scheduler, recursive=True)
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

    def qsize(self) -> int:
        """How many wait."""
        return len(self._items)

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

    def get_nowait(self) -> Any:
        """Take the first that is there; raises queue.Empty."""
        return self.get(block=False)
