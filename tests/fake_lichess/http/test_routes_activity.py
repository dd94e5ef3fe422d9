"""Activity by day, arenas played, names completed."""

from __future__ import annotations

import json

from bot.fake_lichess import FakeLichess
from tests.fake_lichess.conftest import Connect, MakeFake, play
from tests.helpers.lichess_client import Client


def test_a_day_of_games(fake: FakeLichess, connect: Connect) -> None:
    anyone = connect(fake, None)
    assert anyone.get("/api/user/alice/activity").json() == []
    for loser in ("Bobby", "Bobby", "Alice"):
        game_id = fake.start_game("Alice", "Bobby", clock=(180, 2), rated=True)
        play(fake, game_id, "e2e4 e7e5")
        fake.player(loser, game_id).resign()
    fake.start_game("Alice", "Bobby", clock=(60, 0))
    days = anyone.get("/api/user/Alice/activity").json()  # two of them where midnight came in between
    assert all(day["interval"]["end"] - day["interval"]["start"] == 86_400_000 for day in days)
    blitz = [day["games"]["blitz"] for day in days]
    assert [sum(one[result] for one in blitz) for result in ("win", "loss", "draw")] == [2, 1, 0]
    rating = anyone.get("/api/user/alice").json()["perfs"]["blitz"]["rating"]
    assert (blitz[-1]["rp"]["before"], blitz[0]["rp"]["after"]) == (1700, rating), "the newest day comes first"
    assert anyone.get("/api/user/nobody/activity").status_code == 404


def test_the_arenas_that_were_played(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(arena_pairing_s=0.02)
    alice = connect(fake, "Alice")
    form = {"clockTime": 1, "clockIncrement": 0, "minutes": 20, "waitMinutes": 0}
    arena_id = alice.post("/api/tournament", data=form).json()["id"]
    for name in ("Random", "Greedy"):
        fake.join_arena(name, arena_id)
    path = "/api/user/random/tournament/played"
    fake.wait_for(lambda: json.loads(alice.get(path).text)["player"]["games"] >= 1, what="a game of the arena")
    found = json.loads(alice.get(f"{path}?performance=true&nb=5").text)
    assert (found["tournament"]["id"], found["player"]["rank"] in (1, 2)) == (arena_id, True)
    assert found["player"]["performance"] > 0
    assert alice.get("/api/user/bobby/tournament/played").text == ""


def test_names_are_completed(alice: Client) -> None:
    assert alice.get("/api/player/autocomplete?term=ALI").json() == ["alice"]
    assert alice.get("/api/player/autocomplete?term=ali&names=true").json() == ["Alice"]
    found = alice.get("/api/player/autocomplete?term=ran&object=true").json()
    assert found == {"result": [{"id": "random", "name": "Random", "online": True}]}
    short = alice.get("/api/player/autocomplete?term=a")
    assert (short.status_code, list(short.json()["error"])) == (400, ["term"])
