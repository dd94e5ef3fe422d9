"""The control socket's address and its lines."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from bot.control.wire import (
    Malformed,
    Reply,
    Request,
    line_of,
    own_path,
    paths_to_try,
    read_port_file,
    read_reply,
    read_request,
    state_folder,
)
from bot.settings import Settings


def test_as_configured_or_beside_the_store(tmp_path: Path) -> None:
    store, named = {"store": tmp_path / "bot.sqlite3"}, {"control": {"socket": tmp_path / "my.sock"}}
    for content, path in ((store, tmp_path / "bot.sock"), (store | named, tmp_path / "my.sock")):
        settings = Settings.model_validate(content)
        assert own_path(settings, {}) == path
        assert paths_to_try(settings, {}) == [path]


def test_without_a_store_each_process_has_its_own(tmp_path: Path) -> None:
    environ = {"XDG_STATE_HOME": str(tmp_path)}
    path = own_path(Settings(), environ)
    assert path == tmp_path / "bot88" / f"{os.getpid()}.sock"
    assert paths_to_try(Settings(), environ) == []
    path.parent.mkdir()
    path.touch()
    assert paths_to_try(Settings(), environ) == [path]


def test_the_state_folder_needs_no_home() -> None:
    assert state_folder({"HOME": "/home/me"}) == Path("/home/me/.local/state/bot88")
    assert state_folder({}) == Path("/.local/state/bot88")


def test_what_is_written_is_read() -> None:
    request, answer = Request(("block", "Böb\n"), "s"), Reply(False, "two\nlines ♞")
    assert read_request(io.BytesIO(line_of(request))) == request
    assert read_reply(io.BytesIO(line_of(answer))) == answer
    assert line_of(answer).count(b"\n") == 1


@pytest.mark.parametrize(
    "line", [b"", b"{}\n", b"[]\n", b'{"words": "x"}\n', b'{"words": [1]}\n', b"\xff\n", b'{"words": []}', b"[" * 9999]
)
def test_garbage_is_refused(line: bytes) -> None:
    with pytest.raises(Malformed):
        read_request(io.BytesIO(line))
    with pytest.raises(Malformed):
        read_reply(io.BytesIO(line))


@pytest.mark.parametrize("line", [b'{"words": ["x"], "secret": 1}\n', b'{"words": ["x", 1], "secret": ""}\n'])
def test_a_request_of_other_than_words_is_refused(line: bytes) -> None:
    with pytest.raises(Malformed):
        read_request(io.BytesIO(line))


def test_a_request_needs_no_secret_where_the_file_keeps_others_out() -> None:
    assert read_request(io.BytesIO(b'{"words": ["status"]}\n')) == Request(("status",), "")


@pytest.mark.parametrize("line", [b'{"ok": true}\n', b'{"ok": true, "text": 1}\n', b'{"ok": "yes", "text": "done"}\n'])
def test_half_an_answer_is_refused(line: bytes) -> None:
    with pytest.raises(Malformed):
        read_reply(io.BytesIO(line))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"port": "x", "secret": ""}'])
def test_a_file_that_names_no_port(text: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text(text)
    with pytest.raises(OSError, match="names no port"):
        read_port_file(tmp_path / "file")
