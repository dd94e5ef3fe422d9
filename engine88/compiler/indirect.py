"""Calls of a kernel by the address of its machine code.

The caller is compiled without that kernel, which is compiled or loaded only where it is needed.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast, get_type_hints

from numba.core import types
from numba.extending import intrinsic

from engine88.compiler.jit import SCALARS, is_plain_python, signature

_TYPES: Any = types  # untyped

Function = TypeVar("Function", bound=Callable[..., Any])


def address_of(kernel: Callable[..., Any]) -> int:
    """Return the address of an entry kernel's machine code, compiled or loaded now; 0 in plain Python."""
    if is_plain_python():
        return 0
    compiled: Any = kernel
    compiled.compile(signature(compiled))
    code = compiled.overloads[signature(compiled)]
    return int(code.library.get_pointer_to_function(code.fndesc.llvm_func_name))


def by_address(kernel: Function) -> Callable[..., Any]:
    """Return what kernels call in place of this one, of two arguments: its address comes before them.

    It must be an entry, for others have no machine code of their own.
    """
    if is_plain_python():
        return lambda _address, first, second: kernel(first, second)
    arguments = signature(kernel)
    result = SCALARS[get_type_hints(cast(Any, kernel).py_func)["return"]]

    def code(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        convention = context.call_conv
        pointer = convention.get_function_type(result, arguments).as_pointer()
        callee = builder.inttoptr(values[0], pointer)
        _error, value = convention.call_function(builder, callee, result, arguments, values[1:])
        return value  # kernels raise nothing, so there is no error to look at

    @intrinsic
    def call(typingctx: Any, address: Any, first: Any, second: Any) -> Any:  # noqa: ARG001 -- numba asks for these names
        return result(_TYPES.uint64, *arguments), code

    return cast(Callable[..., Any], call)
