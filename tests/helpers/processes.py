"""Looking at processes and waiting for conditions, without sleeping a fixed time."""

from __future__ import annotations

import time
from collections.abc import Callable

import psutil


def is_running(pid: int) -> bool:
    """Whether the process can still do anything: a zombie that nobody reaps counts as gone."""
    try:
        return psutil.Process(pid).status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except psutil.NoSuchProcess:
        return False


def wait_until(condition: Callable[[], object], timeout_s: float = 60.0) -> bool:
    """Poll until the condition holds; False when the (generous) deadline passes first."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
