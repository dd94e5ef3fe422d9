"""The path of every request: faults, token, scope, limits, handler, log, response."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from starlette.types import Message, Receive, Scope, Send

from .. import errors
from ..config import FakeConfig
from ..errors import ApiError
from ..faults.fault_plan import FaultPlan, FaultRule
from ..faults.injector import (
    Faults,
    FaultySend,
    MatchedRequest,
    break_response,
    client_left_within,
    wait_for_disconnect,
)
from ..opponents.analyst import Analyst, analyst_command
from ..opponents.catalogue import Catalogue
from ..opponents.reference import Reference
from ..tournaments.arenas import Arenas
from ..tournaments.teams import make_teams
from ..wire.listener import Connections
from ..wire.responses import KEEP_ALIVE, DelayedResponse, Response, Streaming, send_response
from ..world.limits import Rule
from ..world.lobby import Lobby
from ..world.seeks import Seeks
from ..world.server_game import Game
from ..world.world import RequestSeen, World
from .request import ClientGoneError, Request, read_body

logger = logging.getLogger(__name__)
CLOSE_S = 10.0
CLIENT_LEFT = 499  # as nginx logs it
NETWORK_PAGE = b"<!DOCTYPE html><html><body><h1>429</h1><p>Too many requests</p></body></html>"


class AppState:
    """The state that handlers work on. Create it in the server's event loop."""

    def __init__(self, config: FakeConfig, plan: FaultPlan) -> None:
        """Build the state; raises ConfigError for settings that do not work, such as a missing engine."""
        self.world = World(config, Catalogue(config))
        self.lobby = Lobby(self.world)
        self.arenas = Arenas(self.lobby)
        self.teams = make_teams(self.world)
        self.seeks = Seeks(self.lobby)
        self.connections = Connections()
        self.faults = Faults(plan, config.seed)
        self.analyst = Analyst(analyst_command(config.analysis_engine))
        self.reference = Reference(config.explorer_book, config.syzygy)
        self.game_streams: dict[str, tuple[set[str], Callable[[Game], None]]] = {}

    async def close(self) -> None:
        """End all games, streams and engines, and close the files."""
        self.world.close()
        await self.analyst.close()
        self.reference.close()
        if self.world.tasks:
            await asyncio.wait(self.world.tasks, timeout=CLOSE_S)


Handler = Callable[[AppState, Request], "Response | DelayedResponse | Streaming"]


@dataclass(frozen=True)
class Spec:
    """One endpoint: its name for logs and fault plans, path template, handler and who may use it.

    `scopes`: the token needs any one of them; () accepts every token, None needs no token.
    `bots`: True for bots only, False for others only. `stream`: whether it answers with a stream of lines.
    `old_path`: an address that older clients use.
    """

    name: str
    method: str
    path: str
    handler: Handler
    scopes: tuple[str, ...] | None = ()
    bots: bool | None = None
    limit: Rule | None = None
    limit_text: str = errors.TOO_MANY
    stream: bool = False
    old_path: str = ""


#: Called with every response and every line of a stream, before faults change it: tests check them against the schemas.
taps: list[Callable[[Spec, Response], None]] = []


