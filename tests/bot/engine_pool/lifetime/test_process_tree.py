"""A process is ended with all that it started, whatever the system offers for that."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.engine_pool.lifetime import processes as process_tree
from bot.engine_pool.lifetime.processes import kill_tree
from tests.helpers.processes import is_running, wait_until

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
