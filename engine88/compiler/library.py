"""How a process that only compiles treats kernels that Python does not call: they get no machine code.

Numba optimizes every function, translates it to machine code, and then does both again with the copy in each of its
callers: qsearch was translated five times. Only the copies in entry kernels are executed, so the others are kept as
LLVM code for linking. They are optimized all the same: without it the search made 4 % fewer nodes a second.
"""

from collections.abc import Callable, Collection
from typing import Any

from numba.core import codegen
from numba.core.registry import cpu_target

_CODEGEN: Any = codegen  # untyped
_TARGET: Any = cpu_target
_LIBRARY: Any = _CODEGEN.JITCodeLibrary


class KernelLibrary(_LIBRARY):  # type: ignore[misc]  # a class of an untyped module
    """The LLVM code of one function; machine code is made for `entries` only."""

    entries: Collection[str] = ()
    """The qualified names of the entry kernels, which libraries are named after."""

    def _finalize_final_module(self) -> None:
        if self.name in self.entries:
            super()._finalize_final_module()
            return
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of a function, 0 if it has no machine code."""
        return int(super().get_pointer_to_function(name)) if self.name in self.entries else 0

    def serialize_using_object_code(self) -> Any:
        """Return what the cache keeps: machine code, or LLVM code that is translated when Python does call it."""
        if self.name in self.entries:
            return super().serialize_using_object_code()
        return self.serialize_using_bitcode()


def compile_for_entries(entries: Collection[str]) -> None:
    """Make machine code for these kernels only from now on, in this process, which must not call any other."""
    KernelLibrary.entries = entries
    generator = _TARGET.target_context.codegen()
    generator._library_class = KernelLibrary
    generator.set_env = _only_defined(generator, generator.set_env)


def _only_defined(generator: Any, set_env: Callable[[str, Any], None]) -> Callable[[str, Any], None]:
    """Return `set_env` for the names that the machine code of this process defines."""

    def set_env_if_defined(name: str, environment: Any) -> None:
        if generator._engine.is_symbol_defined(name):
            set_env(name, environment)

    return set_env_if_defined
