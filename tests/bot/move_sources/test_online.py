"""Queries to online services, and moves from their answers."""

from __future__ import annotations

from typing import Any

import chess
import pytest

from bot.errors import ConfigurationError, NetworkError
from bot.move_sources import MoveSources
from bot.move_sources.online import ChessdbSource, CloudSource, ExplorerSource, OnlineTablebaseSource
from bot.move_sources.request import Choice, MoveRequest
from bot.settings import (
    ChessdbSettings,
    CloudSettings,
    ExplorerSettings,
    Facts,
    OnlineTablebaseSettings,
    SourceSettings,
    parse_settings,
)
from tests.helpers.ending import closed_at_end

START = MoveRequest(chess.Board())


class Service:
    """Answers every query alike and remembers them."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.asked: list[tuple[str, dict[str, str], float]] = []

    def __call__(self, url: str, params: dict[str, str], *, timeout_s: float) -> Any:
        self.asked.append((url, params, timeout_s))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def games(uci: str, white: int, draws: int, black: int) -> dict[str, Any]:
    """An explorer's line."""
    return {"uci": uci, "san": "?", "white": white, "draws": draws, "black": black, "game": None}


def test_explorer_takes_the_best_proven_score() -> None:
    service = Service(
        {"moves": [games("e2e4", 400, 300, 300), games("d2d4", 8, 1, 1), games("c2c4", 5000, 3000, 2000)]}
    )
    source = ExplorerSource(ExplorerSettings(min_games=5), service)
    assert source.choose(START, 0.7) == Choice(chess.Move.from_uci("c2c4"), "explorer")
    url, params, timeout_s = service.asked[0]
    assert url == "https://explorer.lichess.org/masters"
    assert params["fen"] == chess.STARTING_FEN
    assert timeout_s == 0.7


def test_explorer_scores_for_the_side_to_move() -> None:
    board = chess.Board()
    board.push_uci("e2e4")
    service = Service({"moves": [games("e7e5", 900, 50, 50), games("c7c5", 50, 50, 900)]})
    choice = ExplorerSource(ExplorerSettings(database="lichess"), service).choose(MoveRequest(board), 1.0)
    assert choice is not None
    assert choice.move.uci() == "c7c5"
    assert service.asked[0][1]["variant"] == "standard"


@pytest.mark.parametrize("moves", [[], [games("e2e4", 1, 1, 1)]])
def test_explorer_needs_games(moves: list[dict[str, Any]]) -> None:
    assert ExplorerSource(ExplorerSettings(), Service({"moves": moves})).choose(START, 1.0) is None


def performing(uci: str, performance: int, white: int = 5, black: int = 5) -> dict[str, Any]:
    """An explorer's line about one player."""
    return games(uci, white, 0, black) | {"performance": performance, "averageOpponentRating": 1500}


def test_explorer_of_one_player_asks_for_their_games_with_our_colour() -> None:
    service = Service({"moves": [performing("e2e4", 1500), performing("d2d4", 1800)]})
    one = ExplorerSettings(database="player", sort="performance", min_games=5)
    choice = ExplorerSource(one, service).choose(MoveRequest(chess.Board(), me="bot88"), 1.0)
    assert choice == Choice(chess.Move.from_uci("d2d4"), "explorer")
    url, params, timeout_s = service.asked[0]
    assert (url, timeout_s) == ("https://explorer.lichess.org/player", 0.5)
    assert (params["player"], params["color"], params["variant"]) == ("bot88", "white", "standard")
    named = ExplorerSource(one.model_copy(update={"player": "Somebody"}), service)
    named.choose(MoveRequest(chess.Board(), me="bot88"), 1.0)
    assert service.asked[1][1]["player"] == "Somebody"


def test_explorer_of_the_opponent_takes_what_they_fare_worst_against() -> None:
    service = Service({"moves": [performing("e2e4", 1, white=1, black=9), performing("d2d4", 1, white=9, black=1)]})
    source = ExplorerSource(ExplorerSettings(database="opponent", min_games=5, sort="score"), service)
    request = MoveRequest(chess.Board(), Facts(user="rival"), me="bot88")
    assert source.choose(request, 1.0) == Choice(chess.Move.from_uci("d2d4"), "explorer")
    assert (service.asked[0][1]["player"], service.asked[0][1]["color"]) == ("rival", "black")
    assert source.applies(request)
    assert not source.applies(START)  # nobody is known


@pytest.mark.parametrize(
    "text", ["{player: somebody}", "{sort: performance}", "{database: lichess, sort: performance}"]
)
def test_settings_of_the_explorer_that_do_not_fit_are_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match="database: player"):
        parse_settings(f"move_sources: {{online: {{explorer: {text}}}}}", "f.yml")


def test_cloud_needs_depth() -> None:
    answer = {"depth": 30, "pvs": [{"moves": "e2e4 e7e5", "cp": 20}]}
    assert CloudSource(CloudSettings(min_depth=30), Service(answer)).choose(START, 1.0) == Choice(
        chess.Move.from_uci("e2e4"), "cloud"
    )
    assert CloudSource(CloudSettings(min_depth=31), Service(answer)).choose(START, 1.0) is None


