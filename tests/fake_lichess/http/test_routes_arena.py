"""Arenas over HTTP: created, joined, played, left, finished."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.fake_lichess import FakeLichess
from tests.fake_lichess.conftest import Connect, MakeFake, error_of
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
    assert error_of(bot.post(f"/api/tournament/{persons}/join")) == (400, "Tournament restrictions")
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


def test_going_berserk(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(arena_pairing_s=0.02)
    alice, bobby = connect(fake, "Alice"), connect(fake, "Bobby")
    path = f"/api/tournament/{alice.post('/api/tournament', data=FORM).json()['id']}"
    for client in (alice, bobby):
        assert client.post(f"{path}/join").ok
    (game,) = fake.wait_for(fake.games)
    white, black = (alice, bobby) if game.white == "Alice" else (bobby, alice)
    berserk = f"/api/board/game/{game.id}/berserk"
    assert white.post(berserk).json() == {"ok": True}
    state = white.stream(f"/api/board/game/stream/{game.id}").wait_for("gameFull")["state"]
    assert (state["wtime"], state["btime"]) == (30_000, 60_000)
    twice = white.post(berserk)
    assert (twice.status_code, twice.json()["error"]) == (400, "Cannot berserk")
    fake.player(game.white, game.id).move("e2e4")
    fake.player(game.black, game.id).move("e7e5")
    assert black.post(berserk).status_code == 400, "too late"
    assert black.post(f"/api/round/{game.id}/add-time/15").status_code == 400, "nor is time given"
    assert black.post(f"/api/board/game/{game.id}/takeback/yes").ok
    assert (
        fake.call(lambda: any(player.offers_takeback for player in fake.world.game(game.id).players.values())) is False
    )
    fake.player(game.black, game.id).resign()
    full = alice.get(path).json()
    assert (full["berserkable"], full["stats"]["berserks"]) == (True, 1)


def test_an_arena_without_berserk(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(arena_pairing_s=0.02)
    alice = connect(fake, "Alice")
    path = f"/api/tournament/{alice.post('/api/tournament', data=FORM | {'berserkable': 'false'}).json()['id']}"
    for name in ("Alice", "Bobby"):
        fake.join_arena(name, path.rpartition("/")[2])
    (game,) = fake.wait_for(fake.games)
    assert alice.post(f"/api/board/game/{game.id}/berserk").status_code == 400
    assert alice.get(path).json()["berserkable"] is False


def test_an_arena_is_changed_by_who_made_it(fake: FakeLichess, alice: Client, connect: Connect) -> None:
    arena_id = alice.post("/api/tournament", data=FORM | {"waitMinutes": 5}).json()["id"]
    path = f"/api/tournament/{arena_id}"
    changed = alice.post(path, data=FORM | {"name": "New name", "clockTime": 3, "waitMinutes": 10}).json()
    assert (changed["fullName"], changed["clock"]["limit"]) == ("New name Arena", 180)
    assert changed["secondsToStart"] > 500
    refused = connect(fake, "Bobby").post(path, data=FORM)
    assert refused.status_code == 401
    alice.post(path, data=FORM | {"waitMinutes": 0})
    fake.wait_for(lambda: "secondsToFinish" in alice.get(path).json(), what="the start")
    running = alice.post(path, data=FORM | {"clockTime": 7, "name": "Still"}).json()
    assert (running["fullName"], running["clock"]["limit"]) == ("Still Arena", 60), "the clock is settled"


def test_a_battle_of_teams(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(arena_pairing_s=0.02)
    red, blue = fake.add_team("Red", "Alice", members=("bot88",)), fake.add_team("Blue", "Bobby", members=("OtherBot",))
    alice, bot = connect(fake, "Alice"), connect(fake, "bot88")
    arena_id = alice.post("/api/tournament", data=FORM | {"teamBattleByTeam": red}).json()["id"]
    battle, path = f"/api/tournament/team-battle/{arena_id}", f"/api/tournament/{arena_id}"
    assert alice.post(battle, data={"teams": f"{red},{blue}", "nbLeaders": 1}).ok
    for form in ({}, {"team": "nowhere"}, {"team": blue}):
        assert bot.post(f"{path}/join", data=form).json() == {"error": "Missing team"}
    assert bot.post(f"{path}/join", data={"team": red}).ok
    fake.join_arena("Alice", arena_id, red)
    fake.join_arena("OtherBot", arena_id, blue)
    (game,) = fake.wait_for(fake.games)
    assert "OtherBot" in (game.white, game.black), "nobody meets his own team"
    fake.player("OtherBot", game.id).resign()
    found = alice.get(f"{path}/teams").json()
    assert [(team["rank"], team["id"], team["score"]) for team in found["teams"]] == [(1, red, 2), (2, blue, 0)]
    assert len(found["teams"][0]["players"]) == 1, "only so many as count"
    listed = alice.get("/api/tournament").json()["started"][0]
    assert listed["teamBattle"] == {"teams": [red, blue], "nbLeaders": 1}


@pytest.mark.parametrize(
    ("form", "field"),
    [({"teams": "red,nowhere", "nbLeaders": 1}, "teams"), ({"teams": "red", "nbLeaders": 99}, "nbLeaders")],
)
def test_a_wrong_battle_names_its_field(fake: FakeLichess, alice: Client, form: dict[str, Any], field: str) -> None:
    red = fake.add_team("Red", "Alice")
    arena_id = alice.post("/api/tournament", data=FORM | {"teamBattleByTeam": red, "waitMinutes": 5}).json()["id"]
    refused = alice.post(f"/api/tournament/team-battle/{arena_id}", data=form)
    assert (refused.status_code, list(refused.json()["error"])) == (400, [field])
