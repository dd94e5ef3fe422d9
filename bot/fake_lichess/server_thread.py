"""A server in a separate thread, with its own event loop: start, stop, restart, and calls into the loop."""

from __future__ import annotations

import asyncio
import concurrent.futures
import secrets
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from .app import build_app
from .config import FakeConfig
from .faults.fault_plan import FaultPlan, RestartRule, load_plan
from .http.endpoint import AppState
from .wire.listener import Listener
from .wire.tls import server_context

T = TypeVar("T")
START_S = 30.0
CALL_S = 60.0
DRAIN_S = 0.05  # for the last chunks of streams that end properly


class ServerThread:
    """A server in a thread. Use it as a context manager, or `start` and `stop`. Methods work from any thread."""

    def __init__(self, config: FakeConfig | None = None) -> None:
        config = config or FakeConfig()
        seed = secrets.randbelow(1_000_000) if config.seed is None else config.seed
        self.config = config.model_copy(update={"seed": seed})  # known, so that a run can be repeated
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._listener: Listener | None = None
        self._state: AppState | None = None
        self._plans: list[asyncio.Task[None]] = []
        self._running_restart: asyncio.Future[None] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> str:
        """Serve; returns the URL. Raises OSError when the address is taken."""
        if self._thread is not None:
            raise RuntimeError("the server is already running")
        ready: concurrent.futures.Future[str] = concurrent.futures.Future()
        self._thread = threading.Thread(target=self._run, args=(ready,), name="fake-lichess", daemon=True)
        self._thread.start()
        try:
            return ready.result(START_S)
        except BaseException:
            self._thread.join(START_S)
            self._thread = None
            raise

    def _run(self, ready: concurrent.futures.Future[str]) -> None:
        with asyncio.Runner() as runner:
            self._loop = runner.get_loop()
            self._stopping, self._restarting = asyncio.Event(), asyncio.Lock()
            runner.run(self._serve(ready))

    async def _serve(self, ready: concurrent.futures.Future[str]) -> None:
        try:
            await self._open()
        except (OSError, ValueError) as error:
            if self._state is not None:
                self._state.reference.close()
            ready.set_exception(error)
            return
        ready.set_result(self.url)
        await self._stopping.wait()
        for task in (*self._plans, self._running_restart):
            if task is not None:
                task.cancel()
        if self._state is not None and self._listener is not None:
            await self._state.close()
            await self._listener.close()
            self._listener.release()

    async def _open(self) -> None:
        plan = load_plan(self.config.faults)
        state = self._state = AppState(self.config, plan)
        self.world, self.lobby, self.faults = state.world, state.lobby, state.faults
        self.arenas, self.teams, self.seeks = state.arenas, state.teams, state.seeks
        tls = server_context(Path(self.config.tls), self.config.tls_names) if self.config.tls else None
        self._listener = Listener(build_app(state), state.connections, self.config.host, self.config.port, tls)
        await self._listener.open()
        self.world.base_url = self.config.public_url or self.url
        self._schedule(plan)

    def _schedule(self, plan: FaultPlan) -> None:
        for task in self._plans:
            task.cancel()
        self._plans = [asyncio.create_task(self._restarts(rule)) for rule in plan.restarts]

    async def _restarts(self, rule: RestartRule) -> None:
        wait_s: float | None = rule.after_s
        while wait_s is not None:
            await asyncio.sleep(wait_s)
            self._running_restart = asyncio.ensure_future(
                self._restart(rule.down_s, planned=rule.planned, status=rule.status)
            )
            await asyncio.shield(self._running_restart)  # another plan does not leave the server down
            wait_s = rule.every_s

    def set_faults(self, plan: FaultPlan | str, seed: int | None = None) -> None:
        """Set another fault plan: a plan, a profile's name or a YAML file. Raises ConfigError."""
        wanted = load_plan(plan) if isinstance(plan, str) else plan

        def run() -> None:
            self.faults.set_plan(wanted, self.config.seed if seed is None else seed)
            self._schedule(wanted)

        self.call(run)

    def stop(self) -> None:
        """End every stream and connection and free the port; idempotent."""
        if self._thread is None or self._loop is None:
            return
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(START_S)
        self._thread = None

    def restart(self, down_s: float = 0.5, *, planned: bool = False, status: int | None = None) -> None:
        """Drop all streams, stop for a while, and come back on the same port with all games.

        A planned restart ends the streams properly, an unplanned one cuts them. Meanwhile connections are refused,
        or with a `status` (502: the proxy in front of a stopped server) every request is answered with it.
        """
        self.call_async(self._restart(down_s, planned=planned, status=status))

    async def _restart(self, down_s: float, *, planned: bool = False, status: int | None = None) -> None:
        if self._listener is None:
            raise RuntimeError("the server is not running")
        async with self._restarting:
            self.faults.outage_status = status
            self.faults.note("restart")
            self.world.go_down(planned=planned)
            if status is not None:
                await self._wait_behind_proxy(self._listener, down_s, planned=planned)
            else:
                await self._close_for(self._listener, down_s, planned=planned)
            self.world.come_up()

    async def _wait_behind_proxy(self, listener: Listener, down_s: float, *, planned: bool) -> None:
        if not planned:
            listener.connections.drop_all()
            self.world.broadcaster.close_all()
        await asyncio.sleep(down_s)
        self.faults.outage_status = None

    async def _close_for(self, listener: Listener, down_s: float, *, planned: bool) -> None:
        if planned:
            await asyncio.sleep(DRAIN_S)
        await listener.close()
        self.world.broadcaster.close_all()
        await asyncio.sleep(down_s)
        await listener.open()

    @property
    def url(self) -> str:
        """The base URL without a slash at its end."""
        if self._listener is None:
            raise RuntimeError("the server is not running")
        host = f"[{self.config.host}]" if ":" in self.config.host else self.config.host
        scheme = "https" if self.config.tls else "http"
        return f"{scheme}://{'127.0.0.1' if host == '0.0.0.0' else host}:{self._listener.port}"

    def call(self, act: Callable[[], T]) -> T:
        """Run a function in the server's loop and return what it returns, or raise what it raises."""

        async def run() -> T:
            return act()

        return self.call_async(run())

    def call_async(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the server's loop."""
        if self._loop is None or self._thread is None:
            coroutine.close()
            raise RuntimeError("the server is not running")
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(CALL_S)
