"""The one path of every request: log, faults, token, scope, limits, handler, answer."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from starlette.types import Receive, Scope, Send

from bot.fake_lichess import errors
from bot.fake_lichess.call import Answer, Call, Streaming, read_body, send_answer
from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.limits import Rule
from bot.fake_lichess.lobby import Lobby
from bot.fake_lichess.world import RequestSeen, World

logger = logging.getLogger("bot.fake_lichess")


@dataclass(frozen=True)
class Site:
    """What handlers work on."""

    world: World
    lobby: Lobby


Handler = Callable[[Site, Call], "Answer | Streaming"]


@dataclass(frozen=True)
class Spec:
    """One endpoint: its name for logs and fault plans, path template, handler and who may use it.

    `scopes`: any one of them suffices; None needs no token, () any token. `bots`: True for bots only, False for others only.
    """

    name: str
    method: str
    path: str
    handler: Handler
    scopes: tuple[str, ...] | None = ()
    bots: bool | None = None
    limit: Rule | None = None
    limit_text: str = errors.TOO_MANY


class Endpoint:
    """The ASGI application of one Spec."""

    def __init__(self, spec: Spec, site: Site) -> None:
        self.spec = spec
        self.site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; nothing that a client sends makes it raise."""
        started = time.monotonic()
        call = Call(scope, scope.get("path_params", {}))
        body = await read_body(receive)
        call.body = body or b""
        answer = self._answer(call) if body is not None else Answer({"error": "Request entity too large"}, 413)
        self._log(call, started, answer.status if isinstance(answer, Answer) else 200)
        if isinstance(answer, Answer):
            await send_answer(answer, send)
        else:
            await answer(receive, send)

    def _answer(self, call: Call) -> Answer | Streaming:
        try:
            self._authenticate(call)
            self._limit(call)
            return self.spec.handler(self.site, call)
        except ApiError as refusal:
            return Answer(refusal.body(), refusal.status)
        except Exception:
            logger.exception("%s %s failed", call.method, self.spec.path)
            return Answer({"error": "Internal server error"}, 500)

    def _authenticate(self, call: Call) -> None:
        header = call.headers.get("authorization", "")
        scheme, _, text = header.partition(" ")
        if self.spec.scopes is None and not header:
            return
        if scheme.lower() != "bearer" or not text.strip():
            raise ApiError(401, errors.MISSING_HEADER)
        call.account, call.token = self.site.world.registry.authenticate(text.strip())
        if self.spec.scopes and not set(self.spec.scopes) & set(call.token.scopes):
            raise ApiError(403, f"Missing scope: {', '.join(self.spec.scopes)}")
        if self.spec.bots is not None and call.account.is_bot != self.spec.bots:
            raise ApiError(400, errors.BOTS_ONLY if self.spec.bots else errors.NO_BOTS)

    def _limit(self, call: Call) -> None:
        rule, limiter = self.spec.limit, self.site.world.limiter
        if rule is not None and not limiter.take(self.spec.name, call.me.id, rule, time.monotonic()):
            raise ApiError(429, self.spec.limit_text)

    def _log(self, call: Call, started: float, status: int) -> None:
        account_id = call.account.id if call.account else None
        game_id = call.params.get("game_id", "")[:8] or None
        took_ms = (time.monotonic() - started) * 1000
        seen = RequestSeen(
            started,
            time.time(),
            self.spec.name,
            call.method,
            call.path[:200],
            account_id,
            game_id,
            status,
            None,
            took_ms,
        )
        self.site.world.requests.append(seen)
