"""The engine needs none of the extras: it plays where Dask and matplotlib are absent, and loads no training tool."""

from __future__ import annotations

import subprocess
import sys

from engine88.compiler.cache_folder import engine_modules

PROGRAM = """
import sys
sys.modules.update(dict.fromkeys(("dask", "distributed", "matplotlib"), None))  # as if they were not installed
import engine88.uci.session
from engine88.__main__ import main
assert main(["bench", "2"]) == 0
tools = [name for name in sys.modules if name.startswith(("engine88.training", "distributed.", "dask."))]
print("tools loaded:", tools)
"""


def test_the_engine_plays_without_the_extras() -> None:
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    assert "tools loaded: []" in done.stdout


def test_what_is_compiled_for_the_engine_leaves_the_tools_out() -> None:
    assert not [name for name in engine_modules() if "training" in name]
