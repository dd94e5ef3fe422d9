"""D1: the bot reads little of what a webhook answers, for a bounded time, and follows no redirect."""

from __future__ import annotations

import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from functools import partial

import pytest

from tests.helpers.processes import wait_until

MEMORY = 700_000_000
POST = """
import sys
from bot.service import notifications as webhook
webhook.TIMEOUT_S = 2.0
for address in sys.argv[2:]:
    hook = webhook.Webhook(address)
    hook.send({"event": "unwell"})
    hook.close(float(sys.argv[1]))
"""
Serve = Callable[[Callable[[socket.socket], None]], str]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serve each connection by a function of its socket, on a thread of its own; returns the address."""
    with ExitStack() as stack:

        def start(answer: Callable[[socket.socket], None]) -> str:
            listener = stack.enter_context(closing(socket.create_server(("127.0.0.1", 0))))
            stack.callback(listener.shutdown, socket.SHUT_RDWR)  # ends a waiting `accept`

            def run() -> None:
                with suppress(OSError):
                    while True:
                        connection, _ = listener.accept()
                        threading.Thread(target=one, args=(connection,), daemon=True).start()

            def one(connection: socket.socket) -> None:
                with connection, suppress(OSError):
                    connection.recv(65536)
                    answer(connection)

            threading.Thread(target=run, daemon=True).start()
            return f"http://127.0.0.1:{listener.getsockname()[1]}/hook"

        yield start


def post(seconds: float, *addresses: str) -> subprocess.CompletedProcess[str]:
    """Send a message to each from a process of limited memory, which waits so long for its answer."""
    return subprocess.run(
        [sys.executable, "-c", POST, str(seconds), *addresses],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_an_endless_answer_is_not_read(serve: Serve) -> None:
    sent = [0]

    def endless(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
        while True:
            sent[0] += connection.send(b"x" * 65536)

    done = post(10, serve(endless))
    assert done.returncode == 0, done.stderr
    assert sent[0] < 16_000_000, "more than what fits into the buffers of both sockets"


@pytest.mark.slow
def test_an_answer_that_drips_ends_in_time(serve: Serve) -> None:
    closed = threading.Event()

    def drips(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\n")
        try:
            while True:
                connection.sendall(b"X-Header: x\r\n")
                time.sleep(0.3)
        finally:
            closed.set()

    begun_s = time.monotonic()
    done = post(15, serve(drips))
    assert done.returncode == 0, done.stderr
    assert wait_until(closed.is_set)
    assert time.monotonic() - begun_s < 12


def answer_with(text: bytes, connection: socket.socket) -> None:
    """Send this."""
    connection.sendall(text)


def test_no_redirect_is_followed(serve: Serve) -> None:
    asked = threading.Event()
    other = serve(lambda _connection: asked.set())
    statuses = (301, 302, 303, 307, 308)
    redirects = [f"HTTP/1.1 {status} Moved\r\nLocation: {other}\r\nContent-Length: 0\r\n\r\n" for status in statuses]
    addresses = [serve(partial(answer_with, redirect.encode())) for redirect in redirects]
    done = post(3, *addresses)
    assert done.returncode == 0, done.stderr
    assert not asked.wait(0.2)
    assert all(f"status {status}" in done.stderr + done.stdout for status in statuses)