def test_cloud_castles_as_king_takes_rook() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    service = Service({"depth": 50, "pvs": [{"moves": "e1h1"}]})
    choice = CloudSource(CloudSettings(), service).choose(MoveRequest(board), 1.0)
    assert choice is not None
    assert choice.move.uci() == "e1g1"


def test_no_service_is_asked_on_a_low_clock() -> None:
    board = chess.Board("8/6k1/8/8/8/8/1R6/K7 w - - 0 1")
    for source in (
        ExplorerSource(ExplorerSettings(), Service({})),
        CloudSource(CloudSettings(), Service({})),
        OnlineTablebaseSource(OnlineTablebaseSettings(), Service({})),
    ):
        for clock_ms, eligible in ((30_000, True), (29_999, False)):
            request = MoveRequest(board, remaining_ms=clock_ms)
            assert MoveSources(SourceSettings()).is_eligible(source, request) is eligible


@pytest.mark.parametrize(
    ("database", "variant", "params"),
    [
        ("masters", "standard", {"topGames": "0"}),
        ("lichess", "fromPosition", {"variant": "standard", "recentGames": "0", "topGames": "0"}),
        ("lichess", "atomic", {"variant": "atomic", "recentGames": "0", "topGames": "0"}),
        ("player", "horde", {"variant": "horde", "recentGames": "0", "player": "bot88", "color": "white"}),
        ("opponent", "standard", {"variant": "standard", "recentGames": "0", "player": "rival", "color": "black"}),
    ],
)
def test_explorer_has_parameters_for_each_database(database: str, variant: str, params: dict[str, str]) -> None:
    service = Service({"moves": []})
    settings = ExplorerSettings.model_validate({"database": database})
    request = MoveRequest(chess.Board(), Facts(variant, user="rival"), me="bot88")
    assert ExplorerSource(settings, service).choose(request, 1.0) is None
    assert service.asked[0][1] == {"fen": chess.STARTING_FEN, "moves": "12"} | params


@pytest.mark.parametrize(("least", "known"), [(10, True), (11, False)])
def test_explorer_counts_every_game(least: int, known: bool) -> None:
    service = Service({"moves": [games("e2e4", 1, 6, 3)]})
    assert (ExplorerSource(ExplorerSettings(min_games=least), service).choose(START, 1.0) is not None) is known


def test_where_they_apply() -> None:
    atomic = MoveRequest(chess.Board(), facts=Facts(variant="atomic"))
    assert not ExplorerSource(ExplorerSettings(), Service({})).applies(atomic)
    assert ExplorerSource(ExplorerSettings(database="lichess"), Service({})).applies(atomic)
    assert not CloudSource(CloudSettings(max_ply=10), Service({})).applies(
        MoveRequest(chess.Board("8/8/4k3/8/8/4K3/8/8 w - - 0 30"))
    )
    assert not OnlineTablebaseSource(OnlineTablebaseSettings(), Service({})).applies(START)


def test_errors_are_left_to_the_caller() -> None:
    with pytest.raises(NetworkError):
        CloudSource(CloudSettings(), Service(NetworkError("cut"))).choose(START, 1.0)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"sort": "proven"}, "c2c4"),
        ({"sort": "score"}, "d2d4"),
        ({"sort": "games"}, "a2a3"),
        ({"sort": "score", "min_games": 11}, "c2c4"),
    ],
)
def test_explorer_in_other_orders(fields: dict[str, Any], expected: str) -> None:
    lines = [games("d2d4", 8, 1, 1), games("c2c4", 500, 300, 200), games("a2a3", 0, 9000, 1000)]
    settings = ExplorerSettings.model_validate({"min_games": 5} | fields)
    choice = ExplorerSource(settings, Service({"moves": lines})).choose(START, 1.0)
    assert choice is not None
    assert choice.move.uci() == expected


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


@pytest.mark.parametrize(
    "answer", [{"category": "unknown", "moves": [{"uci": "b2b6"}]}, {"category": "loss", "moves": []}]
)
def test_tablebase_may_not_know(answer: dict[str, Any]) -> None:
    board = chess.Board("8/6k1/8/8/8/8/1R6/K7 w - - 0 1")
    assert OnlineTablebaseSource(OnlineTablebaseSettings(), Service(answer)).choose(MoveRequest(board), 1.0) is None


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
def test_chessdb_needs_depth(answer: dict[str, Any], expected: Choice | None) -> None:
    service = Service(answer)
    assert ChessdbSource(ChessdbSettings(), service).choose(START, 0.7) == expected
    query = {"action": "querypv", "board": chess.STARTING_FEN, "json": "1"}
    assert service.asked == [("https://www.chessdb.cn/cdb.php", query, 0.7)]


@pytest.mark.parametrize(
    ("variant", "ply", "applies"), [("standard", 0, True), ("atomic", 0, False), ("standard", 31, False)]
)
def test_where_chessdb_applies(variant: str, ply: int, applies: bool) -> None:
    board = chess.Board()
    for uci in ["g1f3", "g8f6", "f3g1", "f6g8"] * 8:
        if board.ply() < ply:
            board.push_uci(uci)
    source = closed_at_end(ChessdbSource(ChessdbSettings(max_ply=30), Service(KNOWN)))
    assert source.applies(MoveRequest(board, Facts(variant))) is applies
