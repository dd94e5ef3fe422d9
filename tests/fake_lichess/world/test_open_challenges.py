"""Open challenges: joined by any two, by two named ones, cancelled, expired."""

from __future__ import annotations

import time

from bot.fake_lichess import FakeLichess
from tests.fake_lichess.conftest import Connect
from tests.helpers.lichess_client import Client

BLITZ = {"clock.limit": 180, "clock.increment": 2}


def test_an_open_challenge_is_joined_by_two(fake: FakeLichess, alice: Client, bot: Client, connect: Connect) -> None:
    offer = connect(fake, None).post("/api/challenge/open", data=BLITZ).json()
    assert (offer["challenger"], offer["destUser"], offer["open"]) == (None, None, {})
    assert offer["urlBlack"] == f"{fake.url}/{offer['id']}?color=black"
    path = f"/api/challenge/{offer['id']}/accept"
    assert alice.post(f"{path}?color=black").ok
    assert fake.games() == [], "one is not enough"
    assert alice.post(path).status_code == 404, "nobody plays both sides"
    assert bot.post(path).ok
    game = fake.game(offer["id"])
    assert (game.white, game.black) == ("bot88", "Alice")
    assert connect(fake, "Bobby").post(path).status_code == 404


def test_an_open_challenge_for_two_named_players(
    fake: FakeLichess, alice: Client, bot: Client, connect: Connect
) -> None:
    offer = alice.post("/api/challenge/open", data=BLITZ | {"users": "bot88,Bobby"}).json()
    assert offer["open"] == {"userIds": ["bot88", "bobby"]}
    path = f"/api/challenge/{offer['id']}/accept"
    refused = alice.post(path)
    assert (refused.status_code, refused.json()) == (400, {"error": "The challenge is not for you"})
    assert connect(fake, "Bobby").post(path).ok
    assert bot.post(path).ok
    assert (fake.game(offer["id"]).white, fake.game(offer["id"]).black) == ("bot88", "Bobby")


def test_an_open_challenge_is_cancelled_by_its_maker_or_expires(fake: FakeLichess, alice: Client, bot: Client) -> None:
    offer = alice.post("/api/challenge/open", data=BLITZ).json()["id"]
    assert bot.post(f"/api/challenge/{offer}/cancel").status_code == 404
    assert alice.post(f"/api/challenge/{offer}/cancel").ok
    assert bot.post(f"/api/challenge/{offer}/accept").status_code == 400
    soon = round((time.time() + 0.3) * 1000)
    short = alice.post("/api/challenge/open", data=BLITZ | {"expiresAt": soon}).json()["id"]
    fake.wait_for(lambda: fake.challenge_status(short) == "canceled")
    for wrong in ({"users": "bot88"}, {"users": "bot88,nobody"}, {"expiresAt": 1}):
        assert alice.post("/api/challenge/open", data=BLITZ | wrong).status_code == 400
