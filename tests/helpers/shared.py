"""Data kept beside the project: suites, tables and schemas that tests read when they are there."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"


def shared_data(relative: str) -> Path:
    """Path of `../shared/data/<relative>`; skips the calling test, with the reason, where it is absent."""
    path = SHARED / "data" / relative
    if not path.exists():
        pytest.skip(f"needs the data file ../shared/data/{relative}")
    return path