class Endpoint:
    """The ASGI application of one Spec."""

    def __init__(self, spec: Spec, state: AppState) -> None:
        self.spec = spec
        self.state = state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; never raises, whatever the client sends."""
        started = time.monotonic()
        request = Request(scope, scope.get("path_params", {}))
        send = self._with_headers(request, send)
        try:
            body = await read_body(receive)
        except ClientGoneError:
            return
        request.body = body or b""
        if body is None:
            await send_response(Response({"error": "Request entity too large"}, 413), send)
            return
        target = self._target(request)
        rule = self.state.faults.for_request(target, stream=self.spec.stream)
        transport = self.state.connections.find(scope.get("client"))
        if rule is not None and rule.fault != "delay":
            answer = await self._answer(request) if rule.is_applied and not self.spec.stream else Response()
            self._log(request, started, answer, rule)
            whole = answer if isinstance(answer, Response) else Response()
            await break_response(rule, target, whole, send, receive, transport)
            return
        late = await self._delayed(rule, target, request, receive)
        if late is None:
            self._log(request, started, Response(status=CLIENT_LEFT), rule)
            return
        self._log(request, started, late, rule)
        if isinstance(late, Response):
            await send_response(late, send)
        else:
            await self._stream(late, FaultySend(self.state.faults, target, send, transport), receive)

    def _with_headers(self, request: Request, send: Send) -> Send:
        """Add the headers that allow browsers to read a response, and the scopes of the token."""

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(b"access-control-allow-origin", b"*")]
                if request.token is not None:
                    added.append((b"x-oauth-scopes", ", ".join(request.token.scopes).encode()))
                    added.append((b"x-accepted-oauth-scopes", ", ".join(self.spec.scopes or ()).encode()))
                message = {**message, "headers": [*message["headers"], *added]}
            await send(message)

        return sending

    async def _delayed(
        self, rule: FaultRule | None, target: MatchedRequest, request: Request, receive: Receive
    ) -> Response | Streaming | None:
        """Do the work, with the rule's delay before or after it; None if a stream's client left before it opened."""
        if rule is None:
            return await self._answer(request)
        delay_s = self.state.faults.delay_s(rule, target)
        if self.spec.stream:
            return None if await client_left_within(delay_s, receive) else await self._answer(request)
        if not rule.is_applied:
            await asyncio.sleep(delay_s)
            return await self._answer(request)
        answer = await self._answer(request)
        await asyncio.sleep(delay_s)
        return answer

    async def _stream(self, answer: Streaming, send: FaultySend, receive: Receive) -> None:
        async def tapped(message: Message) -> None:
            body = message.get("body", b"")
            if body and body != KEEP_ALIVE:
                self._tap(Response(body, media="application/x-ndjson"))
            await send(message)

        await answer(receive, tapped)
        if send.silent:
            await wait_for_disconnect(receive)

    def _target(self, request: Request) -> MatchedRequest:
        token = self.state.world.registry.token(request.bearer)
        return MatchedRequest(
            self.spec.method, self.spec.name, request.game_id or "", token.account_id if token else ""
        )

    def _tap(self, response: Response) -> None:
        for tap in taps:
            tap(self.spec, response)

    async def _answer(self, request: Request) -> Response | Streaming:
        """Do the work of a request; every error becomes a response."""
        answer = await self._handle(request)
        if isinstance(answer, Response):
            self._tap(answer)
        return answer

    async def _handle(self, request: Request) -> Response | Streaming:
        try:
            self._check_network()
            self._authenticate(request)
            self._check_limit(request)
            answer = self.spec.handler(self.state, request)
            if isinstance(answer, DelayedResponse):
                await asyncio.sleep(answer.delay_s)
                return answer.act()
            return answer
        except ApiError as refused:
            return Response(refused.body(), refused.status, "text/html" if refused.html else "application/json")
        except Exception:
            logger.exception("%s %s failed", request.method, self.spec.path)
            return Response({"error": "Internal server error"}, 500)

    def _check_network(self) -> None:
        most = self.state.world.config.requests_per_minute
        if most and not self.state.world.limiter.take("network", "", Rule(most, 60), time.monotonic()):
            raise errors.HtmlError(429, NETWORK_PAGE)

    def _authenticate(self, request: Request) -> None:
        if self.spec.scopes is None and not request.headers.get("authorization"):
            return
        if not request.bearer:
            raise ApiError(401, errors.MISSING_HEADER)
        request.account, request.token = self.state.world.registry.authenticate(request.bearer)
        if self.spec.scopes and not set(self.spec.scopes) & set(request.token.scopes):
            raise ApiError(403, f"Missing scope: {', '.join(self.spec.scopes)}")
        if self.spec.bots is not None and request.account.is_bot != self.spec.bots:
            raise ApiError(400, errors.BOTS_ONLY if self.spec.bots else errors.NO_BOTS)

    def _check_limit(self, request: Request) -> None:
        rule, limiter = self.spec.limit, self.state.world.limiter
        key = request.address if request.account is None else request.account.id
        if rule is not None and not limiter.take(self.spec.name, key, rule, time.monotonic()):
            raise ApiError(429, self.spec.limit_text)

    def _log(self, request: Request, started: float, answer: Response | Streaming, rule: FaultRule | None) -> None:
        status = answer.status if isinstance(answer, Response) else 200
        seen = RequestSeen(
            at_s=started,
            wall_s=time.time(),
            endpoint=self.spec.name,
            method=request.method,
            path=request.path[:200],
            account_id=request.account.id if request.account else None,
            game_id=request.game_id,
            status=status,
            fault=rule.fault if rule else None,
            took_ms=(time.monotonic() - started) * 1000,
        )
        self.state.world.requests.append(seen)
