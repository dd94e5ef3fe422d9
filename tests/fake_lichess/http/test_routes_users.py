"""Users: current game, ratings, leaderboards, arenas, completed names."""

from __future__ import annotations

import datetime
import json

from bot.fake_lichess import FakeLichess
from tests.fake_lichess.conftest import Connect, MakeFake
from tests.helpers.lichess_client import Client

JSON = {"Accept": "application/json"}


def rated_win(fake: FakeLichess, winner: str, loser: str) -> str:
    """A short rated game; gives its id."""
    game_id = fake.start_game(winner, loser, clock=(180, 0), rated=True)
    fake.player(winner, game_id).move("e2e4")
    fake.player(loser, game_id).move("e7e5")
    fake.player(loser, game_id).resign()
    return game_id


def test_the_current_game_is_the_running_one_else_the_last(fake: FakeLichess, connect: Connect) -> None:
    anyone = connect(fake, None)
    assert anyone.get("/api/user/alice/current-game").status_code == 404
    over = rated_win(fake, "Alice", "Bobby")
    assert anyone.get("/api/user/alice/current-game", headers=JSON).json()["id"] == over
    running = fake.start_game("Bobby", "Alice")
    rated_win(fake, "Alice", "bot88")
    assert anyone.get("/api/user/alice/current-game", headers=JSON).json()["id"] == running
    assert f"/{running}" in anyone.get("/api/user/alice/current-game").text


def test_the_rating_history_has_the_last_rating_of_the_day(fake: FakeLichess, connect: Connect) -> None:
    for _ in range(2):
        rated_win(fake, "Alice", "Bobby")
    anyone = connect(fake, None)
    history = {one["name"]: one["points"] for one in anyone.get("/api/user/alice/rating-history").json()}
    today = datetime.datetime.now(datetime.UTC).date()
    rating = anyone.get("/api/user/alice").json()["perfs"]["blitz"]["rating"]
    assert history["Blitz"] == [[today.year, today.month - 1, today.day, rating]]
    assert history["Bullet"] == []


def test_a_category_of_a_user_with_its_statistics(fake: FakeLichess, connect: Connect) -> None:
    first = rated_win(fake, "Alice", "bot88")
    rated_win(fake, "Alice", "Bobby")
    rated_win(fake, "Bobby", "Alice")
    anyone = connect(fake, None)
    found = anyone.get("/api/user/alice/perf/blitz").json()
    assert (found["perf"]["nb"], found["perf"]["glicko"]["provisional"]) == (3, True)
    count = found["stat"]["count"]
    assert (count["win"], count["loss"], count["draw"], count["rated"]) == (2, 1, 0, 3)
    assert found["stat"]["bestWins"]["results"][0]["gameId"] == first
    assert found["stat"]["resultStreak"]["win"] == {"cur": {"v": 0}, "max": {"v": 2}}
    assert anyone.get("/api/user/alice/perf/chequers").status_code == 404


def test_leaderboards_rank_settled_persons_and_no_bots(fake: FakeLichess, connect: Connect) -> None:
    for name, rating in (("Strong", 2200), ("Middling", 1800)):
        fake.add_account(name, rating=rating, games=10)
    fake.add_account("Machine", title="BOT", rating=2800, games=10)
    anyone = connect(fake, None)
    answer = anyone.get("/api/player/top/5/blitz")
    assert answer.headers["content-type"] == "application/vnd.lichess.v3+json"
    users = answer.json()["users"]
    assert [(user["id"], user["perfs"]["blitz"]["rating"]) for user in users] == [("strong", 2200), ("middling", 1800)]
    assert len(anyone.get("/api/player/top/1/blitz").json()["users"]) == 1
    assert [user["id"] for user in anyone.get("/api/player").json()["blitz"]] == ["strong", "middling"]
    for path in ("/api/player/top/5/chequers", "/api/player/top/x/blitz"):
        assert anyone.get(path).status_code == 404


def test_address_and_preferences_are_ones_own(fake: FakeLichess, alice: Client, connect: Connect) -> None:
    assert alice.get("/api/account/email").json() == {"email": "alice@fake-lichess.example"}
    assert alice.get("/api/account/preferences").json()["prefs"]["takeback"] == 3
    assert connect(fake, None).get("/api/account/email").status_code == 401
    assert connect(fake, "bot88").get("/api/account/email").json() == {"error": "Missing scope: email:read"}


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


def test_each_speed_has_its_own_leaderboard(fake: FakeLichess, connect: Connect) -> None:
    for name, rating in (("First", 1801), ("Second", 1800)):
        fake.add_account(name, rating=rating, games=10)
    rated_win(fake, "Second", "First")  # in blitz
    leaders = connect(fake, None).get("/api/player").json()
    assert [user["id"] for user in leaders["bullet"]] == ["first", "second"]
    assert [user["id"] for user in leaders["blitz"]] == ["second", "first"]
    assert [user["perfs"]["bullet"]["rating"] for user in leaders["bullet"]] == [1801, 1800]
