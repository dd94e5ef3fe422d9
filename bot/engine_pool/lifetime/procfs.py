"""What Linux tells about a process in /proc; elsewhere everything is unknown."""

from __future__ import annotations

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
