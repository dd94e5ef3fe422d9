"""The server of the control socket; each command runs on a separate thread, never on a game's."""

from __future__ import annotations

import contextlib
import hmac
import json
import os
import secrets
import socket
import socketserver
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import structlog

from bot.control.wire import (
    CONNECT_S,
    HAS_UNIX_SOCKETS,
    Malformed,
    Reply,
    is_listened_at,
    line_of,
    read_port_file,
    read_request,
)
from bot.errors import BotError

MOST_AT_ONCE = 8
_POLL_S = 0.1
_DROP_S = 1.0  # for the thread of a dropped connection to end

log = structlog.get_logger(__name__)


class AlreadyListening(BotError):  # noqa: N818 -- the name says what happened, as in bot.errors
    """Another bot answers at the path."""


class ControlServer:
    """Calls `handle(words)` for each command. A failure here is logged and never reaches the games."""

    def __init__(
        self, path: Path, handle: Callable[[tuple[str, ...]], Reply], *, unix: bool = HAS_UNIX_SOCKETS
    ) -> None:
        """Prepare; with `unix` False, use a loopback port and a file that holds it."""
        self.path = path
        self._handle = handle
        self._unix = unix
        self._server: _Server | None = None

    def start(self) -> bool:
        """Listen; log the reason and return False if that is impossible. Raises AlreadyListening."""
        if is_listened_at(self.path, unix=self._unix):
            raise AlreadyListening(f"another bot answers at {self.path}")
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _remove_stale(self.path, self._unix)
            self._server = server = _Server(self.path, self._handle, unix=self._unix)
        except OSError as error:
            log.error(
                "control_not_served",
                socket=str(self.path),
                error=str(error),
                remedy="give control.socket a short path in a folder of the bot's own; it plays on without `bot88 ctl`",
            )
            return False
        threading.Thread(target=server.serve_forever, args=(_POLL_S,), name="control", daemon=True).start()
        log.info("control", socket=str(self.path))
        return True

    def close(self) -> None:
        """End the server and remove its file; harmless when repeated or never started."""
        server, self._server = self._server, None
        if server is not None:
            server.shutdown()
            server.server_close()
            self.path.unlink(missing_ok=True)


def _remove_stale(path: Path, unix: bool) -> None:
    """Remove the socket of a dead bot. Raises OSError if the file is something else."""
    if not path.is_symlink() and not path.exists():
        return
    if unix and not path.is_socket():
        raise OSError("the file exists and is not a socket")
    if not unix:
        read_port_file(path)
    path.unlink()


class _Server(socketserver.ThreadingTCPServer):
    """Listens at a Unix socket, or at a loopback port that the file at `path` holds with a secret."""

    daemon_threads = True  # the end waits for no command
    request_queue_size = 128  # connections that are not accepted yet

    def __init__(self, path: Path, handle: Callable[[tuple[str, ...]], Reply], *, unix: bool) -> None:
        """Raise OSError if that is impossible."""
        self.address_family = socket.AF_UNIX if unix else socket.AF_INET
        address: Any = os.fspath(path) if unix else ("127.0.0.1", 0)
        super().__init__(address, _Connection, bind_and_activate=False)
        self.handle = handle
        self.secret = "" if unix else secrets.token_hex(16)
        self._places = threading.BoundedSemaphore(MOST_AT_ONCE)
        self._silent: dict[socket.socket, None] = {}  # connections without a request yet, oldest first
        self._silent_lock = threading.Lock()
        try:
            self.server_bind()
            path.touch(mode=0o600)
            path.chmod(0o600)  # nobody can connect before the socket listens
            if not unix:
                path.write_text(json.dumps({"port": self.server_address[1], "secret": self.secret}))
            self.server_activate()
        except BaseException:
            self.server_close()
            raise

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection on a separate thread. Beyond the bound, the oldest silent one makes room for it."""
        if not self._places.acquire(blocking=False):
            self._drop_silent()
            if not self._places.acquire(timeout=_DROP_S):
                self.shutdown_request(request)
                return
        with self._silent_lock:
            self._silent[request] = None
        try:
            super().process_request(request, client_address)
        except BaseException:
            self._places.release()
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve one connection, then make its place free."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.heard(request)
            self._places.release()

    def heard(self, connection: socket.socket) -> None:
        """Note that a connection has sent its request, or has ended."""
        with self._silent_lock:
            self._silent.pop(connection, None)

    def _drop_silent(self) -> None:
        with self._silent_lock:
            oldest = next(iter(self._silent), None)
            if oldest is not None:
                del self._silent[oldest]
                with contextlib.suppress(OSError):  # it has just been closed by its client
                    oldest.shutdown(socket.SHUT_RDWR)

    def handle_error(self, _request: object, _client_address: object) -> None:
        """Log the failure; a client that left early is only a debug line."""
        error = sys.exc_info()[1]
        if isinstance(error, OSError):
            log.debug("control_connection_lost", error=str(error))
        else:
            log.exception("control_fault")


class _Connection(socketserver.BaseRequestHandler):
    """One command."""

    def handle(self) -> None:
        """Read the request, carry it out, answer."""
        server, connection = self.server, self.request
        assert isinstance(server, _Server)
        assert isinstance(connection, socket.socket)
        connection.settimeout(CONNECT_S)
        try:
            with connection.makefile("rb") as stream:
                request = read_request(stream)
            server.heard(connection)
        except Malformed:
            return  # somebody who only looked whether we are there, or no client of ours
        if hmac.compare_digest(request.secret.encode(), server.secret.encode()):
            answer = server.handle(request.words)
        else:
            answer = Reply(False, "the secret is wrong; read it from the file at control.socket")
        connection.sendall(line_of(answer))
