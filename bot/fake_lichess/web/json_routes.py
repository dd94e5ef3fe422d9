"""What the page asks of the server as JSON, beside Lichess's API: positions, games, evaluations."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.http.endpoint import AppState
from bot.fake_lichess.opponents.analyst import AnalystError
from bot.fake_lichess.web.evaluation import ForbiddenError, evaluate
from bot.fake_lichess.web.facts import game_facts
from bot.fake_lichess.web.fen_check import fen_fault
from bot.fake_lichess.web.finished import finished_games, running_games
from bot.fake_lichess.web.position import describe
from bot.fake_lichess.web.spectators import say_to_spectators, spectators_lines
from bot.fake_lichess.world.accounts import Account

#: Handlers that look at the world are coroutines: starlette runs plain functions in other threads.
OnLoop = Callable[[Request], Awaitable[Response]]
Answering = Callable[[Request], Awaitable[object]]
MAX_BODY = 64 * 1024
FRESH = {"Cache-Control": "no-store"}


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
