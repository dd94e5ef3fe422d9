"""How a process that only compiles saves time: Numba does some work several times.

It optimizes every function, translates it to machine code, and then does both again with the copy in each of its
callers: qsearch was translated five times. Only the copies in entry kernels are executed, so the other kernels, which
Python does not call, are kept as LLVM code for linking. Those that several kernels call are optimized all the same:
without it the search made 4 % fewer nodes a second.

It also prepares passes for every function that a module names, defined there or not: nine of ten are not.

It also infers all types of a recursive function again at each of its calls to itself, of which the search has eight.

It also runs two timers, which nobody reads here, at each call of LLVM.
"""

from collections.abc import Callable, Collection
from typing import Any

from llvmlite.binding import ffi
from numba.core import codegen, typeinfer
from numba.core.registry import cpu_target

_FFI: Any = ffi  # untyped
_CODEGEN: Any = codegen
_TARGET: Any = cpu_target
_TYPEINFER: Any = typeinfer
_LIBRARY: Any = _CODEGEN.JITCodeLibrary
_TYPE_INFERER: Any = _TYPEINFER.TypeInferer

_PYTHON_WRAPPER = "_ZN7cpython"
"""How the names of the functions begin that unpack the arguments of calls from Python."""


class KernelLibrary(_LIBRARY):  # type: ignore[misc]  # a class of an untyped module
    """The LLVM code of one function; machine code is made for `entries` only."""

    entries: Collection[str] = ()
    """The qualified names of the entry kernels, which libraries are named after."""
    shared: Collection[str] = ()
    """Those of the kernels that several others call."""

    def _optimize_functions(self, module: Any) -> None:
        """Simplify the functions that are defined here, and not their names alone or what Python would call."""
        module.data_layout = self._codegen._data_layout
        for function in module.functions:
            if not function.is_declaration and not function.name.startswith(_PYTHON_WRAPPER):
                passes, builder = self._codegen._function_pass_manager()
                passes.run(function, builder)

    def _optimize_final_module(self) -> None:
        if self.name in self.entries or self.name in self.shared:
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        is_loaded = getattr(self, "_compiled_object", None) is not None  # as a process that calls kernels compiled it
        if is_loaded or self.name in self.entries:
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


def compile_for_entries(entries: Collection[str], shared: Collection[str]) -> None:
    """Make machine code for entries only from now on, in this process, which must not call any other kernel."""
    KernelLibrary.entries, KernelLibrary.shared = entries, shared
    _TYPE_INFERER.return_types_from_partial = once(_TYPE_INFERER.return_types_from_partial)
    _FFI.lib._lock._cblist.clear()
    generator = _TARGET.target_context.codegen()
    generator._library_class = KernelLibrary
    generator.set_env = _only_defined(generator, generator.set_env)


def _only_defined(generator: Any, set_env: Callable[[str, Any], None]) -> Callable[[str, Any], None]:
    """Return `set_env` for the names that the machine code of this process defines."""

    def set_env_if_defined(name: str, environment: Any) -> None:
        if generator._engine.is_symbol_defined(name):
            set_env(name, environment)

    return set_env_if_defined


def once(return_type_of: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return `return_type_of`, which looks for the type that a recursive function returns, but stops when it is found.

    The answer is kept with the inference of that function; None, not found yet, is not.
    """

    def found_once(inference: Any) -> Any:
        found = getattr(inference, "engine88_return_type", None)
        if found is None:
            found = inference.engine88_return_type = return_type_of(inference)
        return found

    return found_once
