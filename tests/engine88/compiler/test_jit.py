"""Compiled kernels: one signature each, compiled ahead by a child process."""

from __future__ import annotations

from typing import Any

from engine88.compiler import call_graph, jit
from engine88.compiler.warmup import warm_up
from tests.engine88.fresh_process import ROOT, run_python
from tests.engine88.games import PLAIN_PYTHON, compiled_only


def signatures(compiled: Any) -> set[Any]:
    """The signatures of a kernel that the cache holds, for whatever machine."""
    return {signature for signature, _machine, _code in compiled._cache._cache_file._load_index()}


@compiled_only("it looks at what the compiler wrote")
def test_every_kernel_is_compiled_for_what_its_arguments_are_annotated_with_and_for_nothing_else() -> None:
    warm_up()
    needed = {task.name for task in call_graph.tasks()}
    kernels = [kernel for kernel in jit.KERNELS if call_graph.name_of(kernel) in needed]
    assert len(kernels) > 50
    assert {call_graph.name_of(kernel): signatures(kernel) for kernel in kernels} == {
        call_graph.name_of(kernel): {jit.signature(kernel)} for kernel in kernels
    }


@compiled_only("it looks at what the compiler wrote")
def test_warm_kernels_are_loaded_and_not_compiled() -> None:
    code = (
        "from engine88.compiler import jit, warmup; warmup.warm_up()\n"
        "print(sum(sum(k.stats.cache_misses.values()) for k in jit.KERNELS), len(jit.ENTRIES))"
    )
    misses, entries = run_python(code, ROOT).stdout.split()
    assert misses == "0"
    assert int(entries) > 10


FIRST_USES = """
import time
from engine88.compiler import jit, warmup
warmup.warm_up()
before = [len(kernel.overloads) for kernel in jit.KERNELS]
from engine88.uci.session import Session
lines = []
session = Session(lines.append)

def go(words, end):
    seen = len(lines)
    session.execute(words.split())
    while not any(end in line for line in lines[seen:]):
        time.sleep(0.01)

for line in ("setoption name Hash value 2", "setoption name MultiPV value 2", "setoption name Threads value 2",
             "position startpos moves e2e4", "d", "eval"):
    session.execute(line.split())
go("go nodes 3000", "bestmove")
go("go movetime 50", "bestmove")
session.execute("setoption name UCI_LimitStrength value true".split())
go("go depth 3", "bestmove")
session.execute("setoption name UCI_Chess960 value true".split())
session.execute("position fen 4k3/8/8/8/8/8/4P3/R3K2R w KQ - 0 1".split())
go("go depth 3", "bestmove")
go("go perft 2", "Nodes searched")
go("bench 1", " nps")
session.close()
print(*(k.__qualname__ for k, count in zip(jit.KERNELS, before) if len(k.overloads) > count))
"""


@compiled_only("it looks at what the compiler wrote")
def test_no_kernel_is_compiled_at_its_first_use() -> None:
    """What Python calls is an entry: another kernel would be compiled in mid-game where it is not saved.

    castled_king is none, but kernels call it with the same types: its code is there and only loaded.
    """
    assert set(run_python(FIRST_USES, ROOT).stdout.split()) <= {"castled_king"}


def test_importing_the_package_loads_no_compiler() -> None:
    code = "import sys, engine88; print('numba' in sys.modules, 'numpy' in sys.modules)"
    assert run_python(code, ROOT).stdout.split() == ["False", "False"]


def test_kernels_are_all_found() -> None:
    jit.import_kernels()
    modules = {kernel.__module__ for kernel in jit.KERNELS}
    assert {"engine88.board.record", "engine88.rules.movegen", "engine88.rules.perft", "engine88.rules.see"} <= modules
    assert PLAIN_PYTHON or all(hasattr(kernel, "compile") for kernel in jit.KERNELS)
