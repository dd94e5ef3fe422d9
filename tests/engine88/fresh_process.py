"""A fresh Python process that finds the package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run_python(code: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a line of Python in a fresh process that finds the package in `cwd`."""
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(cwd), **environment},
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )
