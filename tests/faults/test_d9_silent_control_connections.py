"""D9: connections to the control socket that say nothing do not keep commands out."""

from __future__ import annotations

import socket
from contextlib import ExitStack, closing
from pathlib import Path

from bot.control.client import send
from bot.control.server import ControlServer
from bot.control.wire import Reply


def test_a_command_is_answered_beside_forty_silent_connections(tmp_path: Path) -> None:
    path = tmp_path / "bot.sock"
    server = ControlServer(path, lambda words: Reply(True, " ".join(words)))
    with ExitStack() as stack:
        stack.callback(server.close)
        assert server.start()
        for _ in range(40):
            silent = stack.enter_context(closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)))
            silent.connect(str(path))
        for number in range(3):
            assert send(("status", str(number)), path) == Reply(True, f"status {number}")
