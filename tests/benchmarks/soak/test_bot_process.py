"""Looking at the bot's process."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from benchmarks.soak.bot_process import opened


def test_sockets_are_told_from_other_descriptors(tmp_path: Path) -> None:
    files, sockets = opened(os.getpid())
    with (tmp_path / "file").open("w"), socket.socket(), socket.socket():
        assert opened(os.getpid()) == (files + 1, sockets + 2)
