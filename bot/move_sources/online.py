"""Sources behind a network: opening explorer, cloud evaluations, the tablebase server.

They fetch through a callable, `fetch(url, params, timeout_s=...) -> decoded JSON`, which raises LichessError. Replies
are checked: one of another shape is an error of the source, never a move.
"""

from __future__ import annotations

import math
from typing import Any, Generic, Protocol, TypeVar

import chess

from bot.move_sources.request import Choice, MoveRequest
from bot.settings import CloudSettings, ExplorerSettings, OnlineTablebaseSettings

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


class Fetch(Protocol):
    """HTTP GET of JSON, as the gateway's `fetch_json`."""

    def __call__(self, url: str, params: dict[str, str], *, timeout_s: float) -> Any:
        """The decoded answer; raises LichessError."""


S = TypeVar("S")


class OnlineSource(Generic[S]):
    """What sources behind a network share: their settings and the callable that fetches."""

    name = ""
    online = True
    limit_s = 5.0

    def __init__(self, settings: S, fetch: Fetch) -> None:
        self._settings = settings
        self._fetch = fetch

    def close(self) -> None:
        """Do nothing: the connections are the gateway's."""


class ExplorerSource(OnlineSource[ExplorerSettings]):
    """The move that scored best in many games."""

    name = "explorer"

    def applies(self, request: MoveRequest) -> bool:
        """Whether it is early in the game; the masters database has chess only."""
        known = request.variant in CHESS or self._settings.database == "lichess"
        return known and request.board.ply() < self._settings.max_ply

    def choose(self, request: MoveRequest, timeout_s: float) -> Choice | None:
        """Return the best move by the configured order, None where no move has enough games.

        `proven` is the lower confidence bound of the score: two standard errors, at most n^-1/2.
        """
        params = {"fen": request.board.fen(), "moves": "12", "topGames": "0"}
        if self._settings.database == "lichess":
            params |= {"variant": _variant(request), "recentGames": "0"}
        answer = self._fetch(f"{self._settings.url}/{self._settings.database}", params, timeout_s=timeout_s)
        best = max(answer["moves"], key=lambda entry: self._score(entry, request.board.turn), default=None)
        if best is None or self._score(best, request.board.turn) == -math.inf:
            return None
        return Choice(request.board.parse_uci(str(best["uci"])), self.name)

    def _score(self, entry: dict[str, Any], turn: chess.Color) -> float:
        white, draws, black = int(entry["white"]), int(entry["draws"]), int(entry["black"])
        games = white + draws + black
        wins = white if turn == chess.WHITE else black
        if games < self._settings.min_games or (self._settings.only_with_wins and not wins):
            return -math.inf
        if self._settings.sort == "games":
            return games
        score = (wins + draws / 2) / games
        return score if self._settings.sort == "score" else score - 1 / math.sqrt(games)


class CloudSource(OnlineSource[CloudSettings]):
    """The first move of a deep evaluation that other users have computed."""

    name = "cloud"

    def applies(self, request: MoveRequest) -> bool:
        """Whether it is early enough in the game for an evaluation to be likely."""
        return request.board.ply() < self._settings.max_ply

    def choose(self, request: MoveRequest, timeout_s: float) -> Choice | None:
        """Return the move if the evaluation is deep enough."""
        params = {"fen": request.board.fen(), "multiPv": "1", "variant": _variant(request)}
        answer = self._fetch(self._settings.url, params, timeout_s=timeout_s)
        if int(answer["depth"]) < self._settings.min_depth or not answer["pvs"]:
            return None
        if self._settings.min_knodes and int(answer["knodes"]) < self._settings.min_knodes:
            return None
        return Choice(request.board.parse_uci(str(answer["pvs"][0]["moves"]).split()[0]), self.name)


class OnlineTablebaseSource(OnlineSource[OnlineTablebaseSettings]):
    """The tablebase server; it lists the moves best first."""

    name = "online_tablebase"

    def applies(self, request: MoveRequest) -> bool:
        """Whether the variant has tables, with few enough pieces and without castling rights."""
        board = request.board
        return (
            request.variant in (*CHESS, "chess960", "atomic", "antichess")
            and not board.castling_rights
            and chess.popcount(board.occupied) <= self._settings.max_pieces
        )

    def choose(self, request: MoveRequest, timeout_s: float) -> Choice | None:
        """Return the first move of the list where the category is known."""
        tables = request.variant if request.variant in ("atomic", "antichess") else "standard"
        answer = self._fetch(f"{self._settings.url}/{tables}", {"fen": request.board.fen()}, timeout_s=timeout_s)
        wdl = _WDL.get(str(answer.get("category")))
        if wdl is None or not answer["moves"]:
            return None
        return Choice(request.board.parse_uci(str(answer["moves"][0]["uci"])), self.name, wdl)


def _variant(request: MoveRequest) -> str:
    return "standard" if request.variant == "fromPosition" else request.variant
