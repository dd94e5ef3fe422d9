"""Accounts, tokens, presence, the account's event stream."""

from __future__ import annotations

import json

from bot.fake_lichess import FakeLichess
from tests.fake_lichess.conftest import Connect, MakeFake, error_of, play, won_game
from tests.helpers.lichess_client import Client


def test_ones_own_account(fake: FakeLichess, bot: Client) -> None:
    account = bot.get("/api/account").json()
    assert (account["id"], account["username"], account["title"]) == ("bot88", "bot88", "BOT")
    assert account["perfs"]["bullet"]["rating"] == 2000
    assert account["count"]["all"] == 0


def test_tokens_are_tested_without_a_token(fake: FakeLichess, connect: Connect) -> None:
    answer = connect(fake, None).post("/api/token/test", data=f"{fake.token('bot88')},nonsense").json()
    assert answer["nonsense"] is None
    granted = answer[fake.token("bot88")]
    assert granted["userId"] == "bot88"
    assert "bot:play" in granted["scopes"].split(",")


def test_a_fresh_account_becomes_a_bot_once(fake: FakeLichess, connect: Connect) -> None:
    fake.add_account("Veteran", games=3)
    refused = connect(fake, "Veteran").post("/api/bot/account/upgrade")
    assert error_of(refused) == (400, "You already have games played. Make a new account.")
    fresh = connect(fake, "Fresh")
    assert fresh.post("/api/bot/account/upgrade").json() == {"ok": True}
    assert fresh.get("/api/account").json()["title"] == "BOT"
    assert fresh.post("/api/bot/account/upgrade").status_code == 400


def test_a_new_event_stream_replays_games_and_challenges_and_closes_the_older(fake: FakeLichess, bot: Client) -> None:
    first = bot.stream("/api/stream/event")
    game_id = fake.start_game("Alice", "bot88")
    challenge_id = fake.challenge("Bobby", "bot88")
    second = bot.stream("/api/stream/event")
    assert second.wait_for("gameStart")["game"]["gameId"] == game_id
    assert second.wait_for("challenge")["challenge"]["id"] == challenge_id
    first.wait_for_end()
    assert first.error is None
    assert fake.is_online("bot88")


def test_games_of_any_clock_are_announced_again_as_playable(fake: FakeLichess, bot: Client) -> None:
    fake.start_game("Alice", "bot88", clock=(15, 0))
    assert bot.stream("/api/stream/event").wait_for("gameStart")["game"]["compat"] == {"bot": True, "board": True}


def test_the_games_playing_are_listed_with_ones_turn_first(fake: FakeLichess, bot: Client) -> None:
    waiting, mine = fake.start_game("Alice", "bot88"), fake.start_game("bot88", "Bobby")
    listed = bot.get("/api/account/playing").json()
    assert listed["nbMyTurn"] == 1
    assert [game["gameId"] for game in listed["nowPlaying"]] == [mine, waiting]
    assert listed["nowPlaying"][0]["secondsLeft"] == 60
    assert len(bot.get("/api/account/playing?nb=1").json()["nowPlaying"]) == 1
    assert bot.get("/api/account/playing?nb=x").status_code == 400


def test_presence_is_shown(fake: FakeLichess, bot: Client, connect: Connect) -> None:
    anyone = connect(fake, None)
    assert anyone.get("/api/users/status?ids=bot88").json() == [{"id": "bot88", "name": "bot88", "title": "BOT"}]
    assert anyone.get("/api/bot/online").text == ""
    bot.stream("/api/stream/event")
    game_id = fake.start_game("bot88", "Alice")
    shown = anyone.get("/api/users/status?ids=bot88,nobody&withGameIds=true").json()
    expected = {"id": "bot88", "name": "bot88", "title": "BOT", "online": True, "playing": True, "playingId": game_id}
    assert shown == [expected]
    metas = anyone.get("/api/users/status?ids=bot88&withGameIds=true&withGameMetas=true").json()
    assert (metas[0]["playing"], "playingId" in metas[0]) == ({"id": game_id, "clock": "1+0"}, False)
    assert anyone.get("/api/bot/online").json()["id"] == "bot88"
    assert anyone.get("/api/users/status").status_code == 400
    assert anyone.get("/api/users/status?ids=").json() == []
    assert anyone.get("/api/users/status?ids=" + ",".join(f"u{n}" for n in range(101))).status_code == 400


def test_other_users_are_shown(fake: FakeLichess, connect: Connect) -> None:
    anyone = connect(fake, None)
    fake.start_game("bot88", "Alice")
    assert anyone.get("/api/user/ALICE").json()["playing"].startswith(fake.url)
    users = anyone.post("/api/users", data="alice,nobody,Bobby").json()
    assert [user["username"] for user in users] == ["Alice", "Bobby"]
    assert anyone.get("/api/user/nobody").status_code == 404


def test_rated_games_move_ratings_and_counts(fake: FakeLichess, connect: Connect) -> None:
    for name, rating in (("Strong", 2000), ("Weak", 1700)):
        fake.add_account(name, title="BOT" if name == "Strong" else None, rating=rating, games=10)
    strong = connect(fake, "Strong")
    events = strong.stream("/api/stream/event")
    won_game(fake, "Strong", "Weak", rated=True, clock=(180, 0))
    finish = events.wait_for("gameFinish")["game"]
    assert 0 < finish["ratingDiff"] < 10, "the stronger side gains little"
    account = strong.get("/api/account").json()
    assert account["perfs"]["blitz"]["rating"] == 2000 + finish["ratingDiff"]
    assert (account["count"]["win"], account["count"]["rated"]) == (51, 1)


