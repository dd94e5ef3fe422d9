"""Opening explorer and cloud evaluation: what is configured, a book of one's own, and the games played here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import chess

from bot.fake_lichess import errors
from bot.fake_lichess.errors import ApiError, FormError
from bot.fake_lichess.http.endpoint import AppState, Spec
from bot.fake_lichess.http.export_query import NDJSON, number
from bot.fake_lichess.http.reference.asked_position import asked_board, configured
from bot.fake_lichess.http.request import Request
from bot.fake_lichess.wire import encoding
from bot.fake_lichess.wire.answer import Answer
from bot.fake_lichess.world.json_objects import Json
from bot.fake_lichess.world.variants import COLORS
from bot.openings import opening_of_board

MAX_MOVES, BOOK_RATING = 12, 2400
NO_CLOUD = "No cloud evaluation available for that position"


@dataclass
class Score:
    """How games went: White's wins, draws, Black's wins, and the opponents' ratings added up."""

    white: int = 0
    draws: int = 0
    black: int = 0
    ratings: int = 0

    @property
    def games(self) -> int:
        """All of them."""
        return self.white + self.draws + self.black

    def add(self, winner: chess.Color | None, rating: int) -> None:
        """Count a game."""
        self.white += winner == chess.WHITE
        self.draws += winner is None
        self.black += winner == chess.BLACK
        self.ratings += rating

    def fields(self) -> Json:
        """The numbers as the explorer writes them."""
        return {"white": self.white, "draws": self.draws, "black": self.black}


def _named(board: chess.Board) -> Json | None:
    opening = opening_of_board(board)
    return None if opening is None else {"eco": opening.eco, "name": opening.name}


def _explorer(state: AppState, request: Request, table: Mapping[str, dict[str, Any]], *, history: bool) -> Answer:
    board = asked_board(request, request.query.get("variant", "standard") if history else "standard")
    found = configured(table, board)
    if found is not None:
        return Answer(found)
    moves = state.reference.book_moves(board)[: number(request, "moves", MAX_MOVES)]
    listed = [
        {
            "uci": board.uci(move),
            "san": board.san(move),
            "averageRating": BOOK_RATING,
            **_thirds(weight).fields(),
            "game": None,
            "opening": None,
        }
        for move, weight in moves
    ]
    total = Score(*(sum(getattr(_thirds(weight), name) for _, weight in moves) for name in ("white", "draws", "black")))
    body: Json = {**total.fields(), "moves": listed, "topGames": [], "opening": _named(board)}
    return Answer(body | ({"recentGames": []} if history else {}))


def _thirds(weight: int) -> Score:
    """A book knows how often a move is played, not how it went: a third each, what is left are draws."""
    return Score(weight // 3, weight - 2 * (weight // 3), weight // 3)


def get_masters(state: AppState, request: Request) -> Answer:
    """The masters' explorer."""
    return _explorer(state, request, state.world.config.stubs.masters, history=False)


def get_lichess(state: AppState, request: Request) -> Answer:
    """The players' explorer."""
    return _explorer(state, request, state.world.config.stubs.lichess, history=True)


def get_player(state: AppState, request: Request) -> Answer:
    """The explorer of one player's games: those that were played here and are remembered."""
    account, color = state.world.account(request.query.get("player", "")), COLORS.get(request.query.get("color", ""))
    if color is None:
        raise FormError({"color": [errors.INVALID_VALUE]})
    variant = request.query.get("variant", "standard")
    board, total, by_move = asked_board(request, variant), Score(), dict[str, Score]()
    for game in state.world.games.values():
        wanted = not game.playable and game.spec.variant.key == variant and game.players[color].account is account
        following = move_after(game.moves, game.first_board, board) if wanted else None
        if following is not None:
            for score in (total, by_move.setdefault(following, Score())):
                score.add(game.winner, game.players[not color].rating)
    moves = [_player_move(board, uci, score, color) for uci, score in by_move.items()]
    moves.sort(key=lambda move: -move[0])
    body: Json = {**total.fields(), "moves": [move for _, move in moves], "recentGames": [], "queuePosition": 0}
    return Answer(encoding.line(body | {"opening": _named(board)}), media=NDJSON)


def move_after(moves: Sequence[str], first: chess.Board, board: chess.Board) -> str | None:
    """The move that was played in a position of a game; None where the game did not reach it, or ended there.

    The game is followed no further than it can lead there: without drops no piece comes back.
    """
    at, wanted, pieces = first.copy(), board.epd(), chess.popcount(board.occupied)
    for uci in moves:
        if at.occupied == board.occupied and at.epd() == wanted:
            return uci
        if chess.popcount(at.occupied) < pieces and at.uci_variant != "crazyhouse":
            return None
        at.push(chess.Move.from_uci(uci))
    return None


def _player_move(board: chess.Board, uci: str, score: Score, color: chess.Color) -> tuple[int, Json]:
    won = score.white if color == chess.WHITE else score.black
    average = round(score.ratings / score.games)
    performance = average + round(800 * ((won + score.draws / 2) / score.games - 0.5))
    found: Json = {"uci": uci, "san": board.san(board.parse_uci(uci)), **score.fields()}
    found |= {"averageOpponentRating": average, "performance": performance, "game": None, "opening": None}
    return score.games, found


def get_cloud(state: AppState, request: Request) -> Answer:
    """The cloud evaluation, 404 where there is none."""
    board = asked_board(request, request.query.get("variant", "standard"))
    found = configured(state.world.config.stubs.cloud, board)
    if found is None:
        raise ApiError(404, NO_CLOUD)
    return Answer(found)


EXPLORER_SPECS = [
    Spec("explorer_masters", "GET", "/masters", get_masters, None),
    Spec("explorer_lichess", "GET", "/lichess", get_lichess, None),
    Spec("explorer_player", "GET", "/player", get_player, None),
    Spec("cloud_eval", "GET", "/api/cloud-eval", get_cloud, None),
]
