"""Constants that a tuner changes while kernels run: read from memory instead of compiled into the machine code.

Numba compiles the numbers that a kernel finds in its module as constants, so another value would cost a compilation.
With ENGINE88_TUNABLE=MODULE in the environment, every whole number that MODULE defines has a slot in one table, and
kernels that import it by name are compiled from their source with the name replaced by a load from the slot. Such code
is a little slower and has separate cache folders; only the tuner of `engine88.training` uses it.
"""

import ast
import functools
import importlib
import inspect
import textwrap
import types as python_types
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from engine88.compiler.cache_folder import TUNABLE_MODULE, TUNABLE_VARIABLE

_SYMBOL = "engine88_tunable_values"
_LOAD = "_load_tunable_"
_WORD = ir.IntType(64)
_TYPES: Any = types  # untyped

Function = TypeVar("Function", bound=Callable[..., Any])


class Tunables(NamedTuple):
    """The names with a slot, in the order of their module, and the int64 values that kernels read now."""

    names: tuple[str, ...]
    values: NDArray[np.int64]


@functools.cache
def tunables() -> Tunables | None:
    """Return the table of this process, None where ENGINE88_TUNABLE is not set."""
    if not TUNABLE_MODULE:
        return None
    constants = vars(importlib.import_module(TUNABLE_MODULE))
    found = {name: value for name, value in constants.items() if type(value) is int and name.isupper()}
    values = np.array(list(found.values()), np.int64)
    binding: Any = llvmlite.binding
    binding.add_symbol(_SYMBOL, values.ctypes.data)
    return Tunables(tuple(found), values)


def tunables_of(module: str) -> Tunables:
    """Return the table of this process; raises RuntimeError unless it is that of `module`."""
    table = tunables()
    if table is None or module != TUNABLE_MODULE:
        raise RuntimeError(
            f"the numbers of {module} are constants in this process; start it (a Dask worker, say) "
            f"with {TUNABLE_VARIABLE}={module} in its environment"
        )
    return table


def load_tunable(slot: int) -> int:
    """Return the value in a slot of the table, in kernels and in plain Python alike."""
    table = tunables()
    if table is None:
        raise RuntimeError("this process has no tunable constants: start it with ENGINE88_TUNABLE")
    return int(table.values[slot])


def _load_code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
    module = builder.module
    table = module.globals.get(_SYMBOL) or ir.GlobalVariable(module, ir.ArrayType(_WORD, 0), _SYMBOL)
    return builder.load(builder.gep(table, [_WORD(0), args[0]], inbounds=True))


@intrinsic
def _load_slot(typingctx: Any, slot: Any) -> Any:  # noqa: ARG001 -- numba asks for these names
    """Return the word in a slot: the table is a symbol of this process, so that cached code fits any process."""
    return _TYPES.int64(_TYPES.int64), _load_code


@overload(load_tunable, strict=False)  # names of arguments are compared with their annotations
def _compiled_load(slot: Any) -> Any:  # noqa: ARG001 -- numba passes its type
    load: Any = _load_slot  # untyped
    return lambda slot: load(slot)


class _Loads(ast.NodeTransformer):
    """Replaces names of constants by calls that load them."""

    def __init__(self, slots: dict[str, int]) -> None:
        self._slots = slots

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._slots:
            return node
        call = ast.Call(ast.Name(_LOAD, ast.Load()), [ast.Constant(self._slots[node.id])], [])
        return ast.copy_location(call, node)


def with_tunables(function: Function) -> Function:
    """Return the function with its tunable constants loaded from the table; itself where it has none."""
    table = tunables()
    if table is None:
        return function
    slots = {
        name: slot
        for slot, name in enumerate(table.names)
        if name in function.__code__.co_names and name in function.__globals__
    }
    if not slots:
        return function
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    ast.increment_lineno(tree, function.__code__.co_firstlineno - 1)
    definition = cast(ast.FunctionDef, tree.body[0])
    definition.decorator_list = []
    definition.body = [_Loads(slots).visit(statement) for statement in definition.body]
    module_code = compile(ast.fix_missing_locations(tree), function.__code__.co_filename, "exec")
    code = next(constant for constant in module_code.co_consts if isinstance(constant, python_types.CodeType))
    function.__globals__[_LOAD] = load_tunable
    loading = python_types.FunctionType(code, function.__globals__, function.__name__, function.__defaults__)
    for name in functools.WRAPPER_ASSIGNMENTS:
        setattr(loading, name, getattr(function, name))
    return cast(Function, loading)
