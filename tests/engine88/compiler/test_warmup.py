"""Kernels are compiled ahead by two child processes, those that a search needs first."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine88.compiler import jit, kernel_cache, warmup
from engine88.compiler.kernel_cache import KernelCache
from engine88.compiler.target import Target, native
from engine88.compiler.warmup import Part, compile_in_children, warm_up, warm_up_search
from tests.engine88.fresh_process import ROOT, run_python
from tests.engine88.games import compiled_only


@compiled_only("it looks at what the compiler wrote")
def test_progress_ends_with_all_kernels() -> None:
    """The folder is complete already, so the child only loads."""
    warm_up()
    seen: list[tuple[int, int]] = []
    compile_in_children(kernel_cache.kernel_cache(), lambda done, total: seen.append((done, total)))
    assert seen[-1] == (len(jit.KERNELS), len(jit.KERNELS))
    assert all(done <= total for done, total in seen)


def test_a_failed_compilation_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    with pytest.raises(RuntimeError, match=r"compiling failed: .* ended with exit code 1"):
        compile_in_children(KernelCache(tmp_path, native()), None)


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
        compile_in_children(KernelCache(tmp_path, Target("neither", "", "")), None)  # which the right one refuses


@pytest.fixture
def children(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[Part, list[str]]:
    """Children that run these lines of Python in place of a compiler, with an empty cache folder."""
    cache = KernelCache(tmp_path, native())
    scripts: dict[Part, list[str]] = {Part.SEARCH: [], Part.ALL: []}

    def start(_cache: KernelCache, part: Part) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", scripts[part].pop(0)])

    monkeypatch.setattr(kernel_cache, "kernel_cache", lambda: cache)
    monkeypatch.setattr(warmup, "_start", start)
    monkeypatch.setattr(warmup, "_processors", lambda: 2)
    return scripts


@compiled_only("nothing is compiled otherwise")
def test_a_search_does_not_wait_for_the_other_kernels(children: dict[Part, list[str]], tmp_path: Path) -> None:
    go_on, ended = tmp_path / "fifo", tmp_path / "ended"
    os.mkfifo(go_on)
    children[Part.SEARCH] = ["pass"]
    children[Part.ALL] = [f"open({str(go_on)!r}).read(); open({str(ended)!r}, 'w')"]
    warm_up_search(load=False)
    assert not ended.exists()
    go_on.write_text("")
    warmup.wait_for_rest()
    assert ended.exists()


@compiled_only("nothing is compiled otherwise")
def test_a_second_process_that_fails_is_reported_and_started_again(
    children: dict[Part, list[str]], capfd: pytest.CaptureFixture[str]
) -> None:
    children.update({Part.SEARCH: ["pass"], Part.ALL: ["exit(3)", "print('again')"]})
    warm_up(load=False)
    out, err = capfd.readouterr()
    assert out == "again\n"
    assert "ended with exit code 3; trying again with one process" in err


@compiled_only("nothing is compiled otherwise")
def test_a_failure_in_the_background_is_reported(
    children: dict[Part, list[str]], capfd: pytest.CaptureFixture[str]
) -> None:
    children.update({Part.SEARCH: ["pass"], Part.ALL: ["exit(3)", "exit(4)"]})
    warm_up_search(load=False)
    warmup.wait_for_rest()
    err = capfd.readouterr().err
    assert "ended with exit code 4; kernels that are missing are compiled when they are needed" in err


@compiled_only("nothing is compiled otherwise")
def test_a_failure_before_the_first_search_ends_the_other_process(children: dict[Part, list[str]]) -> None:
    children.update({Part.SEARCH: ["exit(5)"], Part.ALL: ["import time; time.sleep(1000)"]})
    with pytest.raises(RuntimeError, match="ended with exit code 5"):
        warm_up(load=False)


@compiled_only("nothing is compiled otherwise")
def test_a_line_says_why_shipped_kernels_are_not_used(
    children: dict[Part, list[str]], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kernel_cache, "shipped_misfit", lambda: "they are for numba1.0.0-py3.99")
    children.update({Part.SEARCH: ["pass"], Part.ALL: ["pass"]})
    warm_up(load=False)
    line = "engine88: the kernels in the package are not used: they are for numba1.0.0-py3.99; compiling\n"
    assert capfd.readouterr().err == line


@compiled_only("nothing is compiled otherwise")
def test_one_core_compiles_one_part_after_the_other(
    children: dict[Part, list[str]], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(warmup, "_processors", lambda: 1)
    children.update({Part.SEARCH: ["print('search')"], Part.ALL: ["print('all')"]})
    warm_up(load=False)
    assert capfd.readouterr().out == "search\nall\n"


COMPILE = """
from engine88.compiler import jit
import engine88.rules.make_move
jit.become_compiler()
for entry in jit.ENTRIES:
    entry.compile()
"""
USE = """
from engine88.compiler import jit
from engine88.board.squares import square_name
import engine88.rules.make_move
from engine88.rules.castling import castled_king
jit.compile_entries()
print(castled_king(4, 7), sum(sum(kernel.stats.cache_misses.values()) for kernel in jit.KERNELS))
"""


@compiled_only("nothing is compiled otherwise")
def test_concurrent_compilers_leave_a_folder_that_works(tmp_path: Path) -> None:
    """Python may call any kernel: castled_king is not an entry, so the compilers make no machine code for it."""
    environment = {**os.environ, "ENGINE88_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    compilers = [subprocess.Popen([sys.executable, "-c", COMPILE], env=environment) for _ in range(3)]
    assert [compiler.wait() for compiler in compilers] == [0, 0, 0]
    assert run_python(USE, ROOT, ENGINE88_CACHE_DIR=str(tmp_path)).stdout.split() == ["6", "0"]
