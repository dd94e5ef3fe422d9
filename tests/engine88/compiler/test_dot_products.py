"""The product of a matrix with a vector, against numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import njit

from engine88.compiler.dot_products import ROWS, dot_products
from engine88.compiler.jit import uint64


@njit
def product(vector: Any, weights: Any, first: int, columns: int, sums: Any) -> None:
    """Call the intrinsic, which only compiled code can call."""
    dot_products(vector, weights, uint64(first), uint64(columns), sums)


@pytest.mark.parametrize("columns", [16, 128, 512])
@pytest.mark.parametrize("first", [0, 5])
def test_the_product_is_exact(columns: int, first: int) -> None:
    chance = np.random.default_rng(columns)
    matrix = chance.integers(-127, 128, (ROWS, columns)).astype(np.int16)
    vector = chance.integers(-16_256, 16_257, columns + 3).astype(np.int16)
    weights = np.full(first + matrix.size, 32_767, np.int16)
    weights[first:] = matrix.ravel()
    sums = np.zeros(ROWS, np.int32)
    product(vector, weights, first, columns, sums)
    assert sums.tolist() == (matrix.astype(np.int64) @ vector[:columns]).tolist()
