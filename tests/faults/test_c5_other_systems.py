"""C5: what fails on macOS and Windows, injected here."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.control.client import send
from bot.control.server import ControlServer
from bot.control.wire import Reply
from bot.log import configure_log, flush_log, get_logger
from tests.helpers.ending import closed_at_end


def test_a_socket_whose_mode_cannot_be_changed_is_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On macOS `fchmod` on a socket is EINVAL."""

    def refuse(_fd: int, _mode: int) -> None:
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr(os, "fchmod", refuse)
    path = tmp_path / "bot.sock"
    server = closed_at_end(ControlServer(path, lambda _words: Reply(True, "here")))
    assert server.start()
    assert send(("status",), path).text == "here"
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_log_file_is_closed_before_it_is_renamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows renames no file that is open."""
    log_file = tmp_path / "bot.log"
    replace, rename = Path.replace, os.rename

    def is_open(path: object) -> bool:
        links = list(Path("/proc/self/fd").iterdir())
        return any(os.path.realpath(link) == os.path.realpath(str(path)) for link in links)

    def replace_closed(self: Path, target: Path) -> Path:
        if is_open(self):
            raise PermissionError(13, "used by another process", str(self))
        return replace(self, target)

    def rename_closed(source: str, target: str) -> None:
        if is_open(source):
            raise PermissionError(13, "used by another process", source)
        rename(source, target)

    monkeypatch.setattr(Path, "replace", replace_closed)
    monkeypatch.setattr(os, "rename", rename_closed)
    configure_log("info", "json", log_file, max_bytes=300, keep=2)
    try:
        for number in range(12):
            get_logger("bot.test").info("line", number=number)
            flush_log()
        assert (tmp_path / "bot.log.1").exists()
        assert log_file.stat().st_size <= 300
    finally:
        configure_log("warning", "console", None)
