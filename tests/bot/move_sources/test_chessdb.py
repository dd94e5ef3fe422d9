"""What chessdb.cn answers, and what is made of it."""

from __future__ import annotations

from typing import Any

import chess
import pytest

from bot.move_sources.chessdb import ChessdbSource
from bot.move_sources.request import Choice, MoveRequest
from bot.settings import ChessdbSettings, Facts

START = MoveRequest(chess.Board())
KNOWN = {"status": "ok", "score": 20, "depth": 40, "pv": ["e2e4", "e7e5"], "pvSAN": ["e4", "e5"]}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (KNOWN, Choice(chess.Move.from_uci("e2e4"), "chessdb")),
        (KNOWN | {"depth": 20}, Choice(chess.Move.from_uci("e2e4"), "chessdb")),
        (KNOWN | {"depth": 19}, None),
        (KNOWN | {"pv": []}, None),
        ({"status": "unknown"}, None),
    ],
)
def test_a_move_that_is_known_deeply_enough(answer: dict[str, Any], expected: Choice | None) -> None:
    asked: list[tuple[str, dict[str, str]]] = []

    def fetch(url: str, params: dict[str, str], *, timeout_s: float) -> Any:
        assert timeout_s == 0.7
        asked.append((url, params))
        return answer

    assert ChessdbSource(ChessdbSettings(), fetch).choose(START, 0.7) == expected
    assert asked == [
        ("https://www.chessdb.cn/cdb.php", {"action": "querypv", "board": chess.STARTING_FEN, "json": "1"})
    ]


@pytest.mark.parametrize(
    ("variant", "ply", "applies"), [("standard", 0, True), ("atomic", 0, False), ("standard", 31, False)]
)
def test_where_it_applies(variant: str, ply: int, applies: bool) -> None:
    board = chess.Board()
    for uci in ["g1f3", "g8f6", "f3g1", "f6g8"] * 8:
        if board.ply() < ply:
            board.push_uci(uci)
    source = ChessdbSource(ChessdbSettings(max_ply=30), lambda _url, _params, *, timeout_s: KNOWN)  # noqa: ARG005 -- as asked
    assert source.applies(MoveRequest(board, Facts(variant))) is applies
    source.close()
