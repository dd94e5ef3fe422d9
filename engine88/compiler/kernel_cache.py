"""Which compiled kernels this process uses, and where Numba finds them.

Two folders may hold them: `kernels` in the package, which a wheel or the image brings, compiled for a portable level of
processor and only read; and one of this machine's own. Code compiled for the machine itself is preferred once all of it
is there and was not found slower; until then the shipped code is used, so that the first start on a new machine plays
at once. The choice is made once in a process: no engine changes its code while it plays.

    ENGINE88_CACHE_DIR   this machine's own (see cache_folder)
    ENGINE88_TARGET      `native` or `portable`: compile and use these and no other, and no shipped ones
"""

import functools
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from numba.core import caching

from engine88.compiler import target
from engine88.compiler.cache_folder import (
    DEBUG,
    PACKAGE,
    TUNABLE_MODULE,
    VERSIONS,
    cache_root,
    engine_modules,
    folder_name,
    kernel_modules,
    wanted_root,
)
from engine88.compiler.target import NATIVE, PORTABLE, Target

SHIPPED = PACKAGE / "kernels"  # missing in a source tree
TARGET_VARIABLE = "ENGINE88_TARGET"

_CACHING: Any = caching  # untyped
_LOCATOR: Any = _CACHING._CacheLocator


@dataclass(frozen=True, slots=True)
class KernelCache:
    """A folder of compiled kernels and the processor they are for; `read_only`: nothing is ever written there."""

    root: Path
    target: Target
    read_only: bool = False

    @property
    def stamp(self) -> Path:
        """The file whose presence says that all kernels of these sources are compiled for this processor."""
        return self.root / f"complete-{self._key()}"

    @property
    def search_stamp(self) -> Path:
        """The file whose presence says that those kernels are compiled that a search needs."""
        return self.root / f"search-{self._key()}"

    @property
    def slower_mark(self) -> Path:
        """The file whose presence says that they were found no faster than the shipped ones."""
        return self.root / f"slower-{self._key()}"

    @property
    def complete(self) -> bool:
        """Whether nothing is left to compile."""
        return self.stamp.is_file()

    def _key(self) -> str:
        names = sorted(folder_name(module) for module in kernel_modules())
        digest = hashlib.sha256("\n".join([self.target.cpu, self.target.features, *names]).encode())
        return digest.hexdigest()[:16]


@functools.cache
def kernel_cache() -> KernelCache:
    """Return what this process uses; raises ValueError for a wrong ENGINE88_TARGET."""
    asked = os.environ.get(TARGET_VARIABLE, "")
    if asked not in ("", NATIVE, PORTABLE):
        raise ValueError(f"{TARGET_VARIABLE} must be {NATIVE} or {PORTABLE}, not {asked!r}")
    if asked == PORTABLE:
        return _writable_unless_complete(_portable_target())
    shipped = shipped_cache() if asked == "" else None
    own = KernelCache(wanted_root(), target.native())
    if shipped is not None and (own.slower_mark.is_file() or not own.complete):
        return shipped
    return _writable_unless_complete(target.native())


def shipped_cache() -> KernelCache | None:
    """Return the kernels shipped with the program, None where none fit this machine and these sources."""
    if not target.has_portable_level():
        return None
    cache = KernelCache(SHIPPED, _portable_target(), read_only=True)
    return cache if cache.complete else None


def shipped_misfit() -> str | None:
    """Return why the shipped kernels are not used, None where there are none, or they fit, or were not wanted."""
    built = next(SHIPPED.glob("*-numba*"), None)
    if built is None or DEBUG or TUNABLE_MODULE or os.environ.get(TARGET_VARIABLE) or shipped_cache() is not None:
        return None
    versions = built.name.split("-", 2)[2]
    if versions != VERSIONS:
        return f"they are for {versions}, and this is {VERSIONS}"
    if not target.has_portable_level():
        return f"this processor ({target.native().cpu}) lacks instructions that they use"
    return "the sources of the engine were changed"


def native_cache() -> KernelCache:
    """Return the folder for kernels compiled for this very machine."""
    return _writable_unless_complete(target.native())


def _portable_target() -> Target:
    wanted = target.portable()
    if wanted is None:
        raise ValueError(f"{TARGET_VARIABLE}={PORTABLE}: there is no portable level for this kind of processor")
    return wanted


def _writable_unless_complete(wanted: Target) -> KernelCache:
    there = KernelCache(wanted_root(), wanted)
    return there if there.complete else KernelCache(cache_root(), wanted)


class KernelLocator(_LOCATOR):  # type: ignore[misc]  # a class of an untyped module
    """Gives Numba the folder of a kernel's code, which is named by a hash of its sources.

    That hash also serves as the stamp of the source, so that times and places of files do not matter. The folder is
    made when something is written to it, and need not be writable before.
    """

    def __init__(self, module: str, line: int) -> None:
        """Locate a kernel of `module` that begins at `line`."""
        self._folder, self._line = folder_name(module), line

    def get_cache_path(self) -> str:
        """Return the folder."""
        return str(kernel_cache().root / self._folder)

    def get_source_stamp(self) -> str:
        """Return the hash of the sources, with the folder's name around it."""
        return self._folder

    def get_disambiguator(self) -> str:
        """Return what distinguishes two kernels of one name."""
        return str(self._line)

    def ensure_cache_path(self) -> None:
        """Make the folder."""
        Path(self.get_cache_path()).mkdir(parents=True, exist_ok=True)

    @classmethod
    def from_function(cls, py_func: Any, _py_file: str) -> Self | None:
        """Return a locator for a kernel of the engine, None for every other function."""
        module = py_func.__module__
        return cls(module, py_func.__code__.co_firstlineno) if module in engine_modules() else None


def install() -> None:
    """Let Numba ask our locator first, and compile for the processor of the chosen kernels. Idempotent."""
    locators = _CACHING.CacheImpl._locator_classes
    if KernelLocator not in locators:
        locators.insert(0, KernelLocator)
    target.use(kernel_cache().target)