def test_a_provisional_rating_moves_far_and_becomes_more_certain(fake: FakeLichess, alice: Client) -> None:
    before = alice.get("/api/account").json()["perfs"]["blitz"]
    won_game(fake, "Alice", "Bobby", rated=True, clock=(180, 0))
    after = alice.get("/api/account").json()["perfs"]["blitz"]
    assert (before["rd"], before["prov"]) == (500, True)
    assert after["rating"] > before["rating"] + 50
    assert after["rd"] < before["rd"]


def test_every_account_lists_the_standard_speeds_from_the_start(fake: FakeLichess, connect: Connect) -> None:
    fake.add_account("Veteran", title="BOT", games={"blitz": 7, "atomic": 2})
    perfs = connect(fake, None).get("/api/user/Veteran").json()["perfs"]
    assert set(perfs) == {"ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence", "atomic"}
    assert (perfs["blitz"]["games"], perfs["rapid"]["games"], perfs["atomic"]["games"]) == (7, 0, 2)
    assert "prov" not in perfs["blitz"]


def test_a_matchmaking_bot_finds_somebody_on_a_fresh_server(make_fake: MakeFake, connect: Connect) -> None:
    """The choice that peers make: bots online, with games and a rating in range in the wanted category."""
    fake = make_fake()
    connect(fake, "OtherBot").stream("/api/stream/event")
    bot = connect(fake, "bot88")
    fake.wait_for(lambda: fake.is_online("OtherBot"))
    online = [json.loads(line) for line in bot.get("/api/bot/online?nb=512").text.splitlines()]
    for speed in ("bullet", "blitz", "rapid", "classical"):
        found = [
            one for one in online if one["perfs"][speed]["games"] > 0 and 600 <= one["perfs"][speed]["rating"] <= 4000
        ]
        assert [one["username"] for one in found] == ["OtherBot"]
    assert not bot.get("/api/user/otherbot").json().get("blocking")
    clock = {"rated": False, "variant": "standard", "clock.limit": 180, "clock.increment": 2, "days": None}
    assert bot.post("/api/challenge/OtherBot", json=clock).json()["status"] == "created"


def test_the_event_stream_may_be_opened_thirty_times(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(rate_limits=True)
    bot = connect(fake, "bot88")
    for _ in range(30):
        bot.stream("/api/stream/event")
    refused = bot.get("/api/stream/event")
    assert refused.status_code == 429
    assert refused.json()["error"].startswith("Please don't poll this endpoint")


def test_casual_games_count_but_not_in_the_category(fake: FakeLichess, connect: Connect) -> None:
    for rated in (False, True):
        won_game(fake, "Alice", "Bobby", rated=rated, clock=(180, 0))
    account = connect(fake, None).get("/api/user/alice").json()
    assert (account["count"]["all"], account["count"]["rated"], account["perfs"]["blitz"]["games"]) == (2, 1, 1)


def test_the_change_of_a_persons_rating_against_a_bot_is_halved(fake: FakeLichess, connect: Connect) -> None:
    for name, title in (("One", None), ("Two", None), ("Person", None), ("Robot", "BOT")):
        fake.add_account(name, title=title, rating=1500, games=10)
    diffs = []
    for winner, loser in (("One", "Robot"), ("Two", "Person")):
        game_id = fake.start_game(winner, loser, rated=True, clock=(180, 0))
        play(fake, game_id, "e2e4 e7e5")
        fake.player(loser, game_id).resign()
        game = connect(fake, None).get(f"/game/export/{game_id}", headers={"Accept": "application/json"}).json()
        diffs.append([game["players"][color]["ratingDiff"] for color in ("white", "black")])
    against_bot, against_person = diffs
    assert abs(against_bot[0] - against_person[0] / 2) <= 1
    assert against_bot[1] == against_person[1], "the bot's own change is whole"


def test_the_time_of_games_is_counted(fake: FakeLichess, connect: Connect) -> None:
    for white, black in (("Alice", "bot88"), ("Alice", "Bobby")):
        game_id = fake.start_game(white, black, clock=(180, 0))

        def begin_earlier(game_id: str = game_id) -> None:
            fake.world.game(game_id).created_at_ms -= 100_000

        fake.call(begin_earlier)
        play(fake, game_id, "e2e4 e7e5")
        fake.player(white, game_id).resign()
    anyone = connect(fake, None)
    times = {name: anyone.get(f"/api/user/{name}").json()["playTime"] for name in ("alice", "bot88")}
    assert (times["alice"]["total"] // 10, times["alice"]["human"] // 10) == (20, 10)
    assert times["bot88"]["human"] == times["bot88"]["total"] >= 100


def test_games_against_the_computer_are_counted_apart(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(ai_move_delay_s=0.0)
    alice = connect(fake, "Alice")
    against_computer = alice.post("/api/challenge/ai", data={"level": 1, "color": "white"}).json()["id"]
    against_bot = fake.start_game("Alice", "bot88", clock=(180, 0))
    assert alice.get("/api/account").json()["playing"] == f"{fake.url}/{against_bot}/white"
    assert {game["status"] for game in alice.get("/api/account/playing").json()["nowPlaying"]} == {"started"}
    fake.player("Alice", against_computer).move("e2e4")
    fake.wait_for_moves(against_computer, 2)
    play(fake, against_bot, "e2e4 e7e5")
    for game_id in (against_computer, against_bot):
        fake.player("Alice", game_id).resign()
    count = alice.get("/api/account").json()["count"]
    assert (count["all"], count["ai"], count["loss"], count["lossH"], count["winH"]) == (2, 1, 2, 1, 0)
