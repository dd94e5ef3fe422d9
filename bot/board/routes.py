"""The routes of the board's files and pictures, for any site that shows boards."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bot.board.drawing import empty_board, icon, piece

__all__ = ["STATIC", "board_routes", "icon"]
STATIC = Path(__file__).with_name("static")
MEDIA = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
FILES = {path.name: path for path in STATIC.iterdir() if path.suffix in MEDIA}
SVG = "image/svg+xml"


def board_routes(headers: Mapping[str, str]) -> list[Route]:
    """Return the routes below /board; `headers` go with each answer."""

    def answer(content: str | bytes | None, media: str, cache: str = "max-age=86400") -> Response:
        if content is None:
            return Response("no such file", 404, {**headers, "Cache-Control": "no-store"}, "text/plain")
        return Response(content, 200, {**headers, "Cache-Control": cache}, media)

    def file(request: Request) -> Response:
        path = FILES.get(request.path_params["name"])
        return answer(None, "") if path is None else answer(path.read_bytes(), MEDIA[path.suffix], "no-cache")

    return [
        Route("/board/theme/{name}.svg", lambda request: answer(empty_board(request.path_params["name"]), SVG)),
        Route(
            "/board/pieces/{set}/{name}.svg",
            lambda request: answer(piece(request.path_params["name"], request.path_params["set"]), SVG),
        ),
        Route("/board/{name}", file),
    ]
