"""The routes of finished games: the list, each game, its PGN, pictures of positions."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import Response

from bot.archive.game_record import GameRecord
from bot.archive.played_game import read_played
from bot.dashboard.charts import board_svg
from bot.dashboard.game_page import game_page, missing_page
from bot.dashboard.layout import HEADERS, HTML, respond
from bot.dashboard.lists import UNREADABLE, games_page
from bot.dashboard.picture import Observer
from bot.errors import StoreError

_GAME_ID = re.compile(r"[A-Za-z0-9]{1,16}")
_LONGEST_PLACEMENT = 200


class FinishedGamePages:
    """The handlers; Starlette runs them in threads of its own."""

    def __init__(self, observer: Observer) -> None:
        """Answer from what the observer reads."""
        self._observer = observer

    def games(self, request: Request) -> Response:
        """The list."""
        return respond(games_page(self._observer.played(), _number(request, "page") or 1), HTML)

    def game(self, request: Request) -> Response:
        """One game, at the position that `ply` names."""
        game_id = request.path_params["game_id"]
        try:
            found = self._find(game_id)
        except StoreError:
            return respond(missing_page(game_id, UNREADABLE), HTML, 503)
        if found is None:
            return respond(missing_page(game_id, "No such game is kept; it may still be running."), HTML, 404)
        page = game_page(read_played(found), self._observer.server_url, _number(request, "ply"))
        return respond(page, HTML)

    def pgn(self, request: Request) -> Response:
        """One game as a file."""
        game_id = request.path_params["game_id"]
        try:
            found = self._find(game_id)
        except StoreError:
            return respond(UNREADABLE, "text/plain", 503)
        if found is None or not found.pgn:
            return respond("no such game is kept", "text/plain", 404)
        disposition = {"Content-Disposition": f'attachment; filename="{found.game_id}.pgn"'}
        return Response(found.pgn.strip() + "\n", 200, HEADERS | disposition, "application/x-chess-pgn")

    def position(self, request: Request) -> Response:
        """The picture of any position: `fen` (the pieces alone), `last` (a move in UCI), `side`."""
        query = request.query_params
        fen, last = query.get("fen", "")[:_LONGEST_PLACEMENT], query.get("last", "")
        try:
            picture = board_svg(fen, last, query.get("side") != "black")
        except (ValueError, IndexError):
            return respond("this is not a position", "text/plain", 400)
        return respond(picture, "image/svg+xml", cache="max-age=86400")

    def _find(self, game_id: str) -> GameRecord | None:
        """A game by its id; raises StoreError."""
        return self._observer.game(game_id) if _GAME_ID.fullmatch(game_id) else None


def _number(request: Request, name: str) -> int | None:
    """A number of the query; None for none, or for what is none."""
    text = request.query_params.get(name, "")
    return int(text) if re.fullmatch(r"[0-9]{1,5}", text) else None
