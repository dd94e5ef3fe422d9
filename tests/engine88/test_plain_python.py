"""The kernels are plain Python too: the tests of the rules pass with NUMBA_DISABLE_JIT=1, on smaller depths."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine88.games import PLAIN_PYTHON

ROOT = Path(__file__).resolve().parents[2]
RULES = (
    "board/test_squares", "board/test_attack_tables", "board/test_moves", "board/test_zobrist", "board/test_record",
    "board/test_attacks", "rules/test_make_move", "rules/test_movegen", "rules/test_fen", "rules/test_see",
    "rules/test_draws", "rules/test_perft", "rules/test_position",
)  # fmt: skip


@pytest.mark.skipif(PLAIN_PYTHON, reason="this is the plain Python run")
def test_the_tests_of_the_rules_pass_without_the_compiler() -> None:
    files = [f"tests/engine88/{name}.py" for name in RULES]
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", *files],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-2000:]
    assert " passed" in result.stdout
