"""Ends a process together with all that it has started, by what the system offers."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess

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
