"""Compiling all kernels ahead, in as many child processes as there are cores.

The children are given one kernel after the other, callees first (see call_graph), and find what the others compiled in
the cache folder. Each kernel is saved as soon as it is compiled, so an interrupted compilation continues at the next
start.
"""

import gc
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from engine88.compiler import call_graph, jit, kernel_cache
from engine88.compiler.cache_folder import CACHE_VARIABLE, folder_name, kernel_modules, python_path
from engine88.compiler.call_graph import Task
from engine88.compiler.file_lock import locked
from engine88.compiler.kernel_cache import TARGET_VARIABLE, KernelCache
from engine88.compiler.library import compile_for_entries

Progress = Callable[[int, int], None]

_POLL_S = 0.1
_LOW_PRIORITY = 10
_MOST_CHILDREN = 4
"""A fifth would mostly wait for the others, and each takes some 400 MB of memory."""
_BACKGROUND = "engine88-compiling"
_COMPILED = b"compiled\n"
_OBJECTS_TO_COLLECT = 50_000
"""Garbage is collected after so many new objects; Python's usual 700 cost a compiler 6 % of its time."""


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
        compilation = _Compilation(cache)
        compilation.wait(cache.search_stamp, progress)
        background = threading.Thread(target=compilation.wait_in_background, name=_BACKGROUND, daemon=True)
        background.start()
    if load:
        jit.compile_entries(for_search=True)


def wait_for_rest() -> None:
    """Load the kernels that `warm_up_search` left out, when the background has compiled them."""
    wait_for_background()
    jit.compile_entries()


def wait_for_background() -> None:
    """Wait until the background has compiled what `warm_up_search` left out."""
    for thread in threading.enumerate():
        if thread.name == _BACKGROUND:
            thread.join()


def compile_in_children(cache: KernelCache, progress: Progress | None) -> None:
    """Compile every kernel into this folder, for its processor. Raises RuntimeError when that fails."""
    _Compilation(cache).wait(cache.stamp, progress)
    if progress is not None:
        progress(len(jit.KERNELS), len(jit.KERNELS))


def compile_asked() -> None:
    """Compile into the cache folder the kernels whose names come over stdin, one a line: the work of a child."""
    jit.import_kernels()
    become_compiler()
    cache = kernel_cache.kernel_cache()
    kernels = {call_graph.name_of(kernel): kernel for kernel in jit.KERNELS}
    for name in sys.stdin:
        if cache.search_stamp.is_file():
            _lower_priority()  # the engine may be playing already
        kernel = kernels[name.strip()]
        kernel.compile(jit.signature(kernel))
        sys.stdout.buffer.write(_COMPILED)
        sys.stdout.flush()


def become_compiler() -> None:
    """Compile faster from now on, in a process that calls no kernels.

    A kernel that gets its second caller is optimized when it is compiled the next time.
    """
    gc.freeze()
    gc.set_threshold(_OBJECTS_TO_COLLECT)
    entries = {entry.kernel.__qualname__ for entry in jit.ENTRIES}
    calls = Counter(callee for task in call_graph.tasks() for callee in task.callees)
    compile_for_entries(entries, {name.rpartition(".")[2] for name, callers in calls.items() if callers > 1})


