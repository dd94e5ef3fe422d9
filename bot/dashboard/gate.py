"""Checks before the pages: known hosts, and limits on connections and requests."""

from __future__ import annotations

import asyncio
import ipaddress
import itertools
from collections.abc import Collection

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from bot.dashboard.layout import respond
from bot.settings import DashboardSettings

MAX_REQUESTS = 64  # at once, event streams among them
MAX_CONNECTIONS = 128  # twice as many, so that some are idle and can be closed
UNLIMITED = ("/healthz", "/readyz")  # a bot whose pages are busy is well
_UNKNOWN_HOST = "421 unknown host: add this name to dashboard.hosts\n"

_numbers = itertools.count()


class Connection(H11Protocol):
    """An HTTP connection. With too many open, the oldest that waits for a request is closed."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Count the connection, and make room for it."""
        super().connection_made(transport)
        self.number = next(_numbers)
        if len(self.connections) > MAX_CONNECTIONS:
            open_ones = [one for one in self.connections if isinstance(one, Connection) and one is not self]
            idle = [one for one in open_ones if one.cycle is None or one.cycle.response_complete]
            if idle:
                min(idle, key=lambda one: one.number).transport.close()


class Gate:
    """The application behind checks of host and load."""

    def __init__(self, app: ASGIApp, settings: DashboardSettings) -> None:
        self._app = app
        self._names = {"localhost", settings.host.lower(), *(name.lower() for name in settings.hosts)}
        self._any_address = settings.reachable_host != settings.host
        self._requests = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            return
        if not self._knows(_host(scope["headers"])):
            await respond(_UNKNOWN_HOST, "text/plain", 421)(scope, receive, send)
        elif scope["path"] in UNLIMITED:
            await self._app(scope, receive, send)
        elif self._requests >= MAX_REQUESTS:
            await respond("503 too many requests at once\n", "text/plain", 503)(scope, receive, send)
        else:
            self._requests += 1
            try:
                await self._app(scope, receive, send)
            finally:
                self._requests -= 1

    def _knows(self, host: str) -> bool:
        """Whether a host is a name of this dashboard: another page's name may be rebound to our address.

        Addresses cannot be rebound, so that a dashboard that listens on all of them accepts them all.
        """
        if host in self._names:
            return True
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return False
        return self._any_address or address.is_loopback


def _host(headers: Collection[tuple[bytes, bytes]]) -> str:
    """Return the host of a request in lower case, without its port; "" for none."""
    value = next((value.decode("latin-1").strip().lower() for name, value in headers if name == b"host"), "")
    return value[1:].partition("]")[0] if value.startswith("[") else value.partition(":")[0]
