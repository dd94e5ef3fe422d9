"""Compiled kernels: one signature each, compiled ahead by a child process."""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine88.compiler import jit
from engine88.compiler.kernel_cache import KernelCache, kernel_cache
from engine88.compiler.target import Target, native
from tests.engine88.fresh_process import ROOT, run_python
from tests.engine88.games import PLAIN_PYTHON, compiled_only


def signatures(compiled: Any) -> Counter[Any]:
    """How many signatures of a kernel the cache holds, by the machine and the code they were compiled for."""
    index = compiled._cache._cache_file._load_index()
    return Counter((machine, code) for _signature, machine, code in index)


@compiled_only("it looks at what the compiler wrote")
def test_every_kernel_has_one_signature() -> None:
    jit.warm_up()
    counts = {f"{compiled.__module__}.{compiled.__qualname__}": signatures(compiled) for compiled in jit.KERNELS}
    assert [name for name, count in counts.items() if max(count.values(), default=0) > 1] == []
    assert sum(map(bool, counts.values())) > 50


@compiled_only("it looks at what the compiler wrote")
def test_warm_kernels_are_loaded_and_not_compiled() -> None:
    code = (
        "from engine88.compiler import jit; jit.warm_up()\n"
        "print(sum(sum(k.stats.cache_misses.values()) for k in jit.KERNELS), len(jit.ENTRIES))"
    )
    misses, entries = run_python(code, ROOT).stdout.split()
    assert misses == "0"
    assert int(entries) > 10


FIRST_USES = """
import time
from engine88.compiler import jit
jit.warm_up()
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


@compiled_only("it looks at what the compiler wrote")
def test_progress_ends_with_all_kernels() -> None:
    """The folder is complete already, so the child only loads."""
    jit.warm_up()
    seen: list[tuple[int, int]] = []
    jit.compile_in_child(kernel_cache(), lambda done, total: seen.append((done, total)))
    assert seen[-1] == (len(jit.KERNELS), len(jit.KERNELS))
    assert all(done <= total for done, total in seen)


def test_a_failed_compilation_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    with pytest.raises(RuntimeError, match=r"compiling failed: .* ended with exit code 1"):
        jit.compile_in_child(KernelCache(tmp_path, native()), None)


@compiled_only("nothing is compiled otherwise")
def test_another_package_in_the_current_folder_is_not_the_one_that_is_compiled(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """`python -m` puts the current folder first, before PYTHONPATH: a first start compiled another copy as well."""
    (tmp_path / "engine88").mkdir()
    (tmp_path / "engine88" / "__init__.py").touch()
    (tmp_path / "engine88" / "__main__.py").write_text("raise SystemExit(0)\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RuntimeError, match="compiling failed"):
        jit.compile_in_child(KernelCache(tmp_path, Target("neither", "", "")), None)  # which the right one refuses


@compiled_only("nothing is compiled otherwise")
def test_a_line_says_why_shipped_kernels_are_not_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("engine88.compiler.kernel_cache.kernel_cache", lambda: KernelCache(tmp_path, native()))
    monkeypatch.setattr("engine88.compiler.kernel_cache.shipped_misfit", lambda: "they are for numba1.0.0-py3.99")
    monkeypatch.setattr(jit, "compile_in_child", lambda _cache, _progress: None)
    jit.warm_up(load=False)
    line = "engine88: the kernels in the package are not used: they are for numba1.0.0-py3.99; compiling\n"
    assert capsys.readouterr().err == line


def test_importing_the_package_loads_no_compiler() -> None:
    code = "import sys, engine88; print('numba' in sys.modules, 'numpy' in sys.modules)"
    assert run_python(code, ROOT).stdout.split() == ["False", "False"]


def test_kernels_are_all_found() -> None:
    jit.import_kernels()
    modules = {kernel.__module__ for kernel in jit.KERNELS}
    assert {"engine88.board.record", "engine88.rules.movegen", "engine88.rules.perft", "engine88.rules.see"} <= modules
    assert PLAIN_PYTHON or all(hasattr(kernel, "compile") for kernel in jit.KERNELS)
