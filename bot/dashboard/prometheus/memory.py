"""Memory of a process, as Linux tells it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal


def resident_bytes(pid: int | Literal["self"]) -> int | None:
    """Return the resident memory of a process; None where there is no /proc, or no such process any more."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
    except (OSError, IndexError):
        return None
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
