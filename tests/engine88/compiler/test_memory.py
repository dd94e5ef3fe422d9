"""Tables by address: aligned, zeroed, and the words where the address says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np

from engine88.compiler import intrinsics
from engine88.compiler.memory import aligned_words
from tests.engine88.games import compiled_only

ROOT = Path(__file__).resolve().parents[3]


def test_words_begin_on_a_cache_line_and_are_zero() -> None:
    for count in (1, 7, 1000):
        words = aligned_words(count)
        assert words.address % 64 == 0
        assert words.array.shape == (count,)
        assert not words.array.any()
        words.array[count - 1] = 1  # it is ours to write


ROUND_TRIP = """
import numpy as np
from engine88.compiler.intrinsics import load_word, prefetch, store_word
from engine88.compiler.memory import aligned_words
words = aligned_words(8)
store_word(np.uint64(words.address + 16), np.uint64(2**64 - 88))
prefetch(np.uint64(words.address))
assert words.array.tolist() == [0, 0, 2**64 - 88, 0, 0, 0, 0, 0]
assert load_word(np.uint64(words.address + 16)) == 2**64 - 88
"""


def test_plain_python_reads_and_writes_the_same_words() -> None:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", ROUND_TRIP], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@compiled_only("the compiled intrinsics need the compiler")
def test_compiled_code_reads_and_writes_the_same_words() -> None:
    def swap(first: int, second: int) -> None:
        word = intrinsics.load_word(first)
        intrinsics.store_word(first, intrinsics.load_word(second))
        intrinsics.store_word(second, word)

    compiled: Any = numba.njit(swap)
    words = aligned_words(4)
    words.array[:] = [1, 2, 3, 2**63]
    compiled(np.uint64(words.address), np.uint64(words.address + 24))
    assert words.array.tolist() == [2**63, 2, 3, 1]
