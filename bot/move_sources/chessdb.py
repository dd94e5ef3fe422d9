"""The opening and endgame knowledge of chessdb.cn."""

from __future__ import annotations

from bot.move_sources.online import CHESS, OpeningSource
from bot.move_sources.request import Choice, MoveRequest
from bot.settings import ChessdbSettings


class ChessdbSource(OpeningSource[ChessdbSettings]):
    """The first move of the expected moves that the database keeps for a position."""

    name = "chessdb"

    def applies(self, request: MoveRequest) -> bool:
        """Whether it is chess, and early enough in the game."""
        return request.variant in CHESS and self.is_early(request)

    def choose(self, request: MoveRequest, timeout_s: float) -> Choice | None:
        """Return the move if it is known deeply enough."""
        params = {"action": "querypv", "board": request.board.fen(), "json": "1"}
        answer = self._fetch(self._settings.url, params, timeout_s=timeout_s)
        if answer["status"] != "ok" or not answer["pv"] or int(answer["depth"]) < self._settings.min_depth:
            return None
        return self.choice(request, str(answer["pv"][0]))
