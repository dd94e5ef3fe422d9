"""The control socket: its permissions, stale and live ones, many clients, and what is not a client."""

from __future__ import annotations

import socket
import socketserver
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, cast

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from bot.control.client import send
from bot.control.server import MOST_AT_ONCE, AlreadyListening, ControlServer, _Server
from bot.control.wire import (
    HAS_UNIX_SOCKETS,
    Reply,
    Request,
    connect,
    is_listened_at,
    line_of,
    read_reply,
)
from tests.helpers.processes import wait_until

Start = Callable[..., ControlServer]
LONGEST_PATH = 107  # bytes, the limit of Linux


def echo(words: tuple[str, ...]) -> Reply:
    """Say the words again."""
    return Reply(True, " ".join(words))


@pytest.fixture(params=[True, False], ids=["unix", "loopback"])
def unix(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def start(unix: bool) -> Iterator[Start]:
    with ExitStack() as stack:

        def started(path: Path, handle: Callable[[tuple[str, ...]], Reply] = echo) -> ControlServer:
            server = ControlServer(path, handle, unix=unix)
            stack.callback(server.close)
            assert server.start()
            return server

        yield started


def test_commands_are_answered_and_the_file_is_the_owners_alone(tmp_path: Path, start: Start, unix: bool) -> None:
    path = tmp_path / "a" / "b" / "bot.sock"
    server = start(path)
    assert [send(("say", word), path, unix=unix) for word in ("a", "ü")] == [
        Reply(True, "say a"),
        Reply(True, "say ü"),
    ]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    server.close()
    assert not path.exists()


def test_a_live_one_is_refused_and_lives_on(tmp_path: Path, start: Start, unix: bool) -> None:
    path = tmp_path / "bot.sock"
    start(path)
    with pytest.raises(AlreadyListening, match="another bot answers at"):
        ControlServer(path, echo, unix=unix).start()
    assert send(("still",), path, unix=unix) == Reply(True, "still")


def test_what_a_dead_bot_left_is_replaced(tmp_path: Path, start: Start, unix: bool) -> None:
    path = tmp_path / "bot.sock"
    if unix:
        with closing(socket.socket(socket.AF_UNIX)) as dead:
            dead.bind(str(path))
    else:
        with closing(socket.create_server(("127.0.0.1", 0))) as dead:
            path.write_text(f'{{"port": {dead.getsockname()[1]}, "secret": "x"}}')
    start(path)
    assert send(("new",), path, unix=unix) == Reply(True, "new")


def test_a_file_that_is_something_else_is_left_alone(tmp_path: Path, unix: bool, logs: list[EventDict]) -> None:
    path = tmp_path / "bot.yml"
    path.write_text("precious: true\n")
    assert not ControlServer(path, echo, unix=unix).start()
    assert path.read_text() == "precious: true\n"
    assert "remedy" in logs[0]


def test_a_path_that_is_too_long_is_said(tmp_path: Path, logs: list[EventDict]) -> None:
    assert not ControlServer(tmp_path / ("x" * 120), echo).start()
    assert "too long" in logs[0]["error"]
    assert list(tmp_path.iterdir()) == [], "nothing is left behind"


@pytest.mark.skipif(not HAS_UNIX_SOCKETS, reason="the system has no Unix sockets")
def test_the_longest_path_is_listened_at(tmp_path: Path) -> None:
    path = tmp_path / ("x" * (LONGEST_PATH - 1 - len(str(tmp_path))))
    assert len(str(path)) == LONGEST_PATH
    server = ControlServer(path, echo)
    assert server.start()
    assert send(("well",), path).ok
    server.close()


def test_a_wrong_secret_is_refused(tmp_path: Path, start: Start, unix: bool) -> None:
    path = tmp_path / "bot.sock"
    start(path)
    connection, secret = connect(path, unix=unix)
    assert bool(secret) is not unix
    with closing(connection), connection.makefile("rb") as answers:
        connection.sendall(line_of(Request(("quit",), "wrong")))
        answer = read_reply(answers)
    assert not answer.ok
    assert "secret" in answer.text


def test_garbage_and_clients_that_go_away_disturb_nobody(tmp_path: Path, start: Start, unix: bool) -> None:
    path = tmp_path / "bot.sock"
    start(path)
    for data in (b"", b"GET / HTTP/1.0\r\n\r\n", b"{}\n", line_of(Request(("x",)))):
        connection, _secret = connect(path, unix=unix)
        connection.sendall(data)
        connection.close()
    assert wait_until(lambda: send(("well",), path, unix=unix).ok)


def test_what_is_no_command_gets_no_answer_and_no_line_in_the_log(tmp_path: Path, start: Start, unix: bool) -> None:
    path = tmp_path / "bot.sock"
    start(path)
    with capture_logs() as logged:
        connection, _secret = connect(path, unix=unix)
        with closing(connection), connection.makefile("rb") as answers:
            connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
            assert answers.read() == b""  # closed
    assert logged == []


@pytest.mark.parametrize(
    ("error", "event", "level"),
    [(BrokenPipeError("gone"), "control_connection_lost", "debug"), (KeyError("ours"), "control_fault", "error")],
)
def test_a_client_that_went_away_is_no_fault_and_a_fault_of_ours_is(error: Exception, event: str, level: str) -> None:
    with capture_logs() as logged:
        try:
            raise error
        except type(error):
            _Server.handle_error(cast("Any", None), None, None)
    assert [(line["event"], line["log_level"]) for line in logged] == [(event, level)]


def test_closing_waits_for_no_command_and_takes_no_other(tmp_path: Path, start: Start, unix: bool) -> None:
    path, gate, begun = tmp_path / "bot.sock", threading.Event(), threading.Event()

    def slow(words: tuple[str, ...]) -> Reply:
        begun.set()
        gate.wait(60)
        return echo(words)

    others = {thread for thread in threading.enumerate() if not thread.daemon}
    server = start(path, slow)
    connection, secret = connect(path, unix=unix)
    with closing(connection):
        connection.sendall(line_of(Request(("slow",), secret)))
        assert begun.wait(60)
        assert {thread for thread in threading.enumerate() if not thread.daemon} == others
        closer = threading.Thread(target=server.close)
        closer.start()
        closer.join(30)
        is_closed = not closer.is_alive()
        gate.set()
        closer.join()
    assert is_closed
    assert not is_listened_at(path, unix=unix)
    server.close()


def test_a_file_that_somebody_has_removed_is_no_trouble_at_the_end(tmp_path: Path, start: Start) -> None:
    server = start(tmp_path / "bot.sock")
    (tmp_path / "bot.sock").unlink()
    server.close()


def test_a_thread_that_cannot_be_started_costs_no_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def scarce(*_args: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(socketserver.ThreadingMixIn, "process_request", scarce)
    with _Server(tmp_path / "bot.sock", echo, unix=False) as server:
        for _ in range(MOST_AT_ONCE + 1):
            with pytest.raises(RuntimeError, match="can't start"):
                server.process_request(None, None)


def test_beyond_the_bound_of_running_commands_connections_are_closed(
    tmp_path: Path, start: Start, unix: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.control.server._DROP_S", 0.1)
    path, gate, running = tmp_path / "bot.sock", threading.Event(), threading.Semaphore(0)

    def wait(words: tuple[str, ...]) -> Reply:
        running.release()
        return echo(words) if gate.wait(60) else Reply(False, "")

    start(path, wait)
    with ExitStack() as stack:
        for _ in range(MOST_AT_ONCE):
            connection, secret = connect(path, unix=unix)
            stack.enter_context(closing(connection))
            connection.sendall(line_of(Request(("wait",), secret)))
            assert running.acquire(timeout=60)
        more = stack.enter_context(closing(connect(path, unix=unix)[0]))
        assert more.recv(1) == b""
        gate.set()
    assert wait_until(lambda: answers(path, unix))


def answers(path: Path, unix: bool) -> bool:
    """Whether a command gets through: places become free as their clients go."""
    connection, secret = connect(path, unix=unix)
    with closing(connection), connection.makefile("rb") as stream:
        try:
            connection.sendall(line_of(Request(("again",), secret)))
            return stream.readline() != b""
        except OSError:
            return False
