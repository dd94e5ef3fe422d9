"""What /proc tells of processes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bot.engine_pool.lifetime import processes as procfs

NOBODY = 2**22 + 1  # above the largest process id of Linux
needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc on this system")


@needs_proc
def test_this_very_process() -> None:
    assert procfs.process_state(os.getpid()) in ("R", "S")
    cpu_s = procfs.cpu_seconds(os.getpid())
    assert cpu_s is not None
    assert cpu_s == pytest.approx(time.process_time(), abs=1.0)


def test_no_process() -> None:
    assert procfs.process_state(NOBODY) == ""
    assert procfs.cpu_seconds(NOBODY) is None


def test_a_process_that_ends_between_two_looks_has_no_children(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(procfs, "_stat", lambda _pid: ["S", *["0"] * 10, "150", "50", "0"])
    assert procfs.cpu_seconds(NOBODY) == 2.0


@needs_proc
def test_the_time_of_children_counts() -> None:
    program = "import sys\nfor _ in range(10**7): pass\nprint(flush=True)\nsys.stdin.read()"
    wrapper = ["sh", "-c", '"$0" -c "$1"; true', sys.executable, program]
    with subprocess.Popen(wrapper, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        cpu_s = procfs.cpu_seconds(process.pid)
        process.communicate()
    assert cpu_s is not None
    assert cpu_s >= 0.05  # the shell itself takes none
