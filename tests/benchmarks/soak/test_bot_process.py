"""Looking at the bot's process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.soak.bot_process import opened

# A process of its own: in this one other tests' sockets may close in between.
CHILD = "import socket; kept = {kept}; print('ready', flush=True); input()"


def opened_by_child(kept: str) -> tuple[int, int]:
    command = [sys.executable, "-c", CHILD.format(kept=kept)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        found = opened(child.pid)
        child.communicate("\n")
    return found


def test_sockets_are_told_from_other_descriptors(tmp_path: Path) -> None:
    files, sockets = opened_by_child("None")
    kept = f"open({str(tmp_path / 'file')!r}, 'w'), socket.socket(), socket.socket()"
    assert opened_by_child(kept) == (files + 1, sockets + 2)
