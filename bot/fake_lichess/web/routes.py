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

from ..errors import ApiError
from ..http.endpoint import AppState
from ..opponents.analyst import AnalystError
from ..world.accounts import Account
from ..world.variants import VARIANTS
from . import drawing
from .evaluation import ForbiddenError, evaluate
from .fen_check import fen_fault
from .games import finished_games, game_facts, running_games, say_to_spectators, spectators_lines
from .position import describe

STATIC = Path(__file__).with_name("static")
MEDIA = {".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
#: Handlers that look at the world are coroutines: starlette runs plain functions in other threads.
OnLoop = Callable[[Request], Awaitable[Response]]
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
Answering = Callable[[Request], Awaitable[object]]
MAX_BODY = 64 * 1024
FRESH = {"Cache-Control": "no-store"}


class GameIdConvertor(StringConvertor):
    """A game's id, or a player's own id of it; anything else is left to the API's own 404."""

    regex = "[A-Za-z0-9]{8}(?:[A-Za-z0-9]{4})?"


register_url_convertor("game_id", GameIdConvertor())


def page_routes(state: AppState) -> list[Route]:
    """Everything the browser asks for beside the API; to be placed after the API's own routes."""
    return [
        Route("/", _page("lobby.html")),
        Route("/favicon.ico", _icon),
        Route("/web/people", _people(state)),
        *json_routes(state),
        Route("/web/board/{name}.svg", _empty_board),
        Route("/web/small-board.svg", _small_board),
        Route("/web/piece/{set}/{name}.svg", _piece),
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
    def serve(_request: Request) -> Response:
        return _read(name)

    return serve


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
    return _text(drawing.icon(), MEDIA[".svg"], cache="max-age=86400")


def _empty_board(request: Request) -> Response:
    return _picture(drawing.empty_board(request.path_params["name"]))


def _piece(request: Request) -> Response:
    return _picture(drawing.piece(request.path_params["name"], request.path_params["set"]))


def _picture(drawn: str | None) -> Response:
    return _missing() if drawn is None else _text(drawn, MEDIA[".svg"], cache="max-age=86400")


def _small_board(request: Request) -> Response:
    query = request.query_params
    try:
        picture = drawing.small_board(query.get("fen", "")[:120], query.get("last", "")[:5], "flipped" in query)
    except ValueError:
        return JSONResponse({"error": "unreadable FEN"}, 400)
    return _text(picture, MEDIA[".svg"])


def _people(state: AppState) -> OnLoop:
    """The accounts to play as and to challenge; tokens go to clients on loopback only."""

    async def serve(request: Request) -> Response:
        at_home = request.client is not None and _is_loopback(request.client.host)
        people, opponents = [], []
        for account in state.world.registry.all():
            facts: dict[str, object] = {
                "name": account.name,
                "id": account.id,
                "title": account.title,
                "online": account.online,
            }
            if account.is_bot or account.played_by_server:
                facts["kind"] = "bot" if account.is_bot else "server"
            if at_home and not account.played_by_server:
                facts["token"] = state.world.registry.token_of(account.name)
            if "kind" in facts:
                opponents.append(facts)
            elif not account.anonymous:
                people.append(facts)
        variants = [{"key": variant.key, "name": variant.name} for variant in VARIANTS.values()]
        return JSONResponse(
            {"people": people, "opponents": opponents, "variants": variants, "engine": state.analyst.available},
            headers={"Cache-Control": "no-store"},
        )

    return serve


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def json_routes(state: AppState) -> list[Route]:
    """The routes under /web that answer JSON."""
    return [
        Route("/web/position", _answering(_position), methods=["POST"]),
        Route("/web/fen", _answering(_fen), methods=["POST"]),
        Route("/web/evaluation", _answering(_evaluation(state)), methods=["POST"]),
        Route("/web/facts/{game_id}", _answering(_game(state))),
        Route("/web/finished", _answering(_finished(state))),
        Route("/web/running", _answering(_running(state))),
        Route("/web/spectators/{game_id}", _answering(_read_room(state))),
        Route("/web/spectators/{game_id}", _answering(_say(state)), methods=["POST"]),
    ]


def _answering(answer: Answering) -> OnLoop:
    """A handler that answers in JSON, what it raises too."""

    async def serve(request: Request) -> Response:
        try:
            return JSONResponse(await answer(request), headers=FRESH)
        except ApiError as refused:
            return JSONResponse(refused.body(), refused.status)
        except ForbiddenError as error:
            return JSONResponse({"error": str(error)}, 403)
        except AnalystError as error:
            return JSONResponse({"error": str(error)}, 503)
        except (ValueError, RecursionError) as error:
            return JSONResponse({"error": str(error)[:300]}, 400)

    return serve


async def read_fields(request: Request) -> dict[str, object]:
    """The JSON object of the body; raises ValueError."""
    body = await request.body()
    fields = json.loads(body) if len(body) <= MAX_BODY else None
    if not isinstance(fields, dict):
        raise ValueError("a JSON object of at most 64 KiB is wanted")
    return fields


def account_of(state: AppState, request: Request) -> Account | None:
    """Who asks; None without a token. Raises ApiError 401 for an unknown token."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    return state.world.registry.authenticate(token.strip())[0]


async def _position(request: Request) -> object:
    return describe(await read_fields(request))


async def _fen(request: Request) -> object:
    fields = await read_fields(request)
    return {"fault": fen_fault(str(fields.get("variant") or "fromPosition"), str(fields.get("fen") or ""))}


def _evaluation(state: AppState) -> Answering:
    async def answer(request: Request) -> object:
        account = account_of(state, request)
        return await evaluate(state.world, state.analyst, account, await read_fields(request))

    return answer


def _game(state: AppState) -> Answering:
    async def answer(request: Request) -> object:
        return game_facts(state.world, request.path_params["game_id"])

    return answer


def _finished(state: AppState) -> Answering:
    async def answer(request: Request) -> object:
        return finished_games(state.world, request.query_params)

    return answer


def _running(state: AppState) -> Answering:
    async def answer(_request: Request) -> object:
        return running_games(state.world)

    return answer


def _read_room(state: AppState) -> Answering:
    async def answer(request: Request) -> object:
        return spectators_lines(state.world, account_of(state, request), request.path_params["game_id"])

    return answer


def _say(state: AppState) -> Answering:
    async def answer(request: Request) -> object:
        fields, account = await read_fields(request), account_of(state, request)
        return say_to_spectators(state.world, account, request.path_params["game_id"], fields)

    return answer
