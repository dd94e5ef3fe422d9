"""Opening explorer, cloud evaluation and tablebase with configured answers; and an inbox that drops its mail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import chess

from bot.fake_lichess import errors
from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.http.endpoint import AppState, Spec
from bot.fake_lichess.http.request import Request
from bot.fake_lichess.wire.answer import Answer
from bot.fake_lichess.world.json_objects import Json
from bot.fake_lichess.world.variants import VARIANTS
from bot.openings import opening_of_board

MAX_TABLEBASE_PIECES = 7
NO_CLOUD = "No cloud evaluation available for that position"


def _board(request: Request, variant: str = "standard") -> chess.Board:
    """The position asked for: `fen`, then the moves of `play`; raises ApiError 400."""
    board_class = VARIANTS[variant].board_class if variant in VARIANTS else chess.Board
    try:
        board = board_class(request.query["fen"].replace("_", " ")) if request.query.get("fen") else board_class()
        for uci in filter(None, request.query.get("play", "").split(",")):
            board.push_uci(uci)
    except ValueError as error:
        raise ApiError(400, f"Invalid position: {str(error)[:100]}") from error
    return board


def _lookup(table: Mapping[str, dict[str, Any]], board: chess.Board) -> dict[str, Any] | None:
    """What is configured for the position: by the first four fields of its FEN, with or without en passant."""
    fields = board.fen(en_passant="fen").split()[:4]
    for key in (" ".join(fields), " ".join([*fields[:3], "-"])):
        if key in table:
            return table[key]
    return None


def _explorer(table: Mapping[str, dict[str, Any]], board: chess.Board, *, history: bool) -> Answer:
    opening = opening_of_board(board)
    named: Json | None = None if opening is None else {"eco": opening.eco, "name": opening.name}
    nothing: Json = {"white": 0, "draws": 0, "black": 0, "moves": [], "topGames": [], "opening": named}
    nothing |= {"recentGames": []} if history else {}
    return Answer(_lookup(table, board) or nothing)


def get_masters(state: AppState, request: Request) -> Answer:
    """The masters' explorer."""
    return _explorer(state.world.config.stubs.masters, _board(request), history=False)


def get_lichess(state: AppState, request: Request) -> Answer:
    """The players' explorer."""
    board = _board(request, request.query.get("variant", "standard"))
    return _explorer(state.world.config.stubs.lichess, board, history=True)


def get_cloud(state: AppState, request: Request) -> Answer:
    """The cloud evaluation, 404 where there is none."""
    found = _lookup(state.world.config.stubs.cloud, _board(request, request.query.get("variant", "standard")))
    if found is None:
        raise ApiError(404, NO_CLOUD)
    return Answer(found)


def get_tablebase(state: AppState, request: Request) -> Answer:
    """The tablebase: what is configured, else `unknown` with the legal moves."""
    board = _board(request)
    if not request.query.get("fen"):
        raise ApiError(400, "Missing fen")
    found = _lookup(state.world.config.stubs.tablebase, board)
    if found is not None:
        return Answer(found)
    if chess.popcount(board.occupied) > MAX_TABLEBASE_PIECES:
        raise ApiError(404, "Too many pieces")
    moves = [{"uci": move.uci(), "san": board.san(move), "category": "unknown"} for move in board.legal_moves]
    outcome = {"checkmate": board.is_checkmate(), "stalemate": board.is_stalemate(), "dtz": None, "dtm": None}
    return Answer({"category": "unknown", **outcome, "moves": moves})


def post_inbox(state: AppState, request: Request) -> Answer:
    """Accept a private message and drop it."""
    state.world.account(request.params["username"])
    if not request.text("text"):
        raise errors.FormError({"text": ["This field is required"]})
    return Answer()


STUB_SPECS = [
    Spec("explorer_masters", "GET", "/masters", get_masters, None),
    Spec("explorer_lichess", "GET", "/lichess", get_lichess, None),
    Spec("cloud_eval", "GET", "/api/cloud-eval", get_cloud, None),
    Spec("tablebase", "GET", "/standard", get_tablebase, None),
    Spec("inbox", "POST", "/inbox/{username}", post_inbox, ("msg:write",)),
]
