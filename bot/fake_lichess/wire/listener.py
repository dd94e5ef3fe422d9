"""The listener: uvicorn with access to each connection, so that faults can cut it."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
import ssl
import struct
from typing import cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

LINGER_RESET = struct.pack("ii", 1, 0)
REMEDIES = {errno.EADDRINUSE: "choose another port, or 0 for a free one", errno.EACCES: "choose a port from 1024"}
DRAIN_S = 5.0
ACCEPT_STEPS = 4


class Connections:
    """Open connections by the client's address, which is how the ASGI scope names them."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, int], asyncio.Transport] = {}

    def add(self, transport: asyncio.Transport) -> None:
        """Register a connection."""
        sock = transport.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._open[_address(transport)] = transport

    def remove(self, transport: asyncio.Transport) -> None:
        """Forget a closed connection."""
        if self._open.get(_address(transport)) is transport:
            del self._open[_address(transport)]

    def find(self, client: object) -> asyncio.Transport | None:
        """Return the connection of a scope's `client`."""
        return self._open.get(cast("tuple[str, int]", tuple(client))) if isinstance(client, list | tuple) else None

    def __len__(self) -> int:
        return len(self._open)

    def drop_all(self) -> None:
        """Cut every connection at once."""
        for transport in list(self._open.values()):
            transport.abort()


def _address(transport: asyncio.Transport) -> tuple[str, int]:
    return cast("tuple[str, int]", tuple(transport.get_extra_info("peername") or ("", 0))[:2])


def reset(transport: asyncio.Transport) -> None:
    """End a connection with a TCP reset."""
    sock = transport.get_extra_info("socket")
    if sock is not None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_RESET)
    transport.abort()


def protocol_over(connections: Connections) -> type[H11Protocol]:
    """Uvicorn's HTTP/1.1 protocol that reports its connections."""

    class Protocol(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
            connections.add(transport)
            super().connection_made(transport)

        def connection_lost(self, exc: Exception | None) -> None:
            connections.remove(self.transport)
            super().connection_lost(exc)

        def send_400_response(self, msg: str) -> None:
            """Answer a broken body, and discard the answer of the application."""
            if self.cycle is not None and not self.cycle.response_complete:
                self.cycle.disconnected = True
                self.cycle.message_event.set()
                if self.cycle.response_started:
                    self.transport.close()
                    return
            super().send_400_response(msg)

    return Protocol


class Listener:
    """Listens on one address, can stop and listen again on the same port."""

    def __init__(
        self, app: ASGIApp, connections: Connections, host: str, port: int, tls: ssl.SSLContext | None = None
    ) -> None:
        self.app, self.host, self.port, self.tls = app, host, port, tls
        self.connections = connections
        self._server: uvicorn.Server | None = None
        self._task: asyncio.Task[None] | None = None
        self._reserve: socket.socket | None = None

    def _bind(self) -> socket.socket:
        sock = socket.socket(socket.AF_INET6 if ":" in self.host else socket.AF_INET)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((self.host, self.port))
        except OSError as error:
            sock.close()
            remedy = REMEDIES.get(error.errno or 0, "give an address of this machine")
            raise OSError(f"cannot listen on {self.host}:{self.port}: {error.strerror}; {remedy}") from error
        return sock

    def release(self) -> None:
        """Free the port."""
        if self._reserve is not None:
            self._reserve.close()
            self._reserve = None

    async def open(self) -> None:
        """Bind and serve; raises OSError if the address is not available.

        A second socket, bound but not listening, keeps the port while the server is down: otherwise a client that
        retries may get this port as its own source port and connect to itself.
        """
        if self._reserve is None:
            self._reserve = self._bind()
            self.port = self._reserve.getsockname()[1]
        sock = self._bind()
        config = uvicorn.Config(
            self.app,
            http=protocol_over(self.connections),
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            timeout_keep_alive=75,
            backlog=512,
        )
        config.load()
        config.ssl = self.tls
        self._server = uvicorn.Server(config)
        self._task = asyncio.create_task(self._serve(self._server, sock))
        while not self._server.started and not self._task.done():
            await asyncio.sleep(0.002)

    @staticmethod
    async def _serve(server: uvicorn.Server, sock: socket.socket) -> None:
        with contextlib.closing(sock):
            await server.serve(sockets=[sock])

    @staticmethod
    async def _stop_accepting(server: uvicorn.Server) -> None:
        """Close the listening sockets without losing a connection on its way in.

        asyncio accepts in one step and makes the transport in the next; a server closed between the two forgets the
        connection, whose client then waits for the garbage collector.
        """
        loop = asyncio.get_running_loop()
        for listening in server.servers:
            for sock in listening.sockets:
                loop.remove_reader(sock.fileno())
        for _ in range(ACCEPT_STEPS):
            await asyncio.sleep(0)
        for listening in server.servers:
            listening.close()

    async def close(self) -> None:
        """Stop listening, cut every connection, and wait for running requests."""
        if self._server is None or self._task is None:
            return
        await self._stop_accepting(self._server)
        self.connections.drop_all()
        # uvicorn's own shutdown polls ten times a second; with all connections cut it has nothing to do
        self._task.cancel()
        await asyncio.wait({self._task})
        unfinished = set(self._server.server_state.tasks)
        if unfinished:
            await asyncio.wait(unfinished, timeout=DRAIN_S)
        self._server = self._task = None
