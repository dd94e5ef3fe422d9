"""What the system offers for a process: its state in /proc (Linux), and ending it with all that it has started."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from pathlib import Path

_CLOCK_TICKS_PER_S = 100  # USER_HZ of Linux, fixed on all its architectures


def process_state(pid: int) -> str:
    """The kernel's letter for the process (R, S, T, Z, ...); "" where there is no /proc or no such process."""
    fields = _stat(pid)
    return fields[0] if fields else ""


def cpu_seconds(pid: int) -> float | None:
    """Processor time of the process and its living descendants; None where it cannot be known."""
    fields = _stat(pid)
    if not fields:
        return None
    total = (int(fields[11]) + int(fields[12])) / _CLOCK_TICKS_PER_S
    return total + sum(cpu_seconds(child) or 0.0 for child in _children(pid))


def _stat(pid: int) -> list[str]:
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return []
    return text.rpartition(")")[2].split()


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    except OSError:
        return []


_TASKKILL_S = 5.0


def kill_tree(pid: int) -> bool:
    """Kill a process that leads a group of its own, and its descendants; returns whether the system has a way to.

    POSIX kills the process group. Windows has `taskkill`, which walks the tree of processes; it takes some 100 ms.
    """
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        return True
    command = ["taskkill", "/F", "/T", "/PID", str(pid)]
    null = subprocess.DEVNULL
    try:
        subprocess.run(command, stdin=null, stdout=null, stderr=null, timeout=_TASKKILL_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return True
