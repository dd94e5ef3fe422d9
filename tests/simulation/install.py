"""Puts a scheduler's threads, clock and chance in place of the real ones in every module of the bot."""

from __future__ import annotations

import queue
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import structlog

from tests.simulation.primitives import Condition, Event, Lock, Queue, Thread
from tests.simulation.scheduler import Scheduler

PACKAGE = "bot"
Patch = tuple[Any, str, Any]  # object, attribute, value before


@contextmanager
def installed(scheduler: Scheduler, on_log: Callable[[dict[str, Any]], None]) -> Iterator[None]:
    """The bot's loaded modules run on the scheduler; each line of their log goes to `on_log`, and nowhere else."""
    stand_ins = _stand_ins(scheduler)
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
