"""The web server of the dashboard, on a thread with its own event loop."""

from __future__ import annotations

import asyncio
import socket
import threading

import structlog
import uvicorn

from bot.dashboard.app import build_app
from bot.dashboard.gate import Connection, Gate
from bot.dashboard.history import History
from bot.dashboard.log_tail import LastError, LogTail
from bot.dashboard.metrics import Meters
from bot.dashboard.operator_pages import CommandResult, Handle, OperatorPages
from bot.dashboard.picture import Observer, Sources
from bot.dashboard.session import Sessions
from bot.settings import DashboardSettings

STOP_S = 3.0

log = structlog.get_logger(__name__)


class _NotYet:
    """The answer to a command before the bot accepts commands."""

    ok: bool = False
    text: str = "the bot is still starting; try again in a moment"


class DashboardServer:
    """Serves until `stop`. Failures are logged and never reach the games."""

    def __init__(
        self, settings: DashboardSettings, sources: Sources, meters: Meters, stale_after_s: float | None = None
    ) -> None:
        """Prepare; `stale_after_s` as for the Observer."""
        self._settings = settings
        password = settings.password.get_secret_value() if settings.password is not None else ""
        self._errors, self._tail = LastError(), LogTail(sources.secret, password)
        self.observer = Observer(sources, self._errors, stale_after_s, self._tail, History(sources.played))
        self._handle: Handle | None = None
        operator = OperatorPages(Sessions(password) if password else None, self._command)
        self._app = Gate(build_app(self.observer, meters, self._is_stopping, operator), settings)
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
        self._errors.install()
        self._tail.install()
        self._thread = threading.Thread(target=self._run, args=(server, listener), name="dashboard", daemon=True)
        self._thread.start()
        log.info("dashboard", url=self.url)
        return True

    def take_commands(self, handle: Handle | None) -> None:
        """Accept commands; `handle` is called on worker threads and raises nothing."""
        self._handle = handle

    def stop(self) -> None:
        """Stop the server, if it was started."""
        self._errors.remove()
        self._tail.remove()
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join(STOP_S)

    def _is_stopping(self) -> bool:
        return self._server is None or self._server.should_exit

    def _command(self, words: tuple[str, ...]) -> CommandResult:
        return self._handle(words) if self._handle is not None else _NotYet()

    def _run(self, server: uvicorn.Server, listener: socket.socket) -> None:
        try:
            with listener:
                asyncio.run(server.serve(sockets=[listener]))
        except Exception:  # the dashboard is optional
            log.exception("dashboard_fault", remedy="the bot plays on; start it again to have the dashboard back")
