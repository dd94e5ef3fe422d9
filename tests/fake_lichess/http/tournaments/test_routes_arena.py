"""Arenas over HTTP: created, joined, played, left, finished."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.fake_lichess import FakeLichess
from tests.fake_lichess.conftest import Connect, MakeFake
from tests.helpers.lichess_client import Client

FORM = {
    "name": "Bot cup",
    "clockTime": 1,
    "clockIncrement": 0,
    "minutes": 20,
    "waitMinutes": 0,
    "conditions.bots": "true",
    "rated": "false",
}


def lines(text: str) -> list[dict[str, Any]]:
    """Lines of JSON."""
    return [json.loads(line) for line in text.splitlines()]


def test_an_arena_pairs_bots_until_it_ends(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(arena_pairing_s=0.02)
    bot, anyone = connect(fake, "bot88"), connect(fake, None)
    events = bot.stream("/api/stream/event")
    arena = connect(fake, "Alice").post("/api/tournament", data=FORM | {"minutes": 0.05}).json()
    assert (arena["fullName"], arena["botsAllowed"], arena["nbPlayers"]) == ("Bot cup Arena", True, 0)
    root = f"/api/tournament/{arena['id']}"
    assert bot.post(f"{root}/join").json() == {"ok": True}
    fake.join_arena("Random", arena["id"])
    game = events.wait_for("gameStart")["game"]
    assert (game["source"], game["tournamentId"], game["compat"]["bot"]) == ("arena", arena["id"], True)
    stream = bot.stream(f"/api/bot/game/stream/{game['gameId']}")
    assert stream.wait_for("gameFull")["state"]["expiration"]["millisToMove"] == 16_000
    refused = bot.post(f"/api/bot/game/{game['gameId']}/abort")
    assert (refused.status_code, refused.json()["error"]) == (400, "This game can no longer be aborted")
    fake.wait_for(lambda: anyone.get(root).json().get("isFinished"), what="the end of the arena")
    listed = anyone.get("/api/tournament").json()
    assert [one["id"] for one in listed["finished"]] == [arena["id"]]
    assert lines(anyone.get("/api/user/alice/tournament/created").text)[0]["id"] == arena["id"]


def test_results_games_and_podium(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(arena_pairing_s=0.02)
    anyone, alice = connect(fake, None), connect(fake, "Alice")
    arena_id = alice.post("/api/tournament", data=FORM).json()["id"]
    for name in ("Random", "Greedy"):
        fake.join_arena(name, arena_id)
    root = f"/api/tournament/{arena_id}"
    fake.wait_for(lambda: anyone.get(root).json()["stats"]["games"] >= 3, what="three games")
    assert connect(fake, "Bobby").post(f"{root}/terminate").status_code == 400
    assert alice.post(f"{root}/terminate").json() == {"ok": True}
    full = anyone.get(root).json()
    scores = [player["score"] for player in full["standing"]["players"]]
    assert scores == sorted(scores, reverse=True)
    assert [player["rank"] for player in full["podium"]] == [1, 2]
    results = lines(anyone.get(f"{root}/results?sheet=true").text)
    assert [one["score"] for one in results] == scores
    assert all(sum(map(int, one["sheet"]["scores"])) == one["score"] for one in results)
    assert len(lines(anyone.get(f"{root}/results?nb=1").text)) == 1
    games = lines(anyone.get(f"{root}/games?player=random", headers={"Accept": "application/x-ndjson"}).text)
    assert {game["arenaTour"]["id"] for game in games} == {arena_id}
    assert '[Event "Bot cup Arena"]' in anyone.get(f"{root}/games").text


def test_leaving_before_the_start_and_breaks_after_it(fake: FakeLichess, alice: Client, bot: Client) -> None:
    waiting = alice.post("/api/tournament", data=FORM | {"waitMinutes": 5}).json()
    assert 290 <= waiting["secondsToStart"] <= 300
    root = f"/api/tournament/{waiting['id']}"
    assert bot.post(f"{root}/withdraw").status_code == 400
    assert bot.post(f"{root}/join").ok
    assert alice.get(root).json()["nbPlayers"] == 1
    assert bot.post(f"{root}/withdraw").ok
    assert alice.get(root).json()["nbPlayers"] == 0


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"clockTime": 0}, "clockTime"),
        ({"clockTime": 9}, "clockTime"),
        ({"minutes": 0}, "minutes"),
        ({"minutes": ""}, "minutes"),
        ({"name": "x"}, "name"),
        ({"variant": "bughouse"}, "variant"),
    ],
)
def test_a_wrong_form_names_its_field(
    make_fake: MakeFake, connect: Connect, change: dict[str, Any], field: str
) -> None:
    alice = connect(make_fake(allow_any_clock=False), "Alice")
    refused = alice.post("/api/tournament", data=FORM | change)
    assert (refused.status_code, list(refused.json()["error"])) == (400, [field])


def test_bots_and_guests_are_refused_where_the_conditions_say_so(fake: FakeLichess, alice: Client, bot: Client) -> None:
    persons = alice.post("/api/tournament", data=FORM | {"conditions.bots": "false"}).json()["id"]
    private = alice.post("/api/tournament", data=FORM | {"password": "sesame"}).json()["id"]
    refused = bot.post(f"/api/tournament/{persons}/join")
    assert (refused.status_code, refused.json()) == (400, {"error": "Tournament restrictions"})
    assert bot.post(f"/api/tournament/{private}/join").json() == {"error": "Wrong entry code"}
    assert bot.post(f"/api/tournament/{private}/join", data={"password": "sesame"}).ok
    assert bot.post("/api/tournament/nosuchid/join").status_code == 404
    assert alice.get("/api/tournament/nosuchid").status_code == 404


def test_who_does_not_make_the_first_move_loses(
    make_fake: MakeFake, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.fake_lichess.tournaments.arenas.ARENA_MS", {"bullet": 100})
    fake = make_fake(arena_pairing_s=0.02)
    arena_id = connect(fake, "Alice").post("/api/tournament", data=FORM).json()["id"]
    for name in ("bot88", "OtherBot"):
        fake.join_arena(name, arena_id)
    (game,) = fake.wait_for(fake.games)
    end = fake.wait_for_end(game.id)
    assert (end.status, end.winner) == ("noStart", "black")
    standing = connect(fake, None).get(f"/api/tournament/{arena_id}").json()["standing"]["players"]
    assert [player["name"] for player in standing] == [end.black, end.white]
