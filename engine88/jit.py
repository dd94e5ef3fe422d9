"""The one place that talks to Numba: decorators, the folder of compiled kernels, and the warm-up.

Numba keeps machine code on disk, but it does not notice an edit in a *callee* that lives in another file. So the
folder of each module is named by a hash of that module and of every engine88 module it imports, directly or not: an
edit of `search.py` recompiles what stands on it and leaves the move generator alone.

    $ENGINE88_CACHE_DIR or ~/.cache/engine88
      movegen-1f0a...-numba0.68.1-py3.11/     one folder per module and content
"""

import contextlib
import fcntl
import functools
import hashlib
import importlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite.binding
import numba
import numpy as np
from numba.core.types import unliteral
from numba.extending import register_jitable

PACKAGE = Path(__file__).resolve().parent
CACHE_VARIABLE = "ENGINE88_CACHE_DIR"
_IMPORT = re.compile(
    r"^\s*(?:from engine88\.([\w.]+) import|import engine88\.([\w.]+)|from engine88 import ([\w, ]+))", re.MULTILINE
)
_DECORATED = re.compile(r"^@(?:kernel|inlined|entry)\b", re.MULTILINE)
_FLAGS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "boundscheck": False}

_CONFIG: Any = numba.config  # its fields are made at run time

Function = TypeVar("Function", bound=Callable[..., Any])
Progress = Callable[[int, int], None]

_INT64: Any = np.int64
int64: Callable[[Any], int] = _INT64
"""np.int64 as kernels see it: the one width of all their scalars. For the type checker its values are ints."""
_UINT64: Any = np.uint64
uint64: Callable[[Any], int] = _UINT64
"""np.uint64 likewise: keys, words of memory, and indices that are never negative (a signed index costs a wrap-around)."""

KERNELS: list[Any] = []
"""Every kernel decorated so far (Numba dispatchers, or plain functions under NUMBA_DISABLE_JIT=1)."""
ENTRIES: list[tuple[Any, tuple[Any, ...]]] = []
"""Kernels called from Python with the argument types they are compiled for."""


def kernel(function: Function) -> Function:
    """Compile `function` to machine code at its first call (or load it from the cache folder)."""
    return _decorate(function, **_FLAGS)


def inlined(function: Function) -> Function:
    """A kernel whose code is always copied into its callers: for helpers of a few lines in hot loops."""
    return _decorate(function, forceinline=True, **_FLAGS)


def entry(*argument_types: Any) -> Callable[[Function], Function]:
    """A kernel that Python calls, compiled for exactly these argument types by `warm_up`."""

    def decorate(function: Function) -> Function:
        compiled = _decorate(function, **_FLAGS)
        ENTRIES.append((compiled, argument_types))
        return compiled

    return decorate


def dual(function: Function) -> Function:
    """A small function that kernels compile and that plain Python calls as it stands."""
    compiled: Function = register_jitable(function)
    return compiled


def _decorate(function: Function, **options: Any) -> Function:
    _CONFIG.CACHE_DIR = str(cache_root() / folder_name(function.__module__))
    compiled: Any = numba.njit(**options)(function)
    if not _CONFIG.DISABLE_JIT:
        compiled.get_call_template = functools.partial(_template_without_literals, compiled)
    KERNELS.append(compiled)
    return cast(Function, compiled)


def _template_without_literals(compiled: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """How a kernel that calls `compiled` is typed: a constant argument counts as an int64 like any other.

    Left alone, Numba compiles `f(board, 3)` and `f(board, 4)` as two functions of two literal types; the optimizer folds
    constants just as well without, in less time.
    """
    plain = tuple(unliteral(argument) for argument in arguments)
    named = {name: unliteral(argument) for name, argument in keywords.items()}
    return type(compiled).get_call_template(compiled, plain, named)


@functools.cache
def folder_name(module: str) -> str:
    """Name of the cache folder of `module`: its short name and a hash of all the sources it stands on."""
    digest = hashlib.sha256()
    for name in sorted(_closure(module)):
        digest.update(name.encode() + b"\0" + _source(name).encode() + b"\0")
    version = f"numba{numba.__version__}-py{platform.python_version()}"
    return f"{module.removeprefix('engine88.')}-{digest.hexdigest()[:16]}-{version}"


def _closure(module: str) -> set[str]:
    """`module` and every engine88 module it imports, transitively."""
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting.extend(_imports(name))
    return seen


@functools.cache
def _imports(module: str) -> tuple[str, ...]:
    names: list[str] = []
    for dotted, plain, several in _IMPORT.findall(_source(module)):
        names.extend([dotted or plain] if dotted or plain else re.split(r"[,\s]+", several.strip()))
    return tuple(f"engine88.{name}" for name in names if _path(f"engine88.{name}").is_file())


@functools.cache
def _source(module: str) -> str:
    path = _path(module)
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _path(module: str) -> Path:
    inside = PACKAGE.joinpath(*module.split(".")[1:])
    return inside / "__init__.py" if inside.is_dir() else inside.with_suffix(".py")


@functools.cache
def cache_root() -> Path:
    """The folder that holds the folders of all modules: writable, made if absent.

    Where the wanted folder cannot be written, a folder under the system's temporary one takes its place (and starts
    as a copy of what the wanted one holds); one line on stderr says so.
    """
    wanted = Path(os.environ.get(CACHE_VARIABLE) or _user_cache_dir())
    problem = _write_problem(wanted)
    if problem is None:
        return wanted
    fallback = _temporary_folder()
    sys.stderr.write(
        f"engine88: cannot write compiled code to {wanted} ({problem}); using {fallback} "
        f"(set {CACHE_VARIABLE} to a writable folder)\n"
    )
    sys.stderr.flush()
    with contextlib.suppress(OSError):  # an unreadable folder has nothing to offer: everything is compiled anew
        shutil.copytree(wanted, fallback, dirs_exist_ok=True)
    return fallback


def _user_cache_dir() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path("~/.cache").expanduser()) / "engine88"


