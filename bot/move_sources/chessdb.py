"""The opening and endgame knowledge of chessdb.cn."""

from __future__ import annotations

from bot.move_sources.online import CHESS, OnlineSource
from bot.move_sources.request import Choice, MoveRequest
from bot.settings import ChessdbSettings


class ChessdbSource(OnlineSource[ChessdbSettings]):
    """The first move of the expected moves that the database keeps for a position."""

    name = "chessdb"

    def applies(self, request: MoveRequest) -> bool:
        """Whether it is chess, and early enough in the game."""
        return request.variant in CHESS and request.board.ply() < self._settings.max_ply

    def choose(self, request: MoveRequest, timeout_s: float) -> Choice | None:
        """Return the move if it is known deeply enough."""
        params = {"action": "querypv", "board": request.board.fen(), "json": "1"}
        answer = self._fetch(self._settings.url, params, timeout_s=timeout_s)
        if answer["status"] != "ok" or not answer["pv"] or int(answer["depth"]) < self._settings.min_depth:
            return None
        return Choice(request.board.parse_uci(str(answer["pv"][0])), self.name)
