"""Explorer, cloud and tablebase answer what is configured, else that nothing is known."""

from __future__ import annotations

from bot.fake_lichess import FakeLichess
from tests.fake_lichess.conftest import Connect, MakeFake

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -"
KPK = "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1"


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


def test_the_inbox_forgets(fake: FakeLichess, connect: Connect) -> None:
    fake.add_account("Writer", scopes=("msg:write", "tournament:write"))
    writer = connect(fake, "Writer")
    assert writer.post("/inbox/alice", data={"text": "hello"}).json() == {"ok": True}
    assert writer.post("/inbox/alice", data={}).status_code == 400
