"""Games from PGN."""

from __future__ import annotations

import pytest

from bot.fake_lichess import FakeLichess
from tests.fake_lichess.conftest import Connect
from tests.helpers.lichess_client import Client

PGN = '[White "Anderssen"]\n[Black "Kieseritzky"]\n[WhiteElo "2600"]\n[Result "{result}"]\n\n{moves} {result}\n'


@pytest.mark.parametrize(
    ("moves", "result", "status", "winner"),
    [
        ("1. f3 e5 2. g4 Qh4#", "0-1", "mate", "black"),
        ("1. e4 e5", "1-0", "resign", "white"),
        ("1. e4 e5", "1/2-1/2", "draw", None),
        ("1. e4 e5", "*", "unknownFinish", None),
    ],
)
def test_a_game_is_imported_and_exported(
    fake: FakeLichess, alice: Client, moves: str, result: str, status: str, winner: str | None
) -> None:
    answer = alice.post("/api/import", data={"pgn": PGN.format(moves=moves, result=result)}).json()
    assert answer["url"] == f"{fake.url}/{answer['id']}"
    game = alice.get(f"/game/export/{answer['id']}", headers={"Accept": "application/json"}).json()
    assert (game["status"], game.get("winner"), game["source"]) == (status, winner, "import")
    assert game["players"]["white"]["user"]["name"] == "Anderssen"
    assert game["players"]["white"]["rating"] == 2600
    assert alice.get("/api/account/playing").json()["nowPlaying"] == []


@pytest.mark.parametrize("pgn", ["", "this is no game", "1. e4 e4", "1. Ke2", "1. e4 (1. d4) e4) e5"])
def test_what_is_no_game_is_refused(fake: FakeLichess, connect: Connect, pgn: str) -> None:
    refused = connect(fake, None).post("/api/import", data={"pgn": pgn})
    assert (refused.status_code, list(refused.json()["error"])) == (400, ["pgn"])
