"""A proxy on loopback between a bot and the fake: passes requests on, edits game streams, answers chosen requests."""

from __future__ import annotations

import http.client
import socket
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

GAME_STREAM = "/api/bot/game/stream/"
HOP_BY_HOP = frozenset({"connection", "transfer-encoding", "content-length", "keep-alive"})


class Break(Enum):
    """How a stream ends before its time."""

    CLEANLY = "cleanly"
    BY_RESET = "by reset"


#: From the number of the line within its stream (0: the gameFull) and the line: what is sent instead, maybe nothing.
EditLine = Callable[[int, bytes], bytes]
#: From the path of a request to the whole answer; None passes the request on.
Answer = Callable[[str], bytes | None]


def json_answer(body: bytes, status: str = "200 OK", *headers: str) -> bytes:
    """A whole HTTP answer that carries this body as JSON."""
    lines = (f"HTTP/1.1 {status}", "Content-Type: application/json", f"Content-Length: {len(body)}", *headers)
    return "".join(f"{line}\r\n" for line in lines).encode() + b"Connection: close\r\n\r\n" + body


class Proxy:
    """`answer` decides about each request, `edit_line` and `break_after_first` about game streams.

    They may be replaced at any moment. `break_after_first`: how a game stream ends right after its first line, None for
    not at all. `openings` holds when each game stream was opened, monotonic seconds, `paths` what was requested.
    """

    def __init__(self, target_url: str, answer: Answer = lambda _path: None) -> None:
        target = urlsplit(target_url)
        self.target = f"{target.hostname}:{target.port}"
        self.answer = answer
        self.paths: list[str] = []
        self.edit_line: EditLine = lambda _number, line: line
        self.break_after_first: Break | None = None
        self.openings: list[float] = []
        proxy = self

        class Handler(_Handler):
            owner = proxy

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Proxy:
        threading.Thread(target=self._server.serve_forever, name="proxy", daemon=True).start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def count(self, prefix: str) -> int:
        """Requests whose path begins so."""
        return sum(path.startswith(prefix) for path in self.paths)

    def opened_since(self, since_s: float) -> int:
        """Game streams opened since then."""
        return sum(opened_s >= since_s for opened_s in self.openings)


class _Handler(BaseHTTPRequestHandler):
    owner: Proxy
    protocol_version = "HTTP/1.1"

    def log_request(self, code: Any = "-", size: Any = "-") -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Pass on."""
        self._pass_on()

    def do_POST(self) -> None:
        """Pass on."""
        self._pass_on()

    def _pass_on(self) -> None:
        self.close_connection = True
        self.owner.paths.append(self.path)
        if self.path.startswith(GAME_STREAM):
            self.owner.openings.append(time.monotonic())
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if (chosen := self.owner.answer(self.path)) is not None:
            self.wfile.write(chosen)
            return
        server = http.client.HTTPConnection(self.owner.target, timeout=60)
        try:
            server.request(self.command, self.path, body, dict(self.headers.items()))
            answer = server.getresponse()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in HOP_BY_HOP:
                    self.send_header(name, value)
            self.send_header("Connection", "close")
            if answer.chunked:
                self._stream(answer)
            else:
                content = answer.read()
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
        except (OSError, http.client.HTTPException):
            self._reset()  # one side went away: the other learns of it
        finally:
            server.close()

    def _stream(self, answer: http.client.HTTPResponse) -> None:
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        number = 0
        while line := answer.readline():
            of_game = self.path.startswith(GAME_STREAM)
            if of_game and line.strip():
                line = self.owner.edit_line(number, line)
                number += 1
            if line:
                self.wfile.write(b"%x\r\n%b\r\n" % (len(line), line))
            if of_game and self.owner.break_after_first is Break.CLEANLY:
                break
            if of_game and self.owner.break_after_first is Break.BY_RESET:
                time.sleep(0.01)  # a reset throws away what was sent and not yet read
                self._reset()
                return
        self.wfile.write(b"0\r\n\r\n")

    def _reset(self) -> None:
        with suppress(OSError):
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
