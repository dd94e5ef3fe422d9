"""Compiling for this very machine while the shipped kernels are already played with."""

import os
import subprocess
import sys

from engine88.compiler import jit
from engine88.compiler.cache_folder import CACHE_VARIABLE
from engine88.compiler.kernel_cache import TARGET_VARIABLE, KernelCache, native_cache, shipped_cache
from engine88.compiler.target import NATIVE, PORTABLE
from engine88.compiler.warmup import Progress, compile_in_children

LOWEST_PRIORITY = 19
ROUNDS = 3  # of measuring; the quickest of each counts
BENCH_DEPTH = 9


def warm_up_native(progress: Progress | None = None) -> str:
    """Compile for this machine if only shipped kernels were used so far; return the result as a sentence.

    The code is kept only if it is faster than the shipped one, which is measured. Engines take it at their next start.
    The process becomes one of the lowest priority. Raises RuntimeError when compiling fails.
    """
    shipped, own = shipped_cache(), native_cache()
    if own.slower_mark.is_file():
        return f"the shipped kernels are as fast as those for {own.target.cpu}: they are used"
    if own.complete:
        return f"kernels for {own.target.cpu} are there"
    if hasattr(os, "nice"):
        os.nice(LOWEST_PRIORITY)
    jit.import_kernels()
    compile_in_children(own, progress)
    if shipped is None:
        return f"kernels for {own.target.cpu} are compiled"
    return _compare(shipped, own)


def _compare(shipped: KernelCache, own: KernelCache) -> str:
    times_s: dict[str, float] = {NATIVE: float("inf"), PORTABLE: float("inf")}
    for _ in range(ROUNDS):
        for name in times_s:
            times_s[name] = min(times_s[name], _bench_s(name, shipped if name == PORTABLE else own))
    gain = times_s[PORTABLE] / times_s[NATIVE] - 1.0 if times_s[NATIVE] else 0.0
    if gain > 0.0 or not hasattr(os, "fork"):  # only POSIX reports the time of children
        return f"kernels for {own.target.cpu} are compiled, {gain:.1%} faster: engines take them at their next start"
    own.slower_mark.touch()
    return f"kernels for {own.target.cpu} are no faster ({gain:.1%}): the shipped ones stay in use"


def _bench_s(name: str, cache: KernelCache) -> float:
    """Return the processor time of a bench with these kernels, in seconds; their loading counts for both alike."""
    environment = {**os.environ, TARGET_VARIABLE: name, CACHE_VARIABLE: str(cache.root)}
    before = os.times().children_user
    command = [sys.executable, "-P", "-m", "engine88", "bench", str(BENCH_DEPTH)]
    subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    return os.times().children_user - before
