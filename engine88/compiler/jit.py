"""The decorators of kernels: the one interface to Numba's compiler."""

import functools
import importlib
import inspect
import sys
from collections.abc import Callable
from typing import Annotated, Any, NamedTuple, TypeAlias, TypeVar, cast, get_type_hints

import numba
import numpy as np
from numba.core import types
from numba.extending import register_jitable

from engine88.compiler import kernel_cache
from engine88.compiler.cache_folder import DEBUG, folder_name, kernel_modules
from engine88.compiler.tunable import with_tunables

_FLAGS: dict[str, Any] = {
    "cache": True,
    "nogil": True,
    "error_model": "numpy",
    "boundscheck": False,
    "no_cfunc_wrapper": True,  # for callers in C, of which there are none
    "forceinline": False,  # or else inherited from the caller that happens to be compiled first
}

_CONFIG: Any = numba.config  # its fields are made at run time
_CONFIG.SLP_VECTORIZE = 1  # neighbouring scalars in one vector: 1.4 % more nodes a second (docs/performance.md)
_TYPES: Any = types  # untyped

Function = TypeVar("Function", bound=Callable[..., Any])

_INT64: Any = np.int64
int64: Callable[[Any], int] = _INT64
"""np.int64 as kernels see it: the one width of all their scalars. For the type checker its values are ints."""
_UINT64: Any = np.uint64
uint64: Callable[[Any], int] = _UINT64
"""np.uint64 likewise: keys, words of memory, indices that are never negative (a signed index costs a wrap-around)."""
Unsigned: TypeAlias = Annotated[int, _TYPES.uint64]
"""An argument of a kernel that is a uint64; one annotated with int is an int64."""
SCALARS: dict[Any, Any] = {int: _TYPES.int64, bool: _TYPES.boolean}
"""The types of kernels by their annotations."""

KERNELS: list[Any] = []
"""Every kernel decorated so far (Numba dispatchers, or plain functions under NUMBA_DISABLE_JIT=1)."""


class Entry(NamedTuple):
    """A kernel that Python calls."""

    kernel: Any
    for_search: bool
    """Whether a search needs it, and not only another command."""


ENTRIES: list[Entry] = []
"""The entry kernels decorated so far."""
JITABLE: set[Any] = set()
"""The plain functions that kernels may call."""


def kernel(function: Function) -> Function:
    """Compile `function` to machine code at its first call (or load it from the cache folder)."""
    return _decorate(function, **_FLAGS)


def inlined(function: Function) -> Function:
    """Compile a kernel whose code is always copied into its callers: for helpers of a few lines in hot loops."""
    return _decorate(function, **{**_FLAGS, "forceinline": True})


def entry(function: Function) -> Function:
    """Compile a kernel that Python calls during the warm-up (see `warmup`), before the first search."""
    return _entry(function, for_search=True)


def entry_of_commands(function: Function) -> Function:
    """Compile a kernel that Python calls during the warm-up, and that no search needs."""
    return _entry(function, for_search=False)


def assertion(function: Function) -> Function:
    """Compile a kernel that is called in branches of `if DEBUG` only; without that flag it stays plain Python."""
    return kernel(function) if DEBUG else function


def jitable(function: Function) -> Function:
    """Mark a small function that kernels compile and that plain Python calls as it stands."""
    compiled: Function = register_jitable(with_tunables(function))
    JITABLE.add(compiled)
    return compiled


def _entry(function: Function, *, for_search: bool) -> Function:
    compiled = kernel(function)
    ENTRIES.append(Entry(compiled, for_search))
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


def signature(compiled: Any) -> tuple[Any, ...]:
    """Return the argument types of a kernel, from its annotations. Raises KeyError for any other annotation."""
    function = compiled.py_func
    hints = get_type_hints(function, include_extras=True)
    wanted = (hints[name] for name in inspect.signature(function).parameters)
    return tuple(hint.__metadata__[0] if hasattr(hint, "__metadata__") else SCALARS[hint] for hint in wanted)


def import_kernels() -> None:
    """Import every module of the package that defines a kernel, so that KERNELS and ENTRIES are complete."""
    for name in kernel_modules():
        importlib.import_module(name)


def compile_entries(*, for_search: bool = False) -> None:
    """Compile every entry kernel (and so all it calls) in this process, or load it from the cache folder.

    With `for_search` only those that a search needs. Plain Python needs neither.
    """
    if is_plain_python():
        return
    for entry_kernel in ENTRIES:
        if entry_kernel.for_search or not for_search:
            entry_kernel.kernel.compile(signature(entry_kernel.kernel))


def is_plain_python() -> bool:
    """Return whether kernels run as plain Python (NUMBA_DISABLE_JIT=1)."""
    return bool(_CONFIG.DISABLE_JIT)
