"""Closing the pool at any moment leaves nothing behind: no process, no warning, no task."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = """
import gc, sys, time
import chess, chess.engine
from bot.engine_pool import EnginePool
from tests.helpers.engines import tiny_entry
for round in range(6):
    pool = EnginePool([tiny_entry(sys.argv[1], "--think-ms", "600000", slots=1, spares=1)])
    pool.start()
    engine = pool.lend()
    engine.play(chess.Board(), chess.engine.Limit(time=600.0), on_done=print)
    time.sleep(round * 0.03)
    if round % 2:
        engine.give_back()
    pool.close()
    del pool, engine
    gc.collect()
"""


@pytest.mark.parametrize("behaviour", ["think", "crash"])
def test_closing_at_any_moment_is_silent(behaviour: str) -> None:
    program = subprocess.run(
        [sys.executable, "-X", "dev", "-c", PROGRAM, behaviour], capture_output=True, text=True, cwd=ROOT, timeout=200
    )
    assert program.returncode == 0, program.stderr
    for sign in ("Traceback", "ResourceWarning", "Exception ignored", "was destroyed", "never retrieved"):
        assert sign not in program.stderr
