"""The web server of the dashboard, on a thread with its own event loop, behind checks of host and load."""

from __future__ import annotations

import asyncio
import ipaddress
import itertools
import socket
import threading
from collections.abc import Collection

import structlog
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from bot.dashboard.app import build_app
from bot.dashboard.layout import respond
from bot.dashboard.metrics import Meters
from bot.dashboard.operator_pages import Handle, OperatorPages, Sessions
from bot.dashboard.picture import Observer
from bot.settings import DashboardSettings

MAX_REQUESTS = 64  # at once, event streams among them
MAX_CONNECTIONS = 128  # twice as many, so that some are idle and can be closed
UNLIMITED = ("/healthz", "/readyz")  # a bot whose pages are busy is well
STOP_S = 3.0
_NOT_YET = "the bot is still starting; try again in a moment"
_UNKNOWN_HOST = "421 unknown host: add this name to dashboard.hosts\n"

_numbers = itertools.count()
log = structlog.get_logger(__name__)


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


class DashboardServer:
    """Serves until `stop`. Failures are logged and never reach the games."""

    def __init__(self, settings: DashboardSettings, observer: Observer, meters: Meters) -> None:
        """Prepare to show what `observer` sees and `meters` count."""
        self._settings = settings
        self._handle: Handle | None = None
        password = settings.password
        operator = OperatorPages(Sessions(password.get_secret_value()) if password else None, self._command)
        self._app = Gate(build_app(observer, meters, self._is_stopping, operator), settings)
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None
        self.url = ""

    def start(self) -> bool:
        """Listen and serve. If that fails, log why and return False: the bot plays on without a dashboard."""
        host, port = self._settings.host, self._settings.port
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            listener = socket.create_server((host, port), family=family)
        except OSError as error:
            log.error(
                "dashboard_not_served",
                address=f"{host}:{port}",
                error=str(error),
                remedy="give dashboard.host and dashboard.port a free address; the bot plays on without the dashboard",
            )
            return False
        reachable = self._settings.reachable_host
        shown = f"[{reachable}]" if ":" in reachable else reachable
        self.url = f"http://{shown}:{listener.getsockname()[1]}"
        config = uvicorn.Config(
            self._app,
            log_config=None,
            access_log=False,
            lifespan="off",
            http=Connection,
            ws="none",
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        self._server = server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, args=(server, listener), name="dashboard", daemon=True)
        self._thread.start()
        log.info("dashboard", url=self.url)
        return True

    def take_commands(self, handle: Handle | None) -> None:
        """Accept commands; `handle` is called on worker threads and raises nothing."""
        self._handle = handle

    def stop(self) -> None:
        """Stop the server, if it was started."""
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join(STOP_S)

    def _is_stopping(self) -> bool:
        return self._server is None or self._server.should_exit

    def _command(self, words: tuple[str, ...]) -> tuple[bool, str]:
        return self._handle(words) if self._handle is not None else (False, _NOT_YET)

    def _run(self, server: uvicorn.Server, listener: socket.socket) -> None:
        try:
            with listener:
                asyncio.run(server.serve(sockets=[listener]))
        except Exception:  # the dashboard is optional
            log.exception("dashboard_fault", remedy="the bot plays on; start it again to have the dashboard back")
