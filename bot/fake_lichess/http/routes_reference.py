"""Opening explorer, cloud evaluation and tablebase: configured answers, local files, and the games played here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import chess

from .. import errors
from ..errors import ApiError, FormError
from ..openings import opening_of_board
from ..opponents.reference import CATEGORIES, Reference
from ..wire.responses import Response, lines_response
from ..world.json_objects import Json
from ..world.variants import COLORS, VARIANTS
from .endpoint import AppState, Spec
from .export import number
from .request import Request
from .routes_users import get_top_tens

MAX_MOVES, BOOK_RATING = 12, 2400
NO_CLOUD = "No cloud evaluation available for that position"
MAX_TABLEBASE_PIECES = 7
UNKNOWN = "unknown"


def asked_board(request: Request, variant: str = "standard") -> chess.Board:
    """Return the position asked for: `fen`, then the moves of `play`; raises ApiError 400."""
    board_class = VARIANTS[variant].board_class if variant in VARIANTS else chess.Board
    try:
        board = board_class(request.query["fen"].replace("_", " ")) if request.query.get("fen") else board_class()
        for uci in filter(None, request.query.get("play", "").split(",")):
            board.push_uci(uci)
    except ValueError as error:
        raise ApiError(400, f"Invalid position: {str(error)[:100]}") from error
    return board


def configured(table: Mapping[str, dict[str, Any]], board: chess.Board) -> dict[str, Any] | None:
    """Return the configured answer for a position, by the first four fields of its FEN with or without en passant."""
    fields = board.fen(en_passant="fen").split()[:4]
    for key in (" ".join(fields), " ".join([*fields[:3], "-"])):
        if key in table:
            return table[key]
    return None


@dataclass
class Score:
    """Results of games: White's wins, draws, Black's wins, and the sum of the opponents' ratings."""

    white: int = 0
    draws: int = 0
    black: int = 0
    ratings: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.white + self.draws + self.black

    def add(self, winner: chess.Color | None, rating: int) -> None:
        """Count a game."""
        self.white += winner == chess.WHITE
        self.draws += winner is None
        self.black += winner == chess.BLACK
        self.ratings += rating

    def fields(self) -> Json:
        """Return the numbers as the explorer writes them."""
        return {"white": self.white, "draws": self.draws, "black": self.black}


def _named(board: chess.Board) -> Json | None:
    opening = opening_of_board(board)
    return None if opening is None else {"eco": opening.eco, "name": opening.name}


def _explorer(state: AppState, request: Request, table: Mapping[str, dict[str, Any]], *, history: bool) -> Response:
    board = asked_board(request, request.query.get("variant", "standard") if history else "standard")
    found = configured(table, board)
    if found is not None:
        return Response(found)
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
    return Response(body | ({"recentGames": []} if history else {}))


def _thirds(weight: int) -> Score:
    """Return counts without results: a third for each side, the rest as draws."""
    return Score(weight // 3, weight - 2 * (weight // 3), weight // 3)


def get_masters(state: AppState, request: Request) -> Response:
    """Return the masters' explorer."""
    return _explorer(state, request, state.world.config.stubs.masters, history=False)


def get_lichess(state: AppState, request: Request) -> Response:
    """Return the players' explorer."""
    return _explorer(state, request, state.world.config.stubs.lichess, history=True)


def get_player(state: AppState, request: Request) -> Response:
    """Return the explorer of one player's games, from those that the server remembers.

    Without `player` this is an old address of the leaderboards, which have another host name than the explorer.
    """
    if "player" not in request.query:
        return get_top_tens(state, request)
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
    return lines_response([body | {"opening": _named(board)}])


def move_after(moves: Sequence[str], first: chess.Board, board: chess.Board) -> str | None:
    """Return the move that was played in a position of a game; None if the game did not reach it or ended there.

    Stops when too few pieces are left to reach the position, except in crazyhouse, where pieces return.
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


def get_cloud(state: AppState, request: Request) -> Response:
    """Return the cloud evaluation, 404 where there is none."""
    board = asked_board(request, request.query.get("variant", "standard"))
    found = configured(state.world.config.stubs.cloud, board)
    if found is None:
        raise ApiError(404, NO_CLOUD)
    return Response(found)


def get_tablebase(state: AppState, request: Request) -> Response:
    """Return the result of a position with its moves, the best first."""
    board = asked_board(request)
    if not request.query.get("fen"):
        raise ApiError(400, "Missing fen")
    found = configured(state.world.config.stubs.tablebase, board)
    if found is not None:
        return Response(found)
    if chess.popcount(board.occupied) > MAX_TABLEBASE_PIECES:
        raise ApiError(404, "Too many pieces")
    moves = [_move(state.reference, board, move) for move in board.legal_moves]
    moves.sort(key=_worth)
    return Response(_position(state.reference, board) | {"moves": moves})


def _position(reference: Reference, board: chess.Board) -> Json:
    probe = reference.probe(board)
    return {
        "category": UNKNOWN if probe is None else probe.category,
        "dtz": None if probe is None else probe.dtz,
        "precise_dtz": None,
        "dtm": None,
        "checkmate": board.is_checkmate(),
        "stalemate": board.is_stalemate(),
        "insufficient_material": board.is_insufficient_material(),
    }


def _move(reference: Reference, board: chess.Board, move: chess.Move) -> Json:
    """Return a move with the position after it, from the opponent's side."""
    found: Json = {"uci": move.uci(), "san": board.san(move), "zeroing": board.is_zeroing(move)}
    board.push(move)
    found |= _position(reference, board)
    board.pop()
    return found


def _worth(move: Json) -> tuple[int, bool, int]:
    """Return the sort key of moves: worst for the opponent first, quick wins, slow losses."""
    order = [CATEGORIES[wdl] for wdl in (-2, -1)] + [UNKNOWN] + [CATEGORIES[wdl] for wdl in (0, 1, 2)]
    dtz = move["dtz"] if isinstance(move["dtz"], int) else 0
    return (order.index(str(move["category"])), not move["checkmate"], -dtz)


REFERENCE_SPECS = [
    Spec("explorer_masters", "GET", "/masters", get_masters, None),
    Spec("explorer_lichess", "GET", "/lichess", get_lichess, None),
    Spec("explorer_player", "GET", "/player", get_player, None),
    Spec("cloud_eval", "GET", "/api/cloud-eval", get_cloud, None),
    Spec("tablebase", "GET", "/standard", get_tablebase, None),
]
