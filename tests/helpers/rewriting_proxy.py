"""A proxy on loopback before the fake: passes requests on as they are, and answers chosen ones itself."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlsplit

Answer = Callable[[str], bytes | None]


def json_answer(body: bytes, status: str = "200 OK", *headers: str) -> bytes:
    """A whole HTTP answer that carries this body as JSON."""
    lines = (f"HTTP/1.1 {status}", "Content-Type: application/json", f"Content-Length: {len(body)}", *headers)
    return "".join(f"{line}\r\n" for line in lines).encode() + b"Connection: close\r\n\r\n" + body


class RewritingProxy:
    """Asks `answer(path)` about each request: bytes are sent to the client, None passes the request on.

    `answer` may be replaced at any moment. Each request has a connection of its own, so every answer closes it.
    """

    def __init__(self, target_url: str, answer: Answer = lambda _path: None) -> None:
        target = urlsplit(target_url)
        self._target = (target.hostname or "", target.port or 80)
        self.answer = answer
        self.paths: list[str] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()

    def __enter__(self) -> RewritingProxy:
        threading.Thread(target=self._accept, name="proxy", daemon=True).start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._listener.close()
        with self._lock:
            sockets = list(self._open)
        for one in sockets:
            _shut(one)

    def count(self, prefix: str) -> int:
        """Requests whose path begins so."""
        return sum(path.startswith(prefix) for path in self.paths)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), name="proxy", daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with self._lock:
            self._open.add(client)
        try:
            head, body = _read_request(client)
            if head:
                path = head.split(b" ", 2)[1].decode()
                self.paths.append(path)
                answer = self.answer(path)
                if answer is not None:
                    client.sendall(answer)
                else:
                    self._pass_on(client, head, body)
        except OSError:
            return  # one side went away: the test looks at what came of it
        finally:
            with self._lock:
                self._open.discard(client)
            client.close()

    def _pass_on(self, client: socket.socket, head: bytes, body: bytes) -> None:
        lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection:")]
        with socket.create_connection(self._target) as server:
            with self._lock:
                self._open.add(server)
            try:
                server.sendall(b"\r\n".join([*lines, b"Connection: close"]) + b"\r\n\r\n" + body)
                threading.Thread(target=_shut_with, args=(client, server), name="proxy", daemon=True).start()
                while data := server.recv(65_536):
                    client.sendall(data)
            finally:
                with self._lock:
                    self._open.discard(server)


def _read_request(client: socket.socket) -> tuple[bytes, bytes]:
    data = b""
    while b"\r\n\r\n" not in data:
        more = client.recv(65_536)
        if not more:
            return b"", b""
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    length = int(lengths[0].split(b":")[1]) if lengths else 0
    while len(body) < length:
        body += client.recv(65_536)
    return head, body


def _shut_with(client: socket.socket, server: socket.socket) -> None:
    """Close the way to the server when the client goes, so that the server sees it too."""
    with suppress(OSError):
        while client.recv(65_536):
            continue
    _shut(server)


def _shut(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
