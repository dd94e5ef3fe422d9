"""Online sources: opening explorer, cloud evaluations, chessdb.cn and the tablebase server.

They fetch through `Server.fetch_json`, which raises LichessError. A reply of another shape raises too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import chess

from bot.move_sources.request import Choice, MoveRequest
from bot.settings import (
    ChessdbSettings,
    CloudSettings,
    ExplorerSettings,
    OnlineOpeningSettings,
    OnlineTablebaseSettings,
)

_WDL = {
    "win": 2,
    "syzygy-win": 2,
    "maybe-win": 1,
    "cursed-win": 1,
    "draw": 0,
    "blessed-loss": -1,
    "maybe-loss": -1,
    "syzygy-loss": -2,
    "loss": -2,
}
CHESS = ("standard", "fromPosition")


#: `Server.fetch_json`, or a stand-in.
Fetch = Callable[..., Any]

S = TypeVar("S")
Openings = TypeVar("Openings", bound=OnlineOpeningSettings)


class OnlineSource(Generic[S]):
    """Common parts of the online sources."""

    name = ""
    online = True
    limit_s = 5.0

    def __init__(self, settings: S, fetch: Fetch) -> None:
        self._settings = settings
        self._fetch = fetch

    def close(self) -> None:
        """Do nothing: the connections are the gateway's."""


class OpeningSource(OnlineSource[Openings]):
    """Common parts of the sources for openings."""

    def applies(self, request: MoveRequest) -> bool:
        """Return whether it is early enough in the game."""
        return request.board.ply() < self._settings.max_ply

    def choice(self, request: MoveRequest, uci: str) -> Choice:
        """Return the move as a choice."""
        return Choice(request.board.parse_uci(uci), self.name)


class ExplorerSource(OpeningSource[ExplorerSettings]):
    """The move that scored best in many games, or best against the opponent in their games."""

    name = "explorer"

    def applies(self, request: MoveRequest) -> bool:
        """Return whether it is early in the game. The masters database has standard chess only."""
        database = self._settings.database
        if database == "opponent" and not request.facts.user:
            return False
        return (request.variant in CHESS or database != "masters") and super().applies(request)

    def choose(self, request: MoveRequest, timeout_s: float) -> Choice | None:
        """Return the best move by the configured order, None if no move has enough games.

        `proven` is the lower confidence bound of the score: two standard errors, at most n^-1/2.
        """
        settings, turn = self._settings, request.board.turn
        database, params = settings.database, {"fen": request.board.fen(), "moves": "12"}
        if database != "masters":
            params |= {"variant": _variant(request), "recentGames": "0"}
        if database in ("masters", "lichess"):
            params["topGames"] = "0"
        if database in ("player", "opponent"):
            theirs = database == "opponent"
            player = request.facts.user if theirs else settings.player or request.me
            params |= {"player": player, "color": "white" if (turn == chess.WHITE) != theirs else "black"}
            database, timeout_s = "player", timeout_s / 2  # `fetch_json` may double it for answers in lines
        answer = self._fetch(f"{settings.url}/{database}", params, timeout_s=timeout_s)
        scored = [(score, entry) for entry in answer["moves"] if (score := self._score(entry, turn)) > -math.inf]
        best = max(scored, key=lambda pair: pair[0], default=None)
        return None if best is None else self.choice(request, str(best[1]["uci"]))

    def _score(self, entry: dict[str, Any], turn: chess.Color) -> float:
        white, draws, black = int(entry["white"]), int(entry["draws"]), int(entry["black"])
        games = white + draws + black
        wins = white if turn == chess.WHITE else black
        if games < self._settings.min_games:
            return -math.inf
        if self._settings.sort == "games":
            return games
        if self._settings.sort == "performance":
            return int(entry["performance"])
        score = (wins + draws / 2) / games
        return score if self._settings.sort == "score" else score - 1 / math.sqrt(games)


class CloudSource(OpeningSource[CloudSettings]):
    """The first move of a deep evaluation that other users have computed."""

    name = "cloud"

    def choose(self, request: MoveRequest, timeout_s: float) -> Choice | None:
        """Return the move if the evaluation is deep enough."""
        params = {"fen": request.board.fen(), "multiPv": "1", "variant": _variant(request)}
        answer = self._fetch(self._settings.url, params, timeout_s=timeout_s)
        if int(answer["depth"]) < self._settings.min_depth or not answer["pvs"]:
            return None
        return self.choice(request, str(answer["pvs"][0]["moves"]).split()[0])


class ChessdbSource(OpeningSource[ChessdbSettings]):
    """The first move of chessdb.cn's expected line."""

    name = "chessdb"

    def applies(self, request: MoveRequest) -> bool:
        """Return whether it is standard chess and early enough in the game."""
        return request.variant in CHESS and super().applies(request)

    def choose(self, request: MoveRequest, timeout_s: float) -> Choice | None:
        """Return the move if it was searched deep enough."""
        params = {"action": "querypv", "board": request.board.fen(), "json": "1"}
        answer = self._fetch(self._settings.url, params, timeout_s=timeout_s)
        if answer["status"] != "ok" or not answer["pv"] or int(answer["depth"]) < self._settings.min_depth:
            return None
        return self.choice(request, str(answer["pv"][0]))


class OnlineTablebaseSource(OnlineSource[OnlineTablebaseSettings]):
    """The tablebase server; it lists the moves best first."""

    name = "online_tablebase"

    def applies(self, request: MoveRequest) -> bool:
        """Return whether there are tables for the variant and the material."""
        board = request.board
        return (
            request.variant in (*CHESS, "chess960", "atomic", "antichess")
            and not board.castling_rights
            and chess.popcount(board.occupied) <= self._settings.max_pieces
        )

    def choose(self, request: MoveRequest, timeout_s: float) -> Choice | None:
        """Return the first move, None if the category is unknown."""
        tables = request.variant if request.variant in ("atomic", "antichess") else "standard"
        answer = self._fetch(f"{self._settings.url}/{tables}", {"fen": request.board.fen()}, timeout_s=timeout_s)
        wdl = _WDL.get(str(answer.get("category")))
        if wdl is None or not answer["moves"]:
            return None
        return Choice(request.board.parse_uci(str(answer["moves"][0]["uci"])), self.name, wdl)


def _variant(request: MoveRequest) -> str:
    return "standard" if request.variant == "fromPosition" else request.variant