def _write_problem(folder: Path) -> str | None:
    """Why `folder` cannot be written, or None when it can."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return None
    except OSError as error:
        return error.strerror or str(error)


def _temporary_folder() -> Path:
    """A private folder that later starts find again, or a fresh one if somebody else owns that name."""
    folder = Path(tempfile.gettempdir()) / f"engine88-cache-{os.getuid()}"
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    status = folder.lstat()
    ours = status.st_uid == os.getuid() and not status.st_mode & 0o022
    private = ours and folder.is_dir() and not folder.is_symlink()
    return folder if private else Path(tempfile.mkdtemp(prefix="engine88-cache-"))


def import_kernels() -> None:
    """Import every module of the package that defines a kernel, so that KERNELS and ENTRIES are complete."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if path != Path(__file__).resolve() and _DECORATED.search(path.read_text(encoding="utf-8")):
            inside = path.relative_to(PACKAGE).with_suffix("")
            importlib.import_module(".".join(("engine88", *inside.parts)))


def compile_entries() -> None:
    """Compile every entry kernel (and so all it calls) in this process, or load it from the cache folder."""
    for compiled, argument_types in ENTRIES:
        if hasattr(compiled, "compile"):
            compiled.compile(argument_types)


def warm_up(progress: Progress | None = None, *, load: bool = True) -> None:
    """Make every kernel ready, compiling what is missing in a child process first; without `load` that is all.

    Code that was compiled in the process that runs it is about half as fast as the same code loaded from disk, hence
    the child. `progress(done, total)` is called while it works, in kernels; with a warm cache not at all.
    """
    import_kernels()
    if _CONFIG.DISABLE_JIT:
        return
    if not _stamp().is_file():
        _compile_in_child(progress)
    if load:
        compile_entries()


def warm_up_here() -> None:
    """What the child of `warm_up` does: compile everything into the cache folder, one process at a time."""
    import_kernels()
    if _CONFIG.DISABLE_JIT:
        return
    with _locked(cache_root() / "lock"):
        compile_entries()
        _stamp().touch()


def _stamp() -> Path:
    """The file that says: all kernels of exactly these sources lie compiled in the cache folder, for this machine."""
    processor = llvmlite.binding.get_host_cpu_name()
    names = sorted({folder_name(compiled.__module__) for compiled in KERNELS})
    digest = hashlib.sha256("\n".join([str(PACKAGE), processor, *names]).encode()).hexdigest()
    return cache_root() / f"complete-{digest[:16]}"


def _compile_in_child(progress: Progress | None) -> None:
    environment = {**os.environ, CACHE_VARIABLE: str(cache_root()), "PYTHONPATH": _python_path()}
    command = [sys.executable, "-m", "engine88", "warmup", "--for", str(os.getpid())]
    total = len(KERNELS)
    with subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as child:
        while child.poll() is None:
            if progress is not None:
                progress(min(_count_compiled(), total - 1), total)
            time.sleep(0.1)
    if child.returncode != 0:
        raise RuntimeError(f"compiling failed: `{' '.join(command)}` ended with exit code {child.returncode}")
    if progress is not None:
        progress(total, total)


def _count_compiled() -> int:
    """Kernels that lie in the cache folder: Numba writes one index file each."""
    folders = {folder_name(compiled.__module__) for compiled in KERNELS}
    return sum(1 for folder in folders for _ in (cache_root() / folder).glob("*/*.nbi"))


def _python_path() -> str:
    return os.pathsep.join(filter(None, [str(PACKAGE.parent), os.environ.get("PYTHONPATH", "")]))


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
