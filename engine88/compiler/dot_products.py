"""The product of a matrix of 16-bit integers with a vector, for kernels; a plain Python version without the compiler.

Loops of Numba either add up one row at a time or miss the instruction that multiplies pairs of 16-bit numbers. Written
out for LLVM, with sums of all rows beside each other, they take three fifths of the time (512 columns, Zen 4). The code
is portable: LLVM finds the instructions of the processor.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic

ROWS: Final = 8
"""Rows of the matrix. Their sums fill half of the registers of a processor with AVX2."""
AT_ONCE: Final = 16
"""Columns in a step: vectors of 256 bits, which Zen 4 prefers to longer ones here."""
_INT16, _INT32, _INT64 = ir.IntType(16), ir.IntType(32), ir.IntType(64)
_NUMBERS: Final = ir.VectorType(_INT16, AT_ONCE)
_PRODUCTS: Final = ir.VectorType(_INT32, AT_ONCE)
_SUMS: Final = ir.VectorType(_INT32, AT_ONCE // 2)
_CONFIG: Any = config  # its fields are made at run time


def _address(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    return builder.ptrtoint(context.make_array(kind)(context, builder, array).data, _INT64)


def _numbers(builder: Any, address: Any) -> Any:
    """Sixteen numbers of a row or of the vector, in 32 bits."""
    return builder.sext(builder.load(builder.inttoptr(address, _NUMBERS.as_pointer()), align=2), _PRODUCTS)


def _add_neighbours(builder: Any, first: Any, second: Any) -> Any:
    """The sums of neighbours in two vectors, those of the first before those of the second."""
    elements = range(first.type.count + second.type.count)
    kind = ir.VectorType(_INT32, len(elements) // 2)
    even, odd = (builder.shuffle_vector(first, second, ir.Constant(kind, list(elements[at::2]))) for at in (0, 1))
    return builder.add(even, odd)


def _halves(builder: Any, vector: Any) -> Iterator[Any]:
    """The first and the second half of a vector."""
    nothing, count = ir.Constant(vector.type, ir.Undefined), vector.type.count // 2
    for first in (0, count):
        places = ir.Constant(ir.VectorType(_INT32, count), list(range(first, first + count)))
        yield builder.shuffle_vector(vector, nothing, places)


def _code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    kinds, columns = signature.args, args[3]
    vector, sums = _address(context, builder, kinds[0], args[0]), _address(context, builder, kinds[4], args[4])
    matrix = builder.add(_address(context, builder, kinds[1], args[1]), builder.shl(args[2], _INT64(1)))
    before, loop, after = builder.block, builder.append_basic_block("columns"), builder.append_basic_block("sums")
    builder.branch(loop)
    builder.position_at_end(loop)
    done = builder.phi(_INT64)
    done.add_incoming(_INT64(0), before)
    totals = [builder.phi(_SUMS) for _ in range(ROWS)]
    offset = builder.shl(done, _INT64(1))
    grown, row = list[Any](), builder.add(matrix, offset)
    numbers = _numbers(builder, builder.add(vector, offset))
    for total in totals:
        products = builder.mul(numbers, _numbers(builder, row))
        grown.append(builder.add(total, _add_neighbours(builder, *_halves(builder, products))))
        row = builder.add(row, builder.shl(columns, _INT64(1)))
    now_done = builder.add(done, _INT64(AT_ONCE))
    done.add_incoming(now_done, loop)
    for total, more in zip(totals, grown, strict=True):
        total.add_incoming(ir.Constant(_SUMS, [0] * _SUMS.count), before)
        total.add_incoming(more, loop)
    builder.cbranch(builder.icmp_unsigned("<", now_done, columns), loop, after)
    builder.position_at_end(after)
    builder.store(_sums_of(builder, grown), builder.inttoptr(sums, _SUMS.as_pointer()), align=4)
    return context.get_dummy_value()


def _sums_of(builder: Any, vectors: Sequence[Any]) -> Any:
    """The sum of each of eight vectors, in one."""
    while len(vectors) > 1:
        vectors = [_add_neighbours(builder, *pair) for pair in zip(vectors[::2], vectors[1::2], strict=True)]
    return vectors[0]


if _CONFIG.DISABLE_JIT:

    def dot_products(vector: Any, weights: Any, first: int, columns: int, sums: Any) -> None:
        """Write to `sums` [ROWS] the products of `vector` [columns] with the rows that begin at `weights[first]`.

        `columns` is a multiple of AT_ONCE, and the sums must fit 32 bits.
        """
        matrix = weights[int(first) : int(first) + ROWS * int(columns)].reshape(ROWS, -1).astype(np.int64)
        sums[:] = matrix @ vector[: int(columns)].astype(np.int64)

else:

    @intrinsic
    def dot_products(typingctx: Any, vector: Any, weights: Any, first: Any, columns: Any, sums: Any) -> Any:  # noqa: ARG001 -- numba asks for these names
        """Write to `sums` [ROWS] the products of `vector` [columns] with the rows that begin at `weights[first]`.

        `columns` is a multiple of AT_ONCE, and the sums must fit 32 bits.
        """
        return types.void(vector, weights, types.uint64, types.uint64, sums), _code
