"""The routes: the page and its parts, the state as JSON, health and metrics."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from bot.board import board_routes, icon
from bot.dashboard.finished_games import FinishedGamePages
from bot.dashboard.games import score_json
from bot.dashboard.layout import HEADERS, HTML, message_page, respond
from bot.dashboard.metrics import CONTENT_TYPE, Meters, exposition
from bot.dashboard.operator_pages import OperatorPages
from bot.dashboard.overview import render
from bot.dashboard.picture import Observer, Picture

STATIC = Path(__file__).with_name("static")
MEDIA_TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
FILES = {path.name: MEDIA_TYPES[path.suffix] for path in STATIC.iterdir() if path.suffix in MEDIA_TYPES}
CHANGES_EVERY_S = 1.0
SIGN_OF_LIFE_EVERY = 15  # looks without a change between two comments on the event stream


def build_app(observer: Observer, meters: Meters, stopping: Callable[[], bool], operator: OperatorPages) -> Starlette:
    """Build the application. Starlette runs plain functions on worker threads, so a slow store blocks only one request.

    `stopping()`: whether the server is stopping, so that event streams end.
    """
    pages, finished = Pages(observer, meters, stopping, operator), FinishedGamePages(observer)
    return Starlette(
        routes=[
            Route("/", pages.page),
            Route("/login", operator.sign_in_form),
            Route("/login", operator.sign_in, methods=["POST"]),
            Route("/logout", operator.sign_out, methods=["POST"]),
            Route("/command", operator.command, methods=["POST"]),
            Route("/games", finished.games),
            Route("/game/{game_id:str}.pgn", finished.pgn),
            Route("/game/{game_id}", finished.game),
            Route("/state", pages.state),
            Route("/healthz", pages.health),
            Route("/readyz", pages.ready),
            Route("/metrics", pages.metrics),
            Route("/events", pages.events),
            *board_routes(HEADERS),
            Route("/icon.svg", pages.icon),
            Route("/static/{name}", pages.file),
        ],
        exception_handlers={404: not_found},
    )


def not_found(request: Request, _error: Exception) -> Response:
    """Answer a request for an unknown address."""
    return respond(message_page("Not found", f"There is no page {request.url.path}."), HTML, 404)


class Pages:
    """The handlers."""

    def __init__(
        self, observer: Observer, meters: Meters, stopping: Callable[[], bool], operator: OperatorPages
    ) -> None:
        """Answer requests from the observer's pictures."""
        self._observer, self._meters, self._stopping, self._operator = observer, meters, stopping, operator

    def page(self, request: Request) -> Response:
        """Return the page."""
        return respond(render(self._observer.look(), signed_in=self._operator.is_signed_in(request)), HTML)

    def state(self, _request: Request) -> Response:
        """Return everything that the page shows, as JSON."""
        picture = self._observer.look()
        words = {"results": picture.results_by_word, "well": picture.health.well}
        text = json.dumps(dataclasses.asdict(picture) | words, default=score_json)
        return Response(text, headers=HEADERS, media_type="application/json")

    def health(self, _request: Request) -> Response:
        """Return whether the bot is well: status 200 or 503."""
        picture = self._observer.look()
        return JSONResponse(health_json(picture), 200 if picture.health.well else 503, HEADERS)

    def ready(self, _request: Request) -> Response:
        """Whether the bot accepts new games: status 200 or 503."""
        health = self._observer.look().health
        body = {"ready": health.ready, "reasons": list(health.reasons)}
        return JSONResponse(body, 200 if health.ready else 503, HEADERS)

    def metrics(self, _request: Request) -> Response:
        """Return the metrics for Prometheus."""
        return respond(exposition(self._meters, self._observer.look()), CONTENT_TYPE)

    def icon(self, _request: Request) -> Response:
        """Return the icon of the page."""
        return respond(icon(), "image/svg+xml")

    def file(self, request: Request) -> Response:
        """Return a style sheet or a script."""
        name = request.path_params["name"]
        if name not in FILES:
            return respond("no such file", "text/plain", 404)
        return respond((STATIC / name).read_bytes(), FILES[name])

    async def events(self, _request: Request) -> Response:
        """Return server-sent events: `change` when the page has something new to show."""
        return StreamingResponse(self._changes(), media_type="text/event-stream", headers=HEADERS)

    async def _changes(self) -> AsyncIterator[str]:
        shown: int | None = None
        quiet = 0
        while not self._stopping():
            version = (await asyncio.to_thread(self._observer.look)).version
            quiet = 0 if version != shown else quiet + 1
            if version != shown:
                shown = version
                yield "event: change\ndata:\n\n"
            elif quiet % SIGN_OF_LIFE_EVERY == 0:
                yield ": still here\n\n"
            for _ in range(10):  # in short steps, so that open pages do not delay the end of the bot
                if not self._stopping():
                    await asyncio.sleep(CHANGES_EVERY_S / 10)


def health_json(picture: Picture) -> dict[str, object]:
    """Return the content of `/healthz`."""
    error = picture.last_error
    return {
        "well": picture.health.well,
        "reasons": list(picture.health.reasons),
        "event_stream_age_s": None if picture.stream_age_s is None else round(picture.stream_age_s, 1),
        "engine_processes": sum(len(entry.pids) for entry in picture.engines),
        "games": len(picture.games),
        "last_error": None if error is None else dataclasses.asdict(error),
    }
