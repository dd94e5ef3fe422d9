"""The routes of the pages: files, pictures, accounts, and JSON about games and positions."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

from starlette.convertors import StringConvertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ..board import board_routes, icon
from ..errors import ApiError
from ..http.endpoint import AppState
from ..opponents.analyst import AnalystError
from ..world.accounts import Account
from ..world.variants import VARIANTS
from .evaluation import evaluate
from .fen_check import fen_fault
from .games import finished_games, game_facts, running_games, say_to_spectators, spectators_lines
from .position import describe

STATIC = Path(__file__).with_name("static")
MEDIA = {".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
MAX_BODY = 64 * 1024
NO_STORE = {"Cache-Control": "no-store"}
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
#: Handlers that read the world are coroutines: starlette runs plain functions in other threads.
OnLoop = Callable[[Request], Awaitable[Response]]
JsonHandler = Callable[[AppState, Request], Awaitable[object]]


class GameIdConvertor(StringConvertor):
    """A game's id, or a player's full id of it; the API answers 404 to anything else."""

    regex = "[A-Za-z0-9]{8}(?:[A-Za-z0-9]{4})?"


register_url_convertor("game_id", GameIdConvertor())


def page_routes(state: AppState) -> list[Route]:
    """Return the routes of the pages. They come after those of the API."""
    return [
        Route("/", _page("lobby.html")),
        Route("/favicon.ico", _icon),
        Route("/web/people", _json(state, _people)),
        Route("/web/position", _json(state, _position), methods=["POST"]),
        Route("/web/fen", _json(state, _fen), methods=["POST"]),
        Route("/web/evaluation", _json(state, _evaluation), methods=["POST"]),
        Route("/web/facts/{game_id}", _json(state, _facts)),
        Route("/web/finished", _json(state, _finished)),
        Route("/web/running", _json(state, _running)),
        Route("/web/spectators/{game_id}", _json(state, _read_room)),
        Route("/web/spectators/{game_id}", _json(state, _say), methods=["POST"]),
        *board_routes(HEADERS),
        Route("/web/{name:path}", _file),
        Route("/{game_id:game_id}", _game_page(state, "game.html")),
        Route("/{game_id:game_id}/analysis", _game_page(state, "analysis.html")),
    ]


def _text(content: str | bytes, media: str, status: int = 200, cache: str = "no-cache") -> Response:
    return Response(content, status, {**HEADERS, "Cache-Control": cache}, media)


def _read(name: str, status: int = 200) -> Response:
    path = STATIC / name
    return _text(path.read_bytes(), MEDIA[path.suffix], status)


def _missing() -> Response:
    return _read("missing.html", 404)


def _page(name: str) -> Callable[[Request], Response]:
    return lambda _request: _read(name)


def _game_page(state: AppState, name: str) -> OnLoop:
    async def serve(request: Request) -> Response:
        game_id = request.path_params["game_id"]
        return _read(name) if game_id[:8] in state.world.games else _missing()

    return serve


def _file(request: Request) -> Response:
    name = request.path_params["name"]
    known = {path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.suffix in MEDIA}
    return _read(name) if name in known else _missing()


def _icon(_request: Request) -> Response:
    return _text(icon(), MEDIA[".svg"], cache="max-age=86400")


def _json(state: AppState, handler: JsonHandler) -> OnLoop:
    """Return a handler that answers in JSON, errors included."""

    async def serve(request: Request) -> Response:
        try:
            return JSONResponse(await handler(state, request), headers=NO_STORE)
        except ApiError as refused:
            return JSONResponse(refused.body(), refused.status)
        except AnalystError as error:
            return JSONResponse({"error": str(error)}, 503)
        except (ValueError, RecursionError) as error:
            return JSONResponse({"error": str(error)[:300]}, 400)

    return serve


async def _fields(request: Request) -> dict[str, object]:
    """Read the JSON object of the body; raises ValueError."""
    body = await request.body()
    fields = json.loads(body) if len(body) <= MAX_BODY else None
    if not isinstance(fields, dict):
        raise ValueError("send a JSON object of at most 64 KiB")
    return fields


def _account(state: AppState, request: Request) -> Account | None:
    """Return the account of the request's token, None without a token; raises ApiError 401 for an unknown one."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    return state.world.registry.authenticate(token.strip())[0]


async def _position(_state: AppState, request: Request) -> object:
    return describe(await _fields(request))


async def _fen(_state: AppState, request: Request) -> object:
    fields = await _fields(request)
    return {"fault": fen_fault(str(fields.get("variant") or "fromPosition"), str(fields.get("fen") or ""))}


async def _evaluation(state: AppState, request: Request) -> object:
    account = _account(state, request)
    return await evaluate(state.world, state.analyst, account, await _fields(request))


async def _facts(state: AppState, request: Request) -> object:
    return game_facts(state.world, request.path_params["game_id"])


async def _finished(state: AppState, request: Request) -> object:
    return finished_games(state.world, request.query_params)


async def _running(state: AppState, _request: Request) -> object:
    return running_games(state.world)


async def _read_room(state: AppState, request: Request) -> object:
    return spectators_lines(state.world, _account(state, request), request.path_params["game_id"])


async def _say(state: AppState, request: Request) -> object:
    fields, account = await _fields(request), _account(state, request)
    return say_to_spectators(state.world, account, request.path_params["game_id"], fields)


async def _people(state: AppState, request: Request) -> object:
    """List the accounts to play as and to challenge. Only clients on loopback see tokens."""
    at_home = request.client is not None and _is_loopback(request.client.host)
    people, opponents = [], []
    for account in state.world.registry.all():
        facts: dict[str, object] = {"name": account.name, "id": account.id, "title": account.title}
        facts |= {"online": account.online, "rating": account.rating, "about": account.about}
        facts |= {"variants": account.variants or None, "levels": account.levels}
        if account.is_bot or account.played_by_server:
            facts["kind"] = "bot" if account.is_bot else "server"
        if at_home and not account.played_by_server:
            facts["token"] = state.world.registry.token_of(account.name)
        if "kind" in facts:
            opponents.append(facts)
        elif not account.anonymous:
            people.append(facts)
    variants = [{"key": variant.key, "name": variant.name} for variant in VARIANTS.values()]
    return {"people": people, "opponents": opponents, "variants": variants, "engine": state.analyst.available}


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
