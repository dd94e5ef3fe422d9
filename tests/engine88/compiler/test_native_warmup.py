"""Code for this machine is compiled beside the shipped code, and kept in use only where it is faster."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from engine88.compiler import jit, native_warmup
from engine88.compiler.kernel_cache import KernelCache
from engine88.compiler.target import Target


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KernelCache:
    """An empty folder of our own beside shipped kernels; compiling only leaves the stamp."""
    cache = KernelCache(tmp_path, Target("native", "host", "+fast"))
    monkeypatch.setattr(native_warmup, "native_cache", lambda: cache)
    monkeypatch.setattr(native_warmup, "shipped_cache", lambda: KernelCache(tmp_path, Target("portable", "level", "")))
    monkeypatch.setattr(os, "nice", lambda _step: 0)
    monkeypatch.setattr(jit, "import_kernels", lambda: None)

    def compile_in_children(wanted: KernelCache, _progress: Any) -> None:
        assert not wanted.complete
        wanted.stamp.touch()

    monkeypatch.setattr(native_warmup, "compile_in_children", compile_in_children)
    return cache


def measured(monkeypatch: pytest.MonkeyPatch, native_s: list[float], portable_s: list[float]) -> None:
    times = {"native": native_s, "portable": portable_s}
    monkeypatch.setattr(native_warmup, "_bench_s", lambda name, _cache: times[name].pop(0))


def test_faster_code_is_kept_and_not_compiled_again(own: KernelCache, monkeypatch: pytest.MonkeyPatch) -> None:
    measured(monkeypatch, [3.0, 2.0, 9.0], [2.5, 2.2, 2.4])  # the best of each counts
    assert "10.0% faster" in native_warmup.warm_up_native()
    assert not own.slower_mark.exists()
    assert native_warmup.warm_up_native() == "kernels for host are there"


def test_code_that_is_no_faster_is_marked_and_not_compiled_again(
    own: KernelCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured(monkeypatch, [2.0, 2.1, 2.2], [1.9, 2.0, 2.0])
    assert "the shipped ones stay in use" in native_warmup.warm_up_native()
    assert own.slower_mark.is_file()
    assert "as fast as" in native_warmup.warm_up_native()


def test_without_shipped_kernels_there_is_nothing_to_compare(own: KernelCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_warmup, "shipped_cache", lambda: None)
    assert native_warmup.warm_up_native() == "kernels for host are compiled"
    assert own.complete
