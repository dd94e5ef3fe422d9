"""Kernels are compiled ahead by child processes, callees first, and those that a search needs before the others."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine88.compiler import call_graph, jit, kernel_cache, warmup
from engine88.compiler.kernel_cache import KernelCache
from engine88.compiler.target import Target, native
from engine88.compiler.warmup import compile_in_children, warm_up, warm_up_search
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


@compiled_only("nothing is compiled otherwise")
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


CHILD = """
import os, sys, time
for name in sys.stdin:
    name = name.strip()
    {}
    open({!r}, "a").write(name + "\\n")
    print("compiled", flush=True)
"""


class Children:
    """Children that run lines of Python for each kernel in place of a compiler, and note what they were asked for."""

    def __init__(self, folder: Path) -> None:
        self.lines = ["pass"]
        """What the children do with a `name`, one line each; the last one serves all that come after it."""
        self._asked = folder / "asked"

    def start(self, _command: list[str], _cache: KernelCache) -> subprocess.Popen[bytes]:
        line = self.lines.pop(0) if len(self.lines) > 1 else self.lines[0]
        command = [sys.executable, "-c", CHILD.format(line, str(self._asked))]
        return subprocess.Popen(command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    @property
    def asked(self) -> list[str]:
        return self._asked.read_text().split()


@pytest.fixture
def children(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Children:
    """Three children with an empty cache folder."""
    cache = KernelCache(tmp_path, native())
    found = Children(tmp_path)
    monkeypatch.setattr(kernel_cache, "kernel_cache", lambda: cache)
    monkeypatch.setattr(warmup, "_start", found.start)
    monkeypatch.setattr(warmup, "_children", lambda: 3)
    return found


def not_for_search() -> set[str]:
    return {task.name for task in call_graph.tasks() if not task.for_search}


@compiled_only("nothing is compiled otherwise")
def test_each_kernel_is_compiled_once_and_after_those_that_it_calls(children: Children) -> None:
    warm_up(load=False)
    tasks = {task.name: task for task in call_graph.tasks()}
    assert sorted(children.asked) == sorted(tasks)
    place = {name: index for index, name in enumerate(children.asked)}
    assert all(place[callee] < place[name] for name in tasks for callee in tasks[name].callees)


@compiled_only("nothing is compiled otherwise")
def test_a_search_needs_of_the_hand_written_evaluation_the_rules_of_endgames_only() -> None:
    """The rest is called by its address, where there is no network."""
    needed = {task.name.rpartition(".")[0] for task in call_graph.tasks() if task.for_search}
    assert {name for name in needed if ".classical." in name} == {"engine88.evaluation.classical.endgames"}


@compiled_only("nothing is compiled otherwise")
def test_a_second_compilation_finds_what_the_first_one_left(children: Children) -> None:
    warm_up(load=False)
    warm_up(load=False)
    assert len(children.asked) == len(call_graph.tasks())


@compiled_only("nothing is compiled otherwise")
def test_a_search_does_not_wait_for_the_other_kernels(
    children: Children, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    go_on = tmp_path / "go on"
    children.lines = [f"while name in {not_for_search()!r} and not os.path.exists({str(go_on)!r}): time.sleep(0.01)"]
    monkeypatch.setattr(warmup, "_children", lambda: 1)
    warm_up_search(load=False)
    assert not_for_search().isdisjoint(children.asked)
    go_on.touch()
    warmup.wait_for_rest()
    assert not_for_search() <= set(children.asked)


@compiled_only("nothing is compiled otherwise")
def test_when_a_child_fails_the_others_do_its_work(children: Children, capfd: pytest.CaptureFixture[str]) -> None:
    children.lines = ["exit(3)", "pass"]
    warm_up(load=False)
    assert len(children.asked) == len(call_graph.tasks())
    assert "ended with exit code 3; another process does its work" in capfd.readouterr().err


@compiled_only("nothing is compiled otherwise")
def test_a_failure_in_the_background_is_reported(
    children: Children, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(warmup, "_children", lambda: 1)
    children.lines = [f"if name in {not_for_search()!r}: exit(4)"]
    warm_up_search(load=False)
    warmup.wait_for_rest()
    err = capfd.readouterr().err
    assert "ended with exit code 4; kernels that are missing are compiled when they are needed" in err


@compiled_only("nothing is compiled otherwise")
def test_a_failure_before_the_first_search_is_raised(children: Children) -> None:
    children.lines = ["exit(5)"]
    with pytest.raises(RuntimeError, match="ended with exit code 5"):
        warm_up_search(load=False)


@compiled_only("nothing is compiled otherwise")
@pytest.mark.parametrize("suffix", [".lock", ""])
def test_a_file_that_cannot_be_written_ends_the_wait(children: Children, suffix: str) -> None:
    """The lock, or the stamp of all kernels."""
    kernel_cache.kernel_cache().stamp.with_suffix(suffix).symlink_to("missing/folder")
    with pytest.raises(RuntimeError, match=r"compiling failed: .*No such file or directory"):
        warm_up(load=False)


@compiled_only("nothing is compiled otherwise")
def test_a_line_says_why_shipped_kernels_are_not_used(
    children: Children, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kernel_cache, "shipped_misfit", lambda: "they are for numba1.0.0-py3.99")
    warm_up(load=False)
    line = "engine88: the kernels in the package are not used: they are for numba1.0.0-py3.99; compiling\n"
    assert capfd.readouterr().err == line
    assert children.asked


COMPILE = """
from engine88.compiler import jit, warmup
import engine88.rules.make_move
warmup.become_compiler()
jit.compile_entries()
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


@compiled_only("nothing is compiled otherwise")
def test_compilers_go_on_from_what_a_calling_process_compiled(tmp_path: Path) -> None:
    """Its machine code, which compilers load and never call, ended them with a segmentation fault."""
    call = "from engine88.rules.castling import castled_king; print(castled_king(4, 7))"
    assert run_python(call, ROOT, ENGINE88_CACHE_DIR=str(tmp_path)).stdout.split() == ["6"]
    run_python(COMPILE, ROOT, ENGINE88_CACHE_DIR=str(tmp_path))
    assert run_python(USE, ROOT, ENGINE88_CACHE_DIR=str(tmp_path)).stdout.split() == ["6", "0"]
