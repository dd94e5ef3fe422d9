"""Opening explorer, cloud evaluation and tablebase with configured answers; arenas and the inbox, which are empty."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import chess

from bot.fake_lichess import errors
from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.http.endpoint import Site, Spec
from bot.fake_lichess.http.request import Call
from bot.fake_lichess.wire.answer import Answer
from bot.fake_lichess.world.json_objects import Json
from bot.fake_lichess.world.variants import VARIANTS

MAX_TABLEBASE_PIECES = 7
NO_CLOUD = "No cloud evaluation available for that position"


def _board(call: Call, variant: str = "standard") -> chess.Board:
    """The position asked for: `fen`, then the moves of `play`; raises ApiError 400."""
    board_class = VARIANTS[variant].board_class if variant in VARIANTS else chess.Board
    try:
        board = board_class(call.query["fen"].replace("_", " ")) if call.query.get("fen") else board_class()
        for uci in filter(None, call.query.get("play", "").split(",")):
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
    nothing: Json = {"white": 0, "draws": 0, "black": 0, "moves": [], "topGames": [], "opening": None}
    nothing |= {"recentGames": []} if history else {}
    return Answer(_lookup(table, board) or nothing)


def get_masters(site: Site, call: Call) -> Answer:
    """The masters' explorer."""
    return _explorer(site.world.config.stubs.masters, _board(call), history=False)


def get_lichess(site: Site, call: Call) -> Answer:
    """The players' explorer."""
    board = _board(call, call.query.get("variant", "standard"))
    return _explorer(site.world.config.stubs.lichess, board, history=True)


def get_cloud(site: Site, call: Call) -> Answer:
    """The cloud evaluation, 404 where there is none."""
    found = _lookup(site.world.config.stubs.cloud, _board(call, call.query.get("variant", "standard")))
    if found is None:
        raise ApiError(404, NO_CLOUD)
    return Answer(found)


def get_tablebase(site: Site, call: Call) -> Answer:
    """The tablebase: what is configured, else `unknown` with the legal moves."""
    board = _board(call)
    if not call.query.get("fen"):
        raise ApiError(400, "Missing fen")
    found = _lookup(site.world.config.stubs.tablebase, board)
    if found is not None:
        return Answer(found)
    if chess.popcount(board.occupied) > MAX_TABLEBASE_PIECES:
        raise ApiError(404, "Too many pieces")
    moves = [{"uci": move.uci(), "san": board.san(move), "category": "unknown"} for move in board.legal_moves]
    state = {"checkmate": board.is_checkmate(), "stalemate": board.is_stalemate(), "dtz": None, "dtm": None}
    return Answer({"category": "unknown", **state, "moves": moves})


def post_no_tournament(_site: Site, _call: Call) -> Answer:
    """There are no arenas here."""
    raise ApiError(404, errors.NOT_FOUND)


def post_inbox(site: Site, call: Call) -> Answer:
    """A private message: taken and forgotten."""
    site.world.account(call.params["username"])
    if not call.text("text"):
        raise errors.FormError({"text": ["This field is required"]})
    return Answer()


STUB_SPECS = [
    Spec("explorer_masters", "GET", "/masters", get_masters, None),
    Spec("explorer_lichess", "GET", "/lichess", get_lichess, None),
    Spec("cloud_eval", "GET", "/api/cloud-eval", get_cloud, None),
    Spec("tablebase", "GET", "/standard", get_tablebase, None),
    Spec("arena_join", "POST", "/api/tournament/{id}/join", post_no_tournament, ("tournament:write",)),
    Spec("arena_withdraw", "POST", "/api/tournament/{id}/withdraw", post_no_tournament, ("tournament:write",)),
    Spec("inbox", "POST", "/inbox/{username}", post_inbox, ("msg:write",)),
]
