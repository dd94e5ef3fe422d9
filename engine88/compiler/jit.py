"""The decorators of kernels, and the warm-up that compiles them all: the one interface to Numba's compiler."""

import functools
import importlib
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import types
from numba.extending import register_jitable

from engine88.compiler import kernel_cache
from engine88.compiler.cache_folder import CACHE_VARIABLE, folder_name, kernel_modules, python_path
from engine88.compiler.file_lock import locked
from engine88.compiler.kernel_cache import TARGET_VARIABLE
from engine88.compiler.tunable import with_tunables

_FLAGS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "boundscheck": False}

_CONFIG: Any = numba.config  # its fields are made at run time
_CONFIG.SLP_VECTORIZE = 1  # neighbouring scalars in one vector: 1.4 % more nodes a second (docs/performance.md)
_TYPES: Any = types  # untyped

Function = TypeVar("Function", bound=Callable[..., Any])
Progress = Callable[[int, int], None]

_INT64: Any = np.int64
int64: Callable[[Any], int] = _INT64
"""np.int64 as kernels see it: the one width of all their scalars. For the type checker its values are ints."""
_UINT64: Any = np.uint64
uint64: Callable[[Any], int] = _UINT64
"""np.uint64 likewise: keys, words of memory, indices that are never negative (a signed index costs a wrap-around)."""

KERNELS: list[Any] = []
"""Every kernel decorated so far (Numba dispatchers, or plain functions under NUMBA_DISABLE_JIT=1)."""
ENTRIES: list[tuple[Any, tuple[Any, ...]]] = []
"""Kernels called from Python with the argument types they are compiled for."""


def kernel(function: Function) -> Function:
    """Compile `function` to machine code at its first call (or load it from the cache folder)."""
    return _decorate(function, **_FLAGS)


def inlined(function: Function) -> Function:
    """Compile a kernel whose code is always copied into its callers: for helpers of a few lines in hot loops."""
    return _decorate(function, forceinline=True, **_FLAGS)


def entry(*argument_types: Any) -> Callable[[Function], Function]:
    """Compile a kernel that Python calls, for exactly these argument types, in `warm_up`."""

    def decorate(function: Function) -> Function:
        compiled = _decorate(function, **_FLAGS)
        ENTRIES.append((compiled, argument_types))
        return compiled

    return decorate


def jitable(function: Function) -> Function:
    """Mark a small function that kernels compile and that plain Python calls as it stands."""
    compiled: Function = register_jitable(with_tunables(function))
    return compiled


def _decorate(function: Function, **options: Any) -> Function:
    function = with_tunables(function)
    if _CONFIG.DISABLE_JIT:
        KERNELS.append(function)
        return function
    kernel_cache.install()
    cache = kernel_cache.kernel_cache()
    _CONFIG.CACHE_DIR = str(cache.root / folder_name(function.__module__))  # for kernels of tests
    compiled: Any = numba.njit(**options)(function)
    compiled.get_call_template = functools.partial(_template_without_literals, compiled)
    if cache.read_only:
        compiled._cache.save_overload = functools.partial(_say_not_saved, function.__qualname__)
    KERNELS.append(compiled)
    return cast(Function, compiled)


def _say_not_saved(name: str, *_signature_and_code: Any) -> None:
    """Do without saving code that the shipped folder lacks: each process compiles it again, which is a fault."""
    sys.stderr.write(f"engine88: {name} is not among the shipped kernels and was compiled now; please report this\n")


def _template_without_literals(compiled: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Return how a kernel that calls `compiled` is typed: a constant argument counts as an int64 like any other.

    Left alone, Numba compiles `f(board, 3)` and `f(board, 4)` as two functions of two literal types, and a recursion
    across such naive is left unresolved in the cache. The optimizer folds constants just as well without.
    """
    plain = tuple(_TYPES.unliteral(argument) for argument in arguments)
    named = {name: _TYPES.unliteral(argument) for name, argument in keywords.items()}
    return type(compiled).get_call_template(compiled, plain, named)


def import_kernels() -> None:
    """Import every module of the package that defines a kernel, so that KERNELS and ENTRIES are complete."""
    for name in kernel_modules():
        importlib.import_module(name)


def compile_entries() -> None:
    """Compile every entry kernel (and so all it calls) in this process, or load it from the cache folder."""
    for compiled, argument_types in ENTRIES:
        if hasattr(compiled, "compile"):
            compiled.compile(argument_types)


def warm_up(progress: Progress | None = None, *, load: bool = True) -> None:
    """Make every kernel ready; missing ones are compiled first, in a child process. Without `load` nothing is loaded.

    Code that was compiled in the process that runs it is about half as fast as the same code loaded from disk, hence
    the child. `progress(done, total)` is called while it works, in kernels; with a warm cache not at all.
    """
    import_kernels()
    if _CONFIG.DISABLE_JIT:
        return
    cache = kernel_cache.kernel_cache()
    if not cache.complete:
        misfit = kernel_cache.shipped_misfit()
        if misfit is not None:
            sys.stderr.write(f"engine88: the kernels in the package are not used: {misfit}; compiling\n")
        compile_in_child(cache, progress)
    if load:
        compile_entries()


def compile_here() -> None:
    """Compile every kernel into the cache folder, one process at a time: the work of the child of `warm_up`."""
    import_kernels()
    if _CONFIG.DISABLE_JIT:
        return
    stamp = kernel_cache.kernel_cache().stamp
    with locked(stamp.with_suffix(".lock")):  # processes of other sources need not wait
        compile_entries()
        stamp.touch()


def compile_in_child(cache: kernel_cache.KernelCache, progress: Progress | None) -> None:
    """Compile every kernel into this folder, for its processor; raises RuntimeError when that fails."""
    environment = {
        **os.environ,
        CACHE_VARIABLE: str(cache.root),
        TARGET_VARIABLE: cache.target.name,
        "PYTHONPATH": python_path(),
    }
    # -P: the package that is compiled is this one, and not another in the current folder.
    command = [sys.executable, "-P", "-m", "engine88", "warmup", "--for", str(os.getpid())]
    total = len(KERNELS)
    with subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as child:
        while child.poll() is None:
            if progress is not None:
                progress(min(_count_compiled(cache.root), total - 1), total)
            time.sleep(0.1)
    if child.returncode != 0:
        raise RuntimeError(f"compiling failed: `{' '.join(command)}` ended with exit code {child.returncode}")
    if progress is not None:
        progress(total, total)


def _count_compiled(root: Path) -> int:
    """Return the number of kernels in the cache folder: Numba writes one index file each."""
    return sum(1 for module in kernel_modules() for _ in (root / folder_name(module)).glob("*.nbi"))
