"""What the tablebase server answers, and what is made of it."""

from __future__ import annotations

import chess
import pytest

from bot.move_sources.online import OnlineTablebaseSource
from bot.move_sources.request import Choice, MoveRequest
from bot.settings import Facts, OnlineTablebaseSettings
from tests.bot.move_sources.test_online import START, Service


@pytest.mark.parametrize(
    ("category", "wdl"),
    [
        *[("win", 2), ("syzygy-win", 2), ("cursed-win", 1), ("maybe-win", 1), ("draw", 0)],
        *[("blessed-loss", -1), ("maybe-loss", -1), ("syzygy-loss", -2), ("loss", -2)],
    ],
)
def test_tablebase_takes_the_first_move_and_the_category(category: str, wdl: int) -> None:
    board = chess.Board("8/6k1/8/8/8/8/1R6/K7 w - - 0 1")
    service = Service({"category": category, "moves": [{"uci": "b2b6"}, {"uci": "a1a2"}]})
    choice = OnlineTablebaseSource(OnlineTablebaseSettings(), service).choose(MoveRequest(board), 1.0)
    assert choice == Choice(chess.Move.from_uci("b2b6"), "online_tablebase", wdl)


def test_tablebase_without_a_move_is_no_answer() -> None:
    service = Service({"category": "loss", "moves": []})
    assert OnlineTablebaseSource(OnlineTablebaseSettings(), service).choose(START, 1.0) is None


@pytest.mark.parametrize(
    ("variant", "tables"), [("standard", "standard"), ("fromPosition", "standard"), ("chess960", "standard"),
                            ("atomic", "atomic"), ("antichess", "antichess"), ("horde", "")],
)  # fmt: skip
def test_tablebase_has_tables_of_some_variants(variant: str, tables: str) -> None:
    service = Service({"category": "draw", "moves": [{"uci": "b2b6"}]})
    source = OnlineTablebaseSource(OnlineTablebaseSettings(url="https://tables"), service)
    request = MoveRequest(chess.Board("8/6k1/8/8/8/8/1R6/K7 w - - 0 1"), Facts(variant))
    assert source.applies(request) is bool(tables)
    source.choose(request, 1.0)
    assert not tables or service.asked[0][0] == f"https://tables/{tables}"


@pytest.mark.parametrize(
    ("fen", "applies"),
    [
        ("4k3/pppp4/8/8/8/8/8/R3K3 w - - 0 1", True),
        ("4k3/ppppp3/8/8/8/8/8/R3K3 w - - 0 1", False),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", False),
    ],
)
def test_tablebase_is_asked_about_few_pieces_without_castling(fen: str, applies: bool) -> None:
    source = OnlineTablebaseSource(OnlineTablebaseSettings(max_pieces=7), Service({}))
    assert source.applies(MoveRequest(chess.Board(fen))) is applies


def test_tablebase_of_unknown_value_is_no_answer() -> None:
    board = chess.Board("8/6k1/8/8/8/8/1R6/K7 w - - 0 1")
    service = Service({"category": "unknown", "moves": [{"uci": "b2b6"}]})
    assert OnlineTablebaseSource(OnlineTablebaseSettings(), service).choose(MoveRequest(board), 1.0) is None
