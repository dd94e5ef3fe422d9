"""Accounts, tokens, presence, the account's event stream."""

from __future__ import annotations

from bot.fake_lichess import FakeLichess
from tests.fake_lichess.conftest import Connect, MakeFake
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


def test_an_account_with_games_cannot_become_a_bot(fake: FakeLichess, connect: Connect) -> None:
    fake.add_account("Veteran", games=3)
    refused = connect(fake, "Veteran").post("/api/bot/account/upgrade")
    assert (refused.status_code, refused.json()["error"][:31]) == (400, "You already have games played. ")


def test_a_fresh_account_becomes_a_bot_once(fake: FakeLichess, connect: Connect) -> None:
    fresh = connect(fake, "Fresh")
    assert fresh.post("/api/bot/account/upgrade").json() == {"ok": True}
    assert fresh.get("/api/account").json()["title"] == "BOT"
    assert fresh.post("/api/bot/account/upgrade").status_code == 400


def test_a_new_event_stream_replays_games_and_challenges_and_closes_the_older(fake: FakeLichess, bot: Client) -> None:
    first = bot.stream("/api/stream/event")
    fake.wait_for(lambda: fake.is_online("bot88"))
    game_id = fake.start_game("Alice", "bot88")
    challenge_id = fake.challenge("Bobby", "bot88")
    second = bot.stream("/api/stream/event")
    assert second.wait_for("gameStart")["game"]["gameId"] == game_id
    assert second.wait_for("challenge")["challenge"]["id"] == challenge_id
    first.wait_for_end()
    assert first.error is None
    assert fake.is_online("bot88")


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
    fake.wait_for(lambda: fake.is_online("bot88"))
    game_id = fake.start_game("bot88", "Alice")
    shown = anyone.get("/api/users/status?ids=bot88,nobody&withGameIds=true").json()
    expected = {"id": "bot88", "name": "bot88", "title": "BOT", "online": True, "playing": True, "playingId": game_id}
    assert shown == [expected]
    assert anyone.get("/api/bot/online").json()["id"] == "bot88"
    assert anyone.get("/api/users/status?ids=" + ",".join(f"u{n}" for n in range(101))).status_code == 400


def test_other_users_are_shown(fake: FakeLichess, connect: Connect) -> None:
    anyone = connect(fake, None)
    fake.start_game("bot88", "Alice")
    assert anyone.get("/api/user/ALICE").json()["playing"].startswith(fake.url)
    users = anyone.post("/api/users", data="alice,nobody,Bobby").json()
    assert [user["username"] for user in users] == ["Alice", "Bobby"]
    assert anyone.get("/api/user/nobody").status_code == 404


def test_rated_games_move_ratings_and_counts(fake: FakeLichess, bot: Client) -> None:
    events = bot.stream("/api/stream/event")
    fake.wait_for(lambda: fake.is_online("bot88"))
    game_id = fake.start_game("bot88", "Alice", rated=True, clock=(180, 0))
    fake.player("bot88", game_id).move("e2e4")
    fake.player("Alice", game_id).move("e7e5")
    fake.player("Alice", game_id).resign()
    finish = events.wait_for("gameFinish")["game"]
    assert finish["ratingDiff"] == -finish["opponent"]["ratingDiff"]
    assert 0 < finish["ratingDiff"] < 10, "the stronger side gains little"
    account = bot.get("/api/account").json()
    assert account["perfs"]["blitz"]["rating"] == 2000 + finish["ratingDiff"]
    assert (account["count"]["win"], account["count"]["rated"]) == (1, 1)


def test_the_event_stream_may_be_opened_thirty_times(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(rate_limits=True)
    bot = connect(fake, "bot88")
    for _ in range(30):
        bot.stream("/api/stream/event")
    refused = bot.get("/api/stream/event")
    assert refused.status_code == 429
    assert refused.json()["error"].startswith("Please don't poll this endpoint")
