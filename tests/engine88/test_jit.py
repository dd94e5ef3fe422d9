"""Compiled kernels: one signature each, a cache that notices every edit and does without a writable folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from engine88 import jit
from tests.engine88.games import PLAIN_PYTHON

ROOT = Path(__file__).resolve().parents[2]
compiled_only = pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled in plain Python")


def run_python(code: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a line of Python in a fresh process that finds the package in `cwd`."""
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(cwd), **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )


def folder_names(root: Path) -> dict[str, str]:
    """Cache folders of three modules of the package that lies in `root`."""
    names = "squares", "movegen", "perft"
    code = f"from engine88.jit import folder_name as f; print(*[f('engine88.' + name) for name in {names}])"
    return dict(zip(names, run_python(code, root).stdout.split(), strict=True))


def test_an_edit_renames_the_folders_of_all_that_stands_on_it_and_no_other(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "engine88", tmp_path / "engine88", ignore=shutil.ignore_patterns("__pycache__"))
    before = folder_names(tmp_path)
    assert before == {name: jit.folder_name(f"engine88.{name}") for name in before}
    with (tmp_path / "engine88" / "movegen_evasions.py").open("a") as source:
        source.write("# edited\n")
    after = folder_names(tmp_path)
    assert after["squares"] == before["squares"]
    assert after["movegen"] != before["movegen"]
    assert after["perft"] != before["perft"]


@compiled_only
def test_every_kernel_has_one_signature() -> None:
    jit.import_kernels()
    folders = {jit.folder_name(kernel.__module__) for kernel in jit.KERNELS}
    second = [path.name for folder in folders for path in (jit.cache_root() / folder).glob("*/*.2.nbc")]
    assert second == []
    first = [path.name for folder in folders for path in (jit.cache_root() / folder).glob("*/*.1.nbc")]
    assert len(first) > 50


@compiled_only
def test_warm_kernels_are_loaded_and_not_compiled() -> None:
    code = (
        "from engine88 import jit; jit.warm_up()\n"
        "print(sum(sum(k.stats.cache_misses.values()) for k in jit.KERNELS), len(jit.ENTRIES))"
    )
    misses, entries = run_python(code, ROOT).stdout.split()
    assert misses == "0"
    assert int(entries) > 10


@compiled_only
def test_progress_ends_with_all_kernels(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(jit, "_stamp", lambda: tmp_path / "absent")
    seen: list[tuple[int, int]] = []
    jit.warm_up(lambda done, total: seen.append((done, total)))
    assert seen[-1] == (len(jit.KERNELS), len(jit.KERNELS))
    assert all(done <= total for done, total in seen)


def test_a_failed_compilation_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(jit.sys, "executable", shutil.which("false"))
    with pytest.raises(RuntimeError, match=r"compiling failed: .* ended with exit code 1"):
        jit._compile_in_child(None)


def test_a_folder_that_cannot_be_written_is_replaced_and_said_once(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    code = "from engine88 import jit; print(jit.cache_root()); jit.cache_root()"
    result = run_python(code, ROOT, ENGINE88_CACHE_DIR=str(blocked / "cache"), TMPDIR=str(tmp_path))
    assert Path(result.stdout.strip()).parent == tmp_path
    assert result.stderr.count("\n") == 1
    assert f"cannot write compiled code to {blocked / 'cache'}" in result.stderr
    assert "ENGINE88_CACHE_DIR" in result.stderr


def test_a_read_only_folder_lends_what_it_holds(tmp_path: Path) -> None:
    wanted = tmp_path / "shipped"
    (wanted / "movegen-1").mkdir(parents=True)
    (wanted / "movegen-1" / "kernel").write_text("compiled")
    code = (
        "from engine88 import jit\n"
        "jit._write_problem = lambda folder: 'Read-only file system'\n"
        "jit.cache_root.cache_clear(); print(jit.cache_root())"
    )
    result = run_python(code, ROOT, ENGINE88_CACHE_DIR=str(wanted), TMPDIR=str(tmp_path))
    used = Path(result.stdout.strip())
    assert used != wanted
    assert (used / "movegen-1" / "kernel").read_text() == "compiled"
    assert "Read-only file system" in result.stderr


def test_the_temporary_folder_of_somebody_else_is_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit.tempfile, "tempdir", str(tmp_path))
    own = jit._temporary_folder()
    assert own == jit._temporary_folder()
    own.chmod(0o777)
    assert jit._temporary_folder() != own


def test_importing_the_package_loads_no_compiler() -> None:
    code = "import sys, engine88; print('numba' in sys.modules, 'numpy' in sys.modules)"
    assert run_python(code, ROOT).stdout.split() == ["False", "False"]


def test_kernels_are_all_found() -> None:
    jit.import_kernels()
    modules = {kernel.__module__ for kernel in jit.KERNELS}
    assert {"engine88.board", "engine88.movegen", "engine88.perft", "engine88.see"} <= modules
    assert numba.config.DISABLE_JIT or all(hasattr(kernel, "compile") for kernel in jit.KERNELS)
