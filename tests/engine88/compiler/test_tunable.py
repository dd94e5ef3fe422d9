"""Constants that are read from memory: the same results as compiled in, and others as soon as the table changes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine88.compiler.tunable import load_tunable, tunables, with_tunables
from tests.engine88.games import compiled_only

ROOT = Path(__file__).parents[3]
NUMBERS = "MARGIN = 7\nFACTOR = 3\nSHARE = 0.5\nlower = 4\nFLAG = True\n"
KERNELS = '''
from numbers_of_a_test import FACTOR, MARGIN, SHARE
from engine88.compiler.jit import int64, kernel

@kernel
def line(x: int, more: int = 1) -> int:
    """A margin for each step."""
    total = int64(0)
    for step in range(x):
        total += MARGIN + step * FACTOR
    return max(total, MARGIN) if SHARE > 0.1 else more
'''
PROGRAM = """
import kernels_of_a_test as kernels
from engine88.compiler.tunable import tunables
table = tunables()
print(table.names, kernels.line(3), kernels.line.__doc__, kernels.line.__name__)
table.values[:] = [10, 1]
print(kernels.line(3))
table.values[:] = [100, 0]
print(kernels.line(0))
"""


def run(folder: Path, **environment: str) -> list[str]:
    (folder / "numbers_of_a_test.py").write_text(NUMBERS, encoding="utf-8")
    (folder / "kernels_of_a_test.py").write_text(KERNELS, encoding="utf-8")
    found = {
        **os.environ,
        "ENGINE88_TUNABLE": "numbers_of_a_test",
        "ENGINE88_CACHE_DIR": str(folder / "cache"),
        "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}",
        **environment,
    }
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.run(command, env=found, text=True, capture_output=True, check=True, timeout=240).stdout.split(
        "\n"
    )


EXPECTED = ["('MARGIN', 'FACTOR') 30 A margin for each step. line", "33", "100", ""]


def test_a_change_of_the_table_shows_at_once_in_plain_python(tmp_path: Path) -> None:
    assert run(tmp_path, NUMBA_DISABLE_JIT="1") == EXPECTED


@pytest.mark.slow
@compiled_only("it compiles a kernel")
def test_and_in_machine_code_new_or_from_the_cache(tmp_path: Path) -> None:
    assert run(tmp_path) == EXPECTED
    assert list((tmp_path / "cache").rglob("*.nbc"))
    assert run(tmp_path) == EXPECTED


def test_an_ordinary_process_has_constants() -> None:
    assert tunables() is None
    assert with_tunables(run) is run
    with pytest.raises(RuntimeError, match="ENGINE88_TUNABLE"):
        load_tunable(0)
