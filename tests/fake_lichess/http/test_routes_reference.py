"""Opening explorer, cloud evaluation and tablebase."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import chess
import chess.polyglot
import chess.variant
import pytest

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.config import ConfigError
from bot.fake_lichess.http.routes_reference import move_after
from tests.fake_lichess.conftest import Connect, MakeFake, play
from tests.helpers.lichess_client import Client
from tests.helpers.shared import shared_data

ENTRY = struct.Struct(">QHHI")  # key, move, weight, learn
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -"
KPK = "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1"


def encode(uci: str) -> int:
    """A move as Polyglot books have it."""
    move = chess.Move.from_uci(uci)
    return move.from_square << 6 | move.to_square


def test_configured_answers(make_fake: MakeFake, connect: Connect) -> None:
    move = {
        "uci": "e7e5",
        "san": "e5",
        "averageRating": 2400,
        "white": 1,
        "draws": 1,
        "black": 1,
        "game": None,
        "opening": None,
    }
    explorer = {"white": 1, "draws": 1, "black": 1, "moves": [move], "topGames": [], "opening": None}
    cloud = {"fen": START, "knodes": 1, "depth": 30, "pvs": [{"cp": 18, "moves": "e2e4"}]}
    table = {"category": "draw", "dtz": 0, "moves": []}
    stubs = {"masters": {AFTER_E4: explorer}, "cloud": {START: cloud}, "tablebase": {KPK[:-4]: table}}
    client = connect(make_fake(stubs=stubs), None)
    assert client.get("/masters?play=e2e4").json() == explorer
    assert client.get(f"/api/cloud-eval?fen={START} 0 1").json() == cloud
    assert client.get(f"/standard?fen={KPK.replace(' ', '_')}").json() == table


def test_nothing_is_known_without_configuration(fake: FakeLichess, connect: Connect) -> None:
    client = connect(fake, None)
    assert client.get(f"/lichess?fen={START} 0 1").json()["moves"] == []
    assert client.get("/masters?play=e2e4,c7c5").json()["opening"] == {"eco": "B20", "name": "Sicilian Defense"}
    missing = client.get(f"/api/cloud-eval?fen={START} 0 1")
    assert (missing.status_code, missing.json()["error"]) == (404, "No cloud evaluation available for that position")
    unknown = client.get(f"/standard?fen={KPK}").json()
    assert unknown["category"] == "unknown"
    assert {move["uci"] for move in unknown["moves"]} >= {"e1d2", "e1f2"}
    assert client.get(f"/standard?fen={START} 0 1").status_code == 404


def test_bad_positions_are_refused(fake: FakeLichess, connect: Connect) -> None:
    client = connect(fake, None)
    for path in ("/masters?fen=rubbish", "/masters?play=e2e5", "/standard?fen=", "/api/cloud-eval?fen=x&variant=y"):
        answer = client.get(path)
        assert answer.status_code == 400
        assert answer.json()["error"]


def test_a_book_of_ones_own_is_explored(make_fake: MakeFake, connect: Connect, tmp_path: Path) -> None:
    book = tmp_path / "own.bin"
    key = chess.polyglot.zobrist_hash(chess.Board())
    moves = (("d2d4", 30), ("e2e4", 60), ("c2c4", 1))
    entries = [(key, encode(uci), weight, 0) for uci, weight in moves]
    book.write_bytes(b"".join(ENTRY.pack(*entry) for entry in entries))
    client = connect(make_fake(explorer_book=str(book)), None)
    for path in ("/masters", "/lichess"):
        found = client.get(path).json()
        assert [(move["uci"], move["san"]) for move in found["moves"]] == [
            ("e2e4", "e4"),
            ("d2d4", "d4"),
            ("c2c4", "c4"),
        ]
        best = found["moves"][0]
        assert (best["white"], best["draws"], best["black"]) == (20, 20, 20)
        assert (found["white"], found["draws"], found["black"]) == (30, 31, 30)
    assert len(client.get("/masters?moves=1").json()["moves"]) == 1
    assert client.get("/masters?play=e2e4").json()["moves"] == []
    assert client.get("/lichess?variant=atomic").json()["moves"] == []


def test_the_games_played_here_are_explored_by_player(fake: FakeLichess, connect: Connect) -> None:
    for moves, loser in (("e2e4 e7e5", "Bobby"), ("e2e4 c7c5", "Alice"), ("d2d4 d7d5", "Bobby")):
        game_id = fake.start_game("Alice", "Bobby", clock=(60, 0))
        play(fake, game_id, moves)
        fake.player(loser, game_id).resign()
    client = connect(fake, None)
    (line,) = client.get("/player?player=alice&color=white").text.splitlines()
    found = json.loads(line)
    assert (found["white"], found["draws"], found["black"]) == (2, 0, 1)
    assert [(move["san"], move["white"], move["black"]) for move in found["moves"]] == [("e4", 1, 1), ("d4", 1, 0)]
    assert (found["moves"][0]["averageOpponentRating"], found["moves"][0]["performance"]) == (1500, 1500)
    after = json.loads(client.get("/player?player=Alice&color=white&play=e2e4,c7c5").text)
    assert (after["opening"]["name"], after["moves"]) == ("Sicilian Defense", [])
    assert json.loads(client.get("/player?player=alice&color=black").text)["moves"] == []
    assert client.get("/player?player=nobody&color=black").status_code == 404
    assert list(client.get("/player?player=alice").json()["error"]) == ["color"]


def test_a_game_is_followed_no_further_than_it_can_lead_to_a_position() -> None:
    """A thousand games may be remembered, and the server's clocks wait meanwhile."""
    board = chess.Board()
    board.push_uci("d2d4")
    moves = ["e2e4", "d7d5", "e4d5", "never read"]
    assert move_after(moves, chess.Board(), board) is None
    assert move_after(["g1f3", "g8f6", *moves], chess.Board(), chess.Board()) == "g1f3"
    house = chess.variant.CrazyhouseBoard()
    after_drop = house.copy()
    drop = ["e2e4", "d7d5", "e4d5", "d8d5", "P@e4", "d5e4"]
    for uci in drop[:5]:
        after_drop.push_uci(uci)
    assert move_after(drop, house, after_drop) == "d5e4"