class _Compilation:
    """Compiles the kernels that a folder lacks, in threads of its own.

    Where another process is at it already, it waits and then compiles what is still missing.
    """

    def __init__(self, cache: KernelCache) -> None:
        misfit = kernel_cache.shipped_misfit()
        if misfit is not None and not cache.search_stamp.is_file():
            sys.stderr.write(f"engine88: the kernels in the package are not used: {misfit}; compiling\n")
        self._cache = cache
        self._changed = threading.Condition()
        self._waiting = call_graph.tasks()
        self._unfinished = {task.name: task for task in self._waiting}
        self._at_work = _children()
        self._problem = ""
        self._ended = False
        threading.Thread(target=self._run, daemon=True).start()

    def wait(self, stamp: Path, progress: Progress | None) -> None:
        """Wait until a stamp of the folder is there. Raises RuntimeError when compiling fails."""
        while not stamp.is_file():
            with self._changed:
                if self._ended and not stamp.is_file():
                    raise RuntimeError(self._problem)
                self._changed.wait(_POLL_S)
            if progress is not None:
                progress(min(_count_compiled(self._cache), len(jit.KERNELS) - 1), len(jit.KERNELS))

    def wait_in_background(self) -> None:
        """Wait until all kernels are there; report on stderr that some will be missing."""
        try:
            self.wait(self._cache.stamp, None)
        except RuntimeError as error:
            sys.stderr.write(f"engine88: {error}; kernels that are missing are compiled when they are needed\n")

    def _run(self) -> None:
        try:
            with locked(self._cache.stamp.with_suffix(".lock")):  # processes of other sources need not wait
                if not self._cache.complete:
                    servers = [threading.Thread(target=self._serve, daemon=True) for _ in range(self._at_work)]
                    for server in servers:
                        server.start()
                    for server in servers:
                        server.join()
        except OSError as error:
            self._problem = f"compiling failed: {error}"
        finally:
            with self._changed:
                self._ended = True
                self._changed.notify_all()

    def _serve(self) -> None:
        """Have one child compile until nothing is left, or it fails."""
        # -P: the package that is compiled is this one, and not another in the current folder.
        command = [sys.executable, "-P", "-m", "engine88", "warmup", "--for", str(os.getpid())]
        task = self._take()
        try:
            with _start(command, self._cache) as child:
                while task is not None and _ask(child, task):
                    self._put_away(task)
                    task = self._take()
            problem = f"ended with exit code {child.returncode}"
        except OSError as error:
            problem = f"failed: {error}"
        if task is not None:
            self._give_back(task, f"compiling failed: `{' '.join(command)}` {problem}")

    def _take(self) -> Task | None:
        """Return the most urgent kernel whose callees are compiled, None when every kernel is.

        It waits for those that other children compile: if one of them fails, its kernel comes back.
        """
        with self._changed:
            not_yet = self._unfinished.keys()
            while not_yet:
                ready = next((task for task in self._waiting if not_yet.isdisjoint(task.callees)), None)
                if ready is not None:
                    self._waiting.remove(ready)
                    return ready
                self._changed.wait()
            return None

    def _put_away(self, task: Task) -> None:
        """Note that a kernel is compiled. Raises OSError, and notes nothing, where a stamp cannot be written."""
        with self._changed:
            left = [one for one in self._unfinished.values() if one is not task]
            if task.for_search and not any(one.for_search for one in left):
                self._cache.search_stamp.touch()
            if not left:
                self._cache.stamp.touch()
            del self._unfinished[task.name]
            self._changed.notify_all()

    def _give_back(self, task: Task, problem: str) -> None:
        """Leave a kernel to the other children, if there are any: one more may have been too much for the memory."""
        with self._changed:
            self._waiting.insert(0, task)
            self._problem = problem
            self._at_work -= 1
            if self._at_work > 0:
                sys.stderr.write(f"engine88: {problem}; another process does its work\n")
            self._changed.notify_all()


def _start(command: list[str], cache: KernelCache) -> "subprocess.Popen[bytes]":
    environment = {
        **os.environ,
        CACHE_VARIABLE: str(cache.root),
        TARGET_VARIABLE: cache.target.name,
        "PYTHONPATH": python_path(),
    }
    # Unbuffered: nothing is left to be written when a child that has failed is closed.
    return subprocess.Popen(command, bufsize=0, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def _ask(child: "subprocess.Popen[bytes]", task: Task) -> bool:
    """Have a child compile a kernel; returns False when it has ended instead."""
    stdin, stdout = child.stdin, child.stdout
    assert stdin is not None
    assert stdout is not None
    try:
        stdin.write(f"{task.name}\n".encode())
    except BrokenPipeError:
        return False
    return stdout.readline() == _COMPILED


def _children() -> int:
    """Return the number of child processes: one for each processor that this process may use, up to a bound."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(processors, _MOST_CHILDREN)


def _lower_priority() -> None:
    if hasattr(os, "nice") and os.nice(0) < _LOW_PRIORITY:
        os.nice(_LOW_PRIORITY)


def _count_compiled(cache: KernelCache) -> int:
    """Return the number of kernels in the cache folder: Numba writes one index file each."""
    return sum(1 for module in kernel_modules() for _ in (cache.root / folder_name(module)).glob("*.nbi"))
