"""Loads, stores and prefetches of memory words by address, for kernels; plain Python versions without the compiler.

An array argument costs two atomic reference counts at each call; a table that every node touches is therefore handed
to the kernels as an address kept in the search record.
"""

import ctypes
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic, register_jitable


def _load_word_code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
    pointer = builder.inttoptr(args[0], ir.IntType(64).as_pointer())
    return builder.load(pointer)


def _store_word_code(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
    pointer = builder.inttoptr(args[0], ir.IntType(64).as_pointer())
    builder.store(args[1], pointer)
    return context.get_dummy_value()


def _prefetch_code(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
    byte_pointer, int32 = ir.IntType(8).as_pointer(), ir.IntType(32)
    function_type = ir.FunctionType(ir.VoidType(), [byte_pointer, int32, int32, int32])
    insert: Any = cgutils.get_or_insert_function
    function = insert(builder.module, function_type, "llvm.prefetch.p0")
    # for reading, keep in all cache levels, data cache
    builder.call(function, [builder.inttoptr(args[0], byte_pointer), int32(0), int32(3), int32(1)])
    return context.get_dummy_value()


def _pointer_code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
    return builder.inttoptr(args[0], cgutils.voidptr_t)


_CARRAY: Any = numba.carray  # type: ignore[attr-defined]  # untyped
_CONFIG: Any = config  # its fields are made at run time

if _CONFIG.DISABLE_JIT:

    def load_word(address: int) -> Any:
        """Return the unsigned 64-bit word at `address`."""
        return np.uint64(ctypes.c_uint64.from_address(int(address)).value)

    def store_word(address: int, word: int) -> None:
        """Write the unsigned 64-bit `word` at `address`."""
        ctypes.c_uint64.from_address(int(address)).value = int(word)

    def prefetch(address: int) -> None:
        """Ask for the cache line at `address`; nothing to do in plain Python."""

    def int16_array(address: int, count: int) -> Any:
        """Return the `count` 16-bit integers at `address` as an array, without copying them."""
        return np.ctypeslib.as_array((ctypes.c_int16 * int(count)).from_address(int(address)))

else:

    @intrinsic
    def load_word(typingctx: Any, address: Any) -> Any:  # noqa: ARG001 -- numba asks for these names
        """Return the unsigned 64-bit word at `address`."""
        return types.uint64(types.uint64), _load_word_code

    @intrinsic
    def store_word(typingctx: Any, address: Any, word: Any) -> Any:  # noqa: ARG001 -- numba asks for these names
        """Write the unsigned 64-bit `word` at `address`."""
        return types.void(types.uint64, types.uint64), _store_word_code

    @intrinsic
    def prefetch(typingctx: Any, address: Any) -> Any:  # noqa: ARG001 -- numba asks for these names
        """Ask for the cache line at `address`, so that a later read finds it near (a miss costs 130 ns)."""
        return types.void(types.uint64), _prefetch_code

    @intrinsic
    def _pointer(typingctx: Any, address: Any) -> Any:  # noqa: ARG001 -- numba asks for these names
        return types.voidptr(types.uint64), _pointer_code

    @register_jitable
    def int16_array(address: int, count: int) -> Any:
        """Return the `count` 16-bit integers at `address` as an array, without copying or counting references."""
        return _CARRAY(_pointer(address), (count,), np.int16)  # type: ignore[call-arg]  # the compiler gives the typing context
