"""The folders of compiled kernels: their names, and a writable place for them.

Numba keeps machine code on disk, but it does not notice an edit in a *callee* that lives in another file. So the
folder of each module is named by a hash of that module and of every engine88 module it imports, directly or not: an
edit of `search.py` recompiles what stands on it and leaves the move generator alone. The modules that define a record
count for all: kernels take records from callers whose modules they do not import.

    $ENGINE88_CACHE_DIR or ~/.cache/engine88 (on macOS and Windows, where they keep such things)
      movegen-1f0a...-numba0.68.1-py3.11/     one folder per module and content
"""

import contextlib
import functools
import hashlib
import os
import re
import sys
import tempfile
from pathlib import Path

import numba

CACHE_VARIABLE = "ENGINE88_CACHE_DIR"
DEBUG_VARIABLE = "ENGINE88_DEBUG"
DEBUG = os.environ.get(DEBUG_VARIABLE) == "1"
"""Whether kernels are compiled with their debug assertions (ENGINE88_DEBUG=1); read once, at import."""
TUNABLE_VARIABLE = "ENGINE88_TUNABLE"
TUNABLE_MODULE = os.environ.get(TUNABLE_VARIABLE, "")
"""The module whose constants kernels read from memory (see `tunable`), none as a rule; read once, at import."""
VERSIONS = f"numba{numba.__version__}-py{sys.version_info.major}.{sys.version_info.minor}"
"""What compiled code depends on beside the sources; Numba, too, takes patch releases of Python for one version."""
_NOT_FOR_THE_ENGINE = {"training", "representations"}  # packages whose kernels are compiled when a tool runs
# Modules that only find and keep compiled code do not change it.
_WITHOUT_KERNELS = {
    f"engine88.compiler.{name}"
    for name in ("cache_folder", "call_graph", "file_lock", "kernel_cache", "native_warmup", "target", "warmup")
}
_RECORD = re.compile(r"^[A-Z_]+(?:: Final)? = np\.dtype\(", re.MULTILINE)
_DECORATED = re.compile(r"^@(?:kernel|inlined|entry|entry_of_commands|assertion)\b", re.MULTILINE)
_FROM_IMPORT = re.compile(r"^\s*from (engine88(?:\.\w+)*) import (\([^)]*\)|[^\n]+)", re.MULTILINE)
_PLAIN_IMPORT = re.compile(r"^\s*import (engine88(?:\.\w+)+)", re.MULTILINE)


def _package_root(file: Path) -> Path:
    """Return the top folder of the package that `file` belongs to, however deep it is nested."""
    folder = file.parent
    while (folder.parent / "__init__.py").is_file():
        folder = folder.parent
    return folder


PACKAGE = _package_root(Path(__file__).resolve())


def python_path() -> str:
    """Return a PYTHONPATH by which a child process finds this very package, and what was on the path before."""
    return os.pathsep.join(filter(None, [str(PACKAGE.parent), os.environ.get("PYTHONPATH", "")]))


@functools.cache
def folder_name(module: str) -> str:
    """Return the name of the cache folder of `module`: its dotted name and a hash of all the sources it depends on."""
    digest = hashlib.sha256()
    modules = _transitive_imports(module).union(*map(_transitive_imports, record_modules()))
    for name in sorted(modules - _WITHOUT_KERNELS):
        digest.update(name.encode() + b"\0" + module_source(name).encode() + b"\0")
    kind = ("-debug" if DEBUG else "") + (f"-{TUNABLE_MODULE}" if TUNABLE_MODULE else "")
    return f"{module.removeprefix('engine88.')}-{digest.hexdigest()[:16]}-{VERSIONS}{kind}"


@functools.cache
def record_modules() -> tuple[str, ...]:
    """Return the modules that define the layout of a record."""
    return tuple(name for name in engine_modules() if _RECORD.search(module_source(name)))


@functools.cache
def engine_modules() -> tuple[str, ...]:
    """Return the dotted names of all modules that the engine may load: the package but for its tools."""
    inside = (path.relative_to(PACKAGE).with_suffix("").parts for path in sorted(PACKAGE.rglob("*.py")))
    theirs = (parts for parts in inside if parts[-1] != "__init__" and _NOT_FOR_THE_ENGINE.isdisjoint(parts))
    return tuple(".".join(("engine88", *parts)) for parts in theirs)


@functools.cache
def kernel_modules() -> tuple[str, ...]:
    """Return the modules of the engine that define kernels."""
    names = (name for name in engine_modules() if _DECORATED.search(module_source(name)))
    return tuple(name for name in names if not name.startswith("engine88.compiler."))


def _transitive_imports(module: str) -> set[str]:
    """Return `module` and every engine88 module it imports, directly or not."""
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
    """Return the engine88 modules that a source names; `from engine88.board.record import defs` names two."""
    source = module_source(module)
    names = _PLAIN_IMPORT.findall(source)
    for package, imported in _FROM_IMPORT.findall(source):
        names.append(package)
        names.extend(f"{package}.{name}" for name in re.findall(r"\w+", imported))
    return tuple(name for name in names if name != "engine88" and _path(name).is_file())


@functools.cache
def module_source(module: str) -> str:
    """Return the text of a module of the package, empty if there is no such module."""
    path = _path(module)
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _path(module: str) -> Path:
    inside = PACKAGE.joinpath(*module.split(".")[1:])
    return inside / "__init__.py" if inside.is_dir() else inside.with_suffix(".py")


def wanted_root() -> Path:
    """Return the configured folder, which may be missing or read-only."""
    return Path(os.environ.get(CACHE_VARIABLE) or _user_cache_dir())


@functools.cache
def cache_root() -> Path:
    """Return the folder that holds the folders of all modules: writable, made if absent.

    If the wanted folder cannot be written, a folder in the system's temporary one is used, and a line on stderr reports
    it.
    """
    wanted = wanted_root()
    problem = _write_problem(wanted)
    if problem is None:
        return wanted
    fallback = _temporary_folder()
    sys.stderr.write(
        f"engine88: cannot write compiled code to {wanted} ({problem}); using {fallback} "
        f"(set {CACHE_VARIABLE} to a writable folder)\n"
    )
    sys.stderr.flush()
    return fallback


def _user_cache_dir() -> Path:
    """Return the folder that the system's users keep such files in."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return (Path(base) if base else Path.home() / "AppData" / "Local") / "engine88" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "engine88"
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "engine88"


def _write_problem(folder: Path) -> str | None:
    """Return why `folder` cannot be written, or None when it can."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return None
    except OSError as error:
        return error.strerror or str(error)


def _temporary_folder() -> Path:
    """Return a private folder that later starts find again, or a fresh one if another user owns that name."""
    user = os.getuid() if hasattr(os, "getuid") else None  # elsewhere each user has a temporary folder of their own
    folder = Path(tempfile.gettempdir()) / ("engine88-cache" if user is None else f"engine88-cache-{user}")
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    status = folder.lstat()
    ours = user is None or (status.st_uid == user and not status.st_mode & 0o022)
    private = ours and folder.is_dir() and not folder.is_symlink()
    return folder if private else Path(tempfile.mkdtemp(prefix="engine88-cache-"))
