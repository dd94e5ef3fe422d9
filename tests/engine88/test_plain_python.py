"""The kernels are plain Python too: a representative part of the engine's tests passes with NUMBA_DISABLE_JIT=1.

All tests of the engine run so, but for those marked `compiled_only`; `.ci/full` runs them with coverage:

    NUMBA_DISABLE_JIT=1 python -m pytest -n 2 --cov=engine88 --cov-branch tests/engine88
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine88.games import compiled_only

ROOT = Path(__file__).resolve().parents[2]
REPRESENTATIVE = (
    "board/test_squares", "board/test_attack_tables", "board/test_moves", "board/test_zobrist", "board/test_record",
    "board/test_attacks", "rules/test_make_move", "rules/test_movegen", "rules/test_fen",
    "rules/test_see", "rules/test_draws", "rules/test_perft", "rules/test_position", "evaluation/test_evaluate",
    "evaluation/classical/test_king_safety", "search/test_history", "search/test_rules",
    "search/test_tt", "control/test_time_manager",
)  # fmt: skip


@pytest.mark.slow
@compiled_only("this test starts the run in plain Python")
def test_a_representative_part_passes_without_the_compiler() -> None:
    files = [f"tests/engine88/{name}.py" for name in REPRESENTATIVE]
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
