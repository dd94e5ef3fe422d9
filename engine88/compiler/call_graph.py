"""Which kernels call which, and so the order in which several processes can compile them.

A kernel is compiled when all that it calls is: the compiler needs to know their types, and copies their code.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import CodeType
from typing import Any

from engine88.compiler import jit


@dataclass(frozen=True, slots=True)
class Task:
    """One kernel to compile."""

    name: str
    """Its module and name, which are the same in every process."""
    callees: frozenset[str]
    """The names of the kernels that it calls."""
    for_search: bool
    """Whether a search needs it, and not only another command."""
    urgency: int
    """The most code, in bytes, on a way from here through callers to one that nothing calls: what remains to do after
    it, one kernel after the other."""


def name_of(kernel: Any) -> str:
    """Return the name of a kernel's task."""
    return f"{kernel.__module__}.{kernel.__qualname__}"


def tasks() -> list[Task]:
    """Return a task for each kernel that an entry needs: those for a search first, the most urgent ones first."""
    kernels = {name_of(kernel): kernel for kernel in jit.KERNELS}
    callees = {name: _callees(kernel.py_func) - {name} for name, kernel in kernels.items()}
    for_search = _reachable((name_of(entry.kernel) for entry in jit.ENTRIES if entry.for_search), callees)
    needed = _reachable((name_of(entry.kernel) for entry in jit.ENTRIES), callees)
    callers = {name: [caller for caller in needed if name in callees[caller]] for name in needed}
    urgency: dict[str, int] = {}

    def urgency_of(name: str) -> int:
        if name not in urgency:
            after = max(map(urgency_of, callers[name]), default=0)
            urgency[name] = len(kernels[name].py_func.__code__.co_code) + after
        return urgency[name]

    found = (Task(name, frozenset(callees[name]), name in for_search, urgency_of(name)) for name in needed)
    return sorted(found, key=lambda task: (not task.for_search, -task.urgency, task.name))


def _callees(function: Callable[..., Any]) -> set[str]:
    """Return the names of the kernels that a function names; those of the plain functions that it calls count too."""
    found: set[str] = set()
    for code in _codes(function.__code__):
        for name in code.co_names:
            value = function.__globals__.get(name)
            if hasattr(value, "py_func"):
                found.add(name_of(value))
            elif callable(value) and value in jit.JITABLE:
                found |= _callees(value)
    return found


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _reachable(starts: Iterable[str], callees: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = list(starts)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(callees[name])
    return found
