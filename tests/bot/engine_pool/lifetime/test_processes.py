"""Processes as the system reports them, and ending them with their descendants."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bot.engine_pool.lifetime import processes as process_tree
from bot.engine_pool.lifetime import processes as procfs
from bot.engine_pool.lifetime.processes import kill_tree
from tests.helpers.processes import is_running, wait_until

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


PARENT = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, flush=True)
time.sleep(600)
"""


def test_the_group_is_killed() -> None:
    command = [sys.executable, "-c", PARENT]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert kill_tree(parent.pid)
        assert wait_until(lambda: not is_running(parent.pid) and not is_running(child))
    assert kill_tree(parent.pid)  # gone: no error


def test_windows_is_asked_for_the_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "killpg")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not kill_tree(12345)  # there is no taskkill either
    told = tmp_path / "told"
    (tmp_path / "taskkill").write_text(f'#!/bin/sh\necho "$@" > {told}\n', encoding="utf-8")
    (tmp_path / "taskkill").chmod(0o755)
    assert kill_tree(12345)
    (tmp_path / "taskkill").write_text("#!/bin/sh\nexit 128\n", encoding="utf-8")
    assert kill_tree(12345)  # it had ended before
    monkeypatch.setattr(process_tree, "_TASKKILL_S", 0.05)
    (tmp_path / "taskkill").write_text("#!/bin/sh\nexec /bin/sleep 60\n", encoding="utf-8")
    assert not kill_tree(12345)
    assert told.read_text(encoding="utf-8") == "/F /T /PID 12345\n"
