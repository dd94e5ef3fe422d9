"""A server of raw bytes on loopback: each connection is answered by the next script, down to resets in mid-line."""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct
import threading
from collections.abc import Callable

Script = Callable[["Wire", socket.socket], None]

OK = b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{"ok":true}'
STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"


def chunk(data: bytes) -> bytes:
    """One chunk of a chunked body."""
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


LAST_CHUNK = b"0\r\n\r\n"


def answer(status: str, body: bytes, *headers: str) -> bytes:
    """A whole answer with a length."""
    head = "".join(f"{line}\r\n" for line in (f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers))
    return head.encode() + b"\r\n" + body


def reset(connection: socket.socket) -> None:
    """Close with RST instead of FIN."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


class Wire:
    """Accepts connections in order and lets the scripts answer, each on its own thread."""

    def __init__(self, *scripts: Script, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self.requests: list[bytes] = []
        self.released = threading.Event()
        self._scripts = list(scripts)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self._listener.getsockname()[1]}"
        self._threads: list[threading.Thread] = []
        self._acceptor = threading.Thread(target=self._accept, daemon=True)

    def __enter__(self) -> Wire:
        self._acceptor.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.released.set()
        with contextlib.suppress(OSError):  # where all scripts are used up, or on systems that know no such end
            self._listener.shutdown(socket.SHUT_RDWR)  # ends a waiting `accept`
        self._listener.close()
        self._acceptor.join(30)
        self.wait_until_closed()

    def wait_until_closed(self) -> None:
        """Wait until the connections that were opened so far have been served and closed."""
        for thread in self._threads:
            thread.join(30)

    def read_request(self, connection: socket.socket) -> bytes:
        """One request, headers and body; remembered in `requests`. b"" when the client has closed."""
        data = b""
        while b"\r\n\r\n" not in data:
            more = connection.recv(65_536)
            if not more:
                return b""
            data += more
        head, _, body = data.partition(b"\r\n\r\n")
        length = 0
        for line in head.split(b"\r\n"):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        while len(body) < length:
            body += connection.recv(65_536)
        self.requests.append(head + b"\r\n\r\n" + body)
        return self.requests[-1]

    def _accept(self) -> None:
        for script in self._scripts:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(script, connection), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, script: Script, connection: socket.socket) -> None:
        try:
            if self._tls:
                connection = self._tls.wrap_socket(connection, server_side=True)
            script(self, connection)
        except OSError:
            return  # the client went away: the test that caused it looks at its own side
        finally:
            connection.close()


def replies(*answers: bytes) -> Script:
    """A script: one answer for each request on the connection, then close."""

    def script(wire: Wire, connection: socket.socket) -> None:
        for data in answers:
            if not wire.read_request(connection):
                return
            connection.sendall(data)

    return script


def stream(*pieces: bytes, end: Callable[[socket.socket], None] | None = None) -> Script:
    """A script: a chunked stream of these pieces, each a chunk; then `end`, or waiting until the test is over."""

    def script(wire: Wire, connection: socket.socket) -> None:
        wire.read_request(connection)
        connection.sendall(STREAM + b"".join(chunk(piece) for piece in pieces))
        if end:
            end(connection)
        else:
            wire.released.wait(60)

    return script
