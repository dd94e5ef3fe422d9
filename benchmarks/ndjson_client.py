"""A thin client over http.client: little work of its own, so that what is measured is the server."""

from __future__ import annotations

import json
import socket
import time
from http.client import HTTPConnection, HTTPException
from typing import Any


class Wire:
    """One account's connection for requests, and its streams."""

    def __init__(self, host: str, port: int, name: str) -> None:
        self.host, self.port = host, port
        self.headers = {"Authorization": f"Bearer lip_{name.lower()}", "User-Agent": name}
        self.connection = self._connect()

    def _connect(self) -> HTTPConnection:
        connection = HTTPConnection(self.host, self.port, timeout=60)
        connection.connect()
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def post(self, path: str, body: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        """POST JSON; status and answer."""
        headers = self.headers | ({"Content-Type": "application/json"} if body is not None else {})
        self.connection.request("POST", path, json.dumps(body) if body is not None else None, headers)
        answer = self.connection.getresponse()
        return answer.status, json.loads(answer.read())

    def lines(self, path: str) -> Lines:
        """Open a stream."""
        connection = self._connect()
        connection.request("GET", path, headers=self.headers)
        return Lines(connection)


class Lines:
    """A stream read line by line; keep-alives are skipped."""

    def __init__(self, connection: HTTPConnection) -> None:
        self.connection = connection
        self.response = connection.getresponse()

    def next(self) -> tuple[float, dict[str, Any] | None]:
        """When the next line came, and its value; None at the end."""
        while True:
            line = self.response.readline()
            now = time.perf_counter()
            if not line:
                self.connection.close()
                return now, None
            if line.strip():
                return now, json.loads(line)


def drain(lines: Lines) -> None:
    """Read a stream to its end."""
    try:
        while lines.next()[1] is not None:
            pass
    except (OSError, HTTPException):
        return
