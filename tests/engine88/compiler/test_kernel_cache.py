"""Shipped kernels are used in place until this machine's own are complete; each choice is made once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine88.compiler import cache_folder, kernel_cache, target
from engine88.compiler.cache_folder import VERSIONS
from engine88.compiler.kernel_cache import KernelCache, KernelLocator, native_cache, shipped_cache
from engine88.compiler.target import Target
from tests.engine88.fresh_process import ROOT, run_python

NATIVE = Target("native", "host", "+fast")
PORTABLE = Target("portable", "level", "")


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[KernelCache, KernelCache]]:
    """What is shipped and what this machine compiles, both empty."""
    monkeypatch.setattr(target, "native", lambda: NATIVE)
    monkeypatch.setattr(target, "portable", lambda: PORTABLE)
    monkeypatch.setattr(target, "has_portable_level", lambda: True)
    shipped, own = tmp_path / "shipped", tmp_path / "own"
    shipped.mkdir()
    monkeypatch.setattr(kernel_cache, "SHIPPED", shipped)
    monkeypatch.setenv("ENGINE88_CACHE_DIR", str(own))
    monkeypatch.delenv("ENGINE88_TARGET", raising=False)
    cache_folder.cache_root.cache_clear()
    yield KernelCache(shipped, PORTABLE, read_only=True), KernelCache(own, NATIVE)
    cache_folder.cache_root.cache_clear()


Folders = tuple[KernelCache, KernelCache]


def choice() -> KernelCache:
    """What a fresh process would choose."""
    return kernel_cache.kernel_cache.__wrapped__()


def finish(cache: KernelCache) -> None:
    cache.root.mkdir(exist_ok=True)
    cache.stamp.touch()


def test_the_stamp_is_of_sources_and_processor_with_its_features(tmp_path: Path) -> None:
    stamps = {
        KernelCache(tmp_path, one).stamp
        for one in (NATIVE, PORTABLE, Target("native", "host", "+fast,+wide"), Target("native", "other", "+fast"))
    }
    assert len(stamps) == 4
    assert KernelCache(tmp_path, NATIVE).stamp == KernelCache(tmp_path, Target("x", "host", "+fast")).stamp


def test_shipped_kernels_are_used_where_they_are_and_nothing_is_written(folders: Folders) -> None:
    shipped, own = folders
    finish(shipped)
    assert choice() == shipped == shipped_cache()
    assert not own.root.exists()


def test_own_kernels_are_used_once_they_are_complete(folders: Folders) -> None:
    shipped, own = folders
    finish(shipped)
    own.root.mkdir()
    assert choice() == shipped
    finish(own)
    assert choice() == own


def test_own_kernels_that_are_no_faster_are_left_alone(folders: Folders) -> None:
    shipped, own = folders
    finish(shipped)
    finish(own)
    own.slower_mark.touch()
    assert choice() == shipped


def test_shipped_kernels_that_do_not_fit_are_not_used(folders: Folders, monkeypatch: pytest.MonkeyPatch) -> None:
    """Incomplete, of other sources, or for a better processor than this one."""
    shipped, own = folders
    assert choice() == own
    finish(shipped)
    monkeypatch.setattr(target, "has_portable_level", lambda: False)
    assert shipped_cache() is None
    assert choice() == own


def test_shipped_kernels_that_do_not_fit_are_named(folders: Folders, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped, _ = folders
    assert kernel_cache.shipped_misfit() is None, "nothing was shipped"
    (shipped.root / f"search.search-0123456789abcdef-{VERSIONS}").mkdir()
    assert kernel_cache.shipped_misfit() == "the sources of the engine were changed"
    monkeypatch.setattr(target, "has_portable_level", lambda: False)
    assert kernel_cache.shipped_misfit() == "this processor (host) lacks instructions that they use"
    monkeypatch.setattr(kernel_cache, "VERSIONS", "numba1.0.0-py3.99")
    assert kernel_cache.shipped_misfit() == f"they are for {VERSIONS}, and this is numba1.0.0-py3.99"


def test_no_misfit_is_named_where_shipped_kernels_are_used_or_unwanted(
    folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped, _ = folders
    (shipped.root / f"search.search-0123456789abcdef-{VERSIONS}").mkdir()
    monkeypatch.setenv("ENGINE88_TARGET", "native")
    assert kernel_cache.shipped_misfit() is None
    monkeypatch.delenv("ENGINE88_TARGET")
    finish(shipped)
    assert kernel_cache.shipped_misfit() is None


@pytest.mark.parametrize(("asked", "number"), [("portable", PORTABLE), ("native", NATIVE)])
def test_one_target_can_be_demanded(
    asked: str, number: Target, folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped, own = folders
    finish(shipped)
    monkeypatch.setenv("ENGINE88_TARGET", asked)
    assert choice() == KernelCache(own.root, number)


def test_another_target_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGINE88_TARGET", "fastest")
    with pytest.raises(ValueError, match="ENGINE88_TARGET must be native or portable, not 'fastest'"):
        choice()


def test_a_complete_folder_need_not_be_writable(folders: Folders, monkeypatch: pytest.MonkeyPatch) -> None:
    _, own = folders
    finish(own)
    monkeypatch.setattr(cache_folder, "_write_problem", lambda _folder: "Read-only file system")
    assert choice() == native_cache() == own


def test_numba_is_told_the_folder_of_the_engines_kernels_only(folders: Folders) -> None:
    def somebody_elses() -> None: ...

    assert KernelLocator.from_function(somebody_elses, __file__) is None
    somebody_elses.__module__ = "engine88.board.squares"
    locator = KernelLocator.from_function(somebody_elses, __file__)
    assert locator is not None
    assert locator.get_source_stamp() == cache_folder.folder_name("engine88.board.squares")
    assert Path(locator.get_cache_path()).name == locator.get_source_stamp()
    assert locator.get_disambiguator() == str(somebody_elses.__code__.co_firstlineno)


def test_the_compiler_is_not_asked_about_processors_without_it() -> None:
    code = (
        "import engine88.rules.movegen, engine88.compiler.kernel_cache as k; print(k.kernel_cache.cache_info().misses)"
    )
    assert run_python(code, ROOT, NUMBA_DISABLE_JIT="1").stdout.strip() == "0"
