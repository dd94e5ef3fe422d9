"""The position that a request asks about, and what the configuration says of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import chess

from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.http.request import Request
from bot.fake_lichess.world.variants import VARIANTS


def asked_board(request: Request, variant: str = "standard") -> chess.Board:
    """The position asked for: `fen`, then the moves of `play`; raises ApiError 400."""
    board_class = VARIANTS[variant].board_class if variant in VARIANTS else chess.Board
    try:
        board = board_class(request.query["fen"].replace("_", " ")) if request.query.get("fen") else board_class()
        for uci in filter(None, request.query.get("play", "").split(",")):
            board.push_uci(uci)
    except ValueError as error:
        raise ApiError(400, f"Invalid position: {str(error)[:100]}") from error
    return board


def configured(table: Mapping[str, dict[str, Any]], board: chess.Board) -> dict[str, Any] | None:
    """What is configured for the position: by the first four fields of its FEN, with or without en passant."""
    fields = board.fen(en_passant="fen").split()[:4]
    for key in (" ".join(fields), " ".join([*fields[:3], "-"])):
        if key in table:
            return table[key]
    return None
