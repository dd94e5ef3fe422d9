"""Activity by day, arenas played, names completed."""

from __future__ import annotations

import json

from tests.fake_lichess.conftest import Connect, MakeFake
from tests.helpers.lichess_client import Client


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