def test_a_missing_book_is_reported_at_the_start(make_fake: MakeFake) -> None:
    with pytest.raises(ConfigError, match="explorer_book: 'nowhere' cannot be read"):
        make_fake(explorer_book="nowhere")


@pytest.fixture
def anyone(make_fake: MakeFake, connect: Connect) -> Client:
    """A client of a server with tables of three and four pieces."""
    return connect(make_fake(syzygy=(str(shared_data("syzygy3-4")),)), None)


@pytest.mark.parametrize(
    ("fen", "category", "best"),
    [
        ("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", "draw", "draw"),
        ("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", "draw", "draw"),
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", "win", "loss"),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", "loss", "win"),
    ],
)
def test_results_and_moves_come_from_the_tables(anyone: Client, fen: str, category: str, best: str) -> None:
    found = anyone.get(f"/standard?fen={fen}").json()
    assert (found["category"], found["moves"][0]["category"]) == (category, best)
    assert len(found["moves"]) == chess.Board(fen).legal_moves.count()
    order = ["loss", "blessed-loss", "draw", "cursed-win", "win"]
    ranks = [order.index(move["category"]) for move in found["moves"]]
    assert ranks == sorted(ranks), "what is worst for the opponent comes first"


def test_mate_comes_before_every_other_win(anyone: Client) -> None:
    found = anyone.get("/standard?fen=7k/5K2/6Q1/8/8/8/8/8 w - - 0 1").json()
    assert found["moves"][0]["checkmate"] is True
    assert found["category"] == "win"


def test_the_slowest_loss_comes_first(anyone: Client) -> None:
    found = anyone.get("/standard?fen=8/8/8/3k4/8/8/1Q6/1K6 b - - 0 1").json()
    distances = [move["dtz"] for move in found["moves"]]
    assert distances == sorted(distances, reverse=True)


def test_without_a_table_nothing_is_known(anyone: Client, fake: FakeLichess, connect: Connect) -> None:
    five = "/standard?fen=8/8/8/3k4/8/8/1QRR4/1K6 b - - 0 1"
    assert {move["category"] for move in anyone.get(five).json()["moves"]} == {"unknown"}
    three = connect(fake, None).get("/standard?fen=4k3/8/4K3/4P3/8/8/8/8 w - - 0 1").json()
    assert (three["category"], three["dtz"]) == ("unknown", None)


def test_a_missing_folder_is_reported_at_the_start(make_fake: MakeFake) -> None:
    with pytest.raises(ConfigError, match="syzygy: 'nowhere' is not a folder"):
        make_fake(syzygy=("nowhere",))
