"""The application: all endpoints behind one router; unknown paths are answered 404 in JSON."""

from __future__ import annotations

from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from . import errors
from .errors import ApiError
from .http.endpoint import AppState, Endpoint, Spec
from .http.request import Request
from .http.routes_account import ACCOUNT_SPECS
from .http.routes_arena import ARENA_SPECS
from .http.routes_challenge import CHALLENGE_SPECS
from .http.routes_games import GAMES_SPECS
from .http.routes_play import play_specs
from .http.routes_reference import REFERENCE_SPECS
from .http.routes_seek import SEEK_SPECS
from .http.routes_teams import TEAM_SPECS
from .http.routes_users import USER_SPECS
from .web import page_routes
from .wire.responses import Response, send_response

ANY_METHOD = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]

PREFLIGHT = (
    (b"access-control-allow-origin", b"*"),
    (b"access-control-allow-methods", b"OPTIONS, GET, POST, PUT, DELETE"),
    (b"access-control-allow-headers", b"Origin, Authorization, If-Modified-Since, Cache-Control, Content-Type"),
    (b"access-control-max-age", b"86400"),
)


def not_found(_state: AppState, _request: Request) -> Response:
    """Answer 404."""
    raise ApiError(404, errors.NOT_FOUND)


def all_specs() -> list[Spec]:
    """Return every endpoint, the busiest first."""
    return [
        *play_specs(),
        *ACCOUNT_SPECS,
        *CHALLENGE_SPECS,
        *SEEK_SPECS,
        *GAMES_SPECS,
        *USER_SPECS,
        *ARENA_SPECS,
        *TEAM_SPECS,
        *REFERENCE_SPECS,
    ]


def build_app(state: AppState) -> ASGIApp:
    """Return the ASGI application over a state."""
    routes = [
        Route(path, Endpoint(spec, state), methods=[spec.method])
        for spec in all_specs()
        for path in filter(None, (spec.path, spec.old_path))
    ]
    routes += page_routes(state)
    nothing = Spec("unknown", "*", "/{path:path}", not_found, None)
    routes.append(Route("/{path:path}", Endpoint(nothing, state), methods=ANY_METHOD))
    return _for_all_paths(Router(routes))


def _for_all_paths(app: ASGIApp) -> ASGIApp:
    """Answer OPTIONS, which browsers send first, and ignore a slash at the end of a path, as lila does."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") == "OPTIONS":
            await send_response(Response(b"", 204, headers=PREFLIGHT), send)
            return
        path = scope.get("path", "")
        if len(path) > 1 and path.endswith("/"):
            scope = {**scope, "path": path.rstrip("/") or "/"}
        await app(scope, receive, send)

    return serve
