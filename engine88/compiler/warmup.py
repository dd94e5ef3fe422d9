"""Compiling all kernels ahead, in child processes.

Two processes share the work through the cache folder. The first one compiles what a search needs. The second one
begins with the evaluation, which the first then finds compiled, and continues with the kernels that only other commands
need. Each kernel is saved as soon as it is compiled, so an interrupted compilation continues at the next start.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from engine88.compiler import jit, kernel_cache
from engine88.compiler.cache_folder import CACHE_VARIABLE, folder_name, kernel_modules, python_path
from engine88.compiler.file_lock import locked
from engine88.compiler.kernel_cache import TARGET_VARIABLE, KernelCache

Progress = Callable[[int, int], None]

_POLL_S = 0.1
_LOW_PRIORITY = 10
_BACKGROUND = "engine88-compiling"
_SEARCH_BEGINS_WITH = ("generate_legal", "search_window")
_REST_BEGINS_WITH = ("evaluate",)


class Part(StrEnum):
    """What a child process compiles."""

    SEARCH = "search"
    """What the first search needs."""
    ALL = "all"
    """Every kernel. Those that the other process compiles come last, and are then only loaded."""


def warm_up(progress: Progress | None = None, *, load: bool = True) -> None:
    """Make every kernel ready; missing ones are compiled first. Without `load` nothing is loaded.

    Code that was compiled in the process that runs it is about half as fast as the same code loaded from disk, hence
    the child processes. `progress(done, total)` is called while they work, in kernels; with a warm cache not at all.
    Raises RuntimeError when compiling fails.
    """
    jit.import_kernels()
    if jit.is_plain_python():
        return
    cache = kernel_cache.kernel_cache()
    if not cache.complete:
        compile_in_children(cache, progress)
    if load:
        jit.compile_entries()


def warm_up_search(progress: Progress | None = None, *, load: bool = True) -> None:
    """Make the kernels ready that a search needs, as `warm_up` does; the others are compiled in the background.

    A failure in the background is reported on stderr: those kernels are then compiled at their first call.
    """
    jit.import_kernels()
    if jit.is_plain_python():
        return
    cache = kernel_cache.kernel_cache()
    if not cache.complete:
        everything = _compile_search(cache, progress)
        threading.Thread(target=_finish_in_background, args=(cache, everything), name=_BACKGROUND, daemon=True).start()
    if load:
        jit.compile_entries(for_search=True)


def wait_for_rest() -> None:
    """Load the kernels that `warm_up_search` left out, when the background has compiled them."""
    for thread in threading.enumerate():
        if thread.name == _BACKGROUND:
            thread.join()
    jit.compile_entries()


def compile_in_children(cache: KernelCache, progress: Progress | None) -> None:
    """Compile every kernel into this folder, for its processor. Raises RuntimeError when that fails."""
    _finish(cache, _compile_search(cache, progress), progress)
    if progress is not None:
        progress(len(jit.KERNELS), len(jit.KERNELS))


def compile_here(part: Part) -> None:
    """Compile a part into the cache folder, unless another process does or did: the work of a child."""
    jit.import_kernels()
    if jit.is_plain_python():
        return
    cache = kernel_cache.kernel_cache()
    jit.become_compiler()
    if part is Part.SEARCH:
        _compile_for_search(cache)
        return
    with locked(cache.stamp.with_suffix(".lock")):  # processes of other sources need not wait
        if not cache.complete:
            _compile_rest(cache)
            _compile_for_search(cache)
            cache.stamp.touch()


def _compile_for_search(cache: KernelCache) -> None:
    with locked(cache.search_stamp.with_suffix(".lock")):
        if not cache.search_stamp.is_file():
            entries = (entry for entry in jit.ENTRIES if entry.for_search)
            for entry in sorted(entries, key=lambda entry: entry.name not in _SEARCH_BEGINS_WITH):
                entry.compile()
            cache.search_stamp.touch()


def _compile_rest(cache: KernelCache) -> None:
    """Compile what the other process does not begin with: first what a search needs too."""
    entries = (entry for entry in jit.ENTRIES if entry.name not in _SEARCH_BEGINS_WITH)
    for entry in sorted(entries, key=lambda entry: (entry.name not in _REST_BEGINS_WITH, not entry.for_search)):
        if cache.search_stamp.is_file():
            _lower_priority()  # the engine may be playing already
        entry.compile()


def _lower_priority() -> None:
    if hasattr(os, "nice") and os.nice(0) < _LOW_PRIORITY:
        os.nice(_LOW_PRIORITY)


def _compile_search(cache: KernelCache, progress: Progress | None) -> "subprocess.Popen[bytes] | None":
    """Compile what a search needs; return the process that compiles everything, None if there is no core for it."""
    misfit = kernel_cache.shipped_misfit()
    if misfit is not None and not cache.search_stamp.is_file():
        sys.stderr.write(f"engine88: the kernels in the package are not used: {misfit}; compiling\n")
    everything = _start(cache, Part.ALL) if _processors() > 1 or cache.search_stamp.is_file() else None
    try:
        if not cache.search_stamp.is_file():
            _wait(_start(cache, Part.SEARCH), cache, progress)
    except BaseException:
        if everything is not None:
            everything.kill()
            everything.wait()
        raise
    return everything


def _finish(cache: KernelCache, everything: "subprocess.Popen[bytes] | None", progress: Progress | None) -> None:
    """Wait for the process that compiles everything. Start it if it does not run, once more if it failed."""
    try:
        if everything is not None:
            _wait(everything, cache, progress)
            return
    except RuntimeError as error:  # two compilers may have been too much for the memory
        sys.stderr.write(f"engine88: {error}; trying again with one process\n")
    _wait(_start(cache, Part.ALL), cache, progress)


def _finish_in_background(cache: KernelCache, everything: "subprocess.Popen[bytes] | None") -> None:
    try:
        _finish(cache, everything, None)
    except (RuntimeError, OSError) as error:
        sys.stderr.write(f"engine88: {error}; kernels that are missing are compiled when they are needed\n")


def _start(cache: KernelCache, part: Part) -> "subprocess.Popen[bytes]":
    environment = {
        **os.environ,
        CACHE_VARIABLE: str(cache.root),
        TARGET_VARIABLE: cache.target.name,
        "PYTHONPATH": python_path(),
    }
    # -P: the package that is compiled is this one, and not another in the current folder.
    command = [sys.executable, "-P", "-m", "engine88", "warmup", "--for", str(os.getpid()), part]
    return subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def _wait(child: "subprocess.Popen[bytes]", cache: KernelCache, progress: Progress | None) -> None:
    """Wait for a child and report its progress. Raises RuntimeError if it fails."""
    command: Any = child.args
    with child:
        while child.poll() is None:
            if progress is not None:
                progress(min(_count_compiled(cache), len(jit.KERNELS) - 1), len(jit.KERNELS))
            time.sleep(_POLL_S)
    if child.returncode != 0:
        raise RuntimeError(f"compiling failed: `{' '.join(command)}` ended with exit code {child.returncode}")


def _count_compiled(cache: KernelCache) -> int:
    """Return the number of kernels in the cache folder: Numba writes one index file each."""
    return sum(1 for module in kernel_modules() for _ in (cache.root / folder_name(module)).glob("*.nbi"))


def _processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
