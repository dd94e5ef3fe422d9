"""The application: all endpoints behind one router; unknown paths are answered 404 in JSON."""

from __future__ import annotations

from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from bot.fake_lichess import errors
from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.http.endpoint import AppState, Endpoint, Spec
from bot.fake_lichess.http.reference.routes_explorer import EXPLORER_SPECS
from bot.fake_lichess.http.reference.routes_tablebase import TABLEBASE_SPECS
from bot.fake_lichess.http.request import Request
from bot.fake_lichess.http.routes_account import ACCOUNT_SPECS
from bot.fake_lichess.http.routes_activity import ACTIVITY_SPECS
from bot.fake_lichess.http.routes_challenge import CHALLENGE_SPECS
from bot.fake_lichess.http.routes_game_streams import GAME_STREAM_SPECS
from bot.fake_lichess.http.routes_play import play_specs
from bot.fake_lichess.http.routes_public import PUBLIC_SPECS
from bot.fake_lichess.http.routes_seek import SEEK_SPECS
from bot.fake_lichess.http.routes_users import USER_SPECS
from bot.fake_lichess.http.tournaments.routes_arena import ARENA_SPECS
from bot.fake_lichess.http.tournaments.routes_team_updates import TEAM_UPDATE_SPECS
from bot.fake_lichess.http.tournaments.routes_teams import TEAM_SPECS
from bot.fake_lichess.web import page_routes
from bot.fake_lichess.wire.answer import Answer

ANY_METHOD = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]


def not_found(_state: AppState, _request: Request) -> Answer:
    """Answer 404."""
    raise ApiError(404, errors.NOT_FOUND)


def all_specs() -> list[Spec]:
    """Every endpoint, the busiest first."""
    return [
        *play_specs(),
        *ACCOUNT_SPECS,
        *CHALLENGE_SPECS,
        *SEEK_SPECS,
        *PUBLIC_SPECS,
        *GAME_STREAM_SPECS,
        *USER_SPECS,
        *ACTIVITY_SPECS,
        *ARENA_SPECS,
        *TEAM_SPECS,
        *TEAM_UPDATE_SPECS,
        *EXPLORER_SPECS,
        *TABLEBASE_SPECS,
    ]


def build_app(state: AppState) -> ASGIApp:
    """The ASGI application over a state."""
    routes = [Route(spec.path, Endpoint(spec, state), methods=[spec.method]) for spec in all_specs()]
    routes += page_routes(state)
    nothing = Spec("unknown", "*", "/{path:path}", not_found, None)
    routes.append(Route("/{path:path}", Endpoint(nothing, state), methods=ANY_METHOD))
    return _without_trailing_slash(Router(routes))


def _without_trailing_slash(app: ASGIApp) -> ASGIApp:
    """Serve a path that ends with a slash as the one without, as lila's router does."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if len(path) > 1 and path.endswith("/"):
            scope = {**scope, "path": path.rstrip("/") or "/"}
        await app(scope, receive, send)

    return serve
