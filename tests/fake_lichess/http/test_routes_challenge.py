"""Challenges over HTTP: forms, answers, life, rematches, the computer."""

from __future__ import annotations

import json

import pytest

from bot.fake_lichess import FakeLichess
from tests.fake_lichess.conftest import Connect, MakeFake, error_of, play, won_game
from tests.helpers.lichess_client import Client

BLITZ = {"clock.limit": 180, "clock.increment": 2}


@pytest.mark.parametrize(("reason", "key"), [("tooFast", "toofast"), ("NOBOT", "nobot"), ("whatever", "generic")])
def test_a_declined_challenge_is_reported_to_both_with_its_reason(
    alice: Client, bot: Client, reason: str, key: str
) -> None:
    streams = [alice.stream("/api/stream/event"), bot.stream("/api/stream/event")]
    challenge_id = alice.post("/api/challenge/bot88", data=BLITZ).json()["id"]
    assert streams[0].wait_for("challenge")["challenge"]["challenger"]["id"] == "alice", "one's own is echoed"
    assert bot.post(f"/api/challenge/{challenge_id}/decline", json={"reason": reason}).json() == {"ok": True}
    for stream in streams:
        declined = stream.wait_for("challengeDeclined")["challenge"]
        assert (declined["status"], declined["declineReasonKey"]) == ("declined", key)
    refused = bot.post(f"/api/challenge/{challenge_id}/accept")
    assert error_of(refused) == (400, "The challenge has been declined.")
    assert bot.post(f"/api/challenge/{challenge_id}/decline").status_code == 404


def test_cancelling_anothers_challenge_declines_it(fake: FakeLichess, alice: Client, bot: Client) -> None:
    events = alice.stream("/api/stream/event")
    challenge_id = alice.post("/api/challenge/bot88", data=BLITZ).json()["id"]
    assert bot.post(f"/api/challenge/{challenge_id}/cancel").ok
    assert events.wait_for("challengeDeclined")["challenge"]["declineReasonKey"] == "generic"


def test_a_cancelled_challenge_is_reported_and_cannot_be_accepted(alice: Client, bot: Client) -> None:
    events = bot.stream("/api/stream/event")
    challenge_id = alice.post("/api/challenge/bot88", data=BLITZ).json()["id"]
    assert alice.post(f"/api/challenge/{challenge_id}/cancel").ok
    assert events.wait_for("challengeCanceled")["challenge"]["status"] == "canceled"
    assert error_of(bot.post(f"/api/challenge/{challenge_id}/accept")) == (400, "The challenge has been canceled.")
    assert alice.post(f"/api/challenge/{challenge_id}/cancel").status_code == 404


def test_a_second_challenge_to_the_same_player_replaces_the_first(
    fake: FakeLichess, alice: Client, bot: Client
) -> None:
    first = alice.post("/api/challenge/bot88", data=BLITZ).json()["id"]
    other = alice.post("/api/challenge/Bobby", data=BLITZ).json()["id"]
    second = alice.post("/api/challenge/bot88", data=BLITZ).json()["id"]
    assert {challenge["id"] for challenge in alice.get("/api/challenge").json()["out"]} == {second, other}
    assert bot.post(f"/api/challenge/{first}/accept").status_code == 404
    assert alice.get(f"/api/challenge/{first}/show").status_code == 404
    assert bot.post(f"/api/challenge/{second}/accept").ok


def test_a_refused_form_costs_no_credits(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(rate_limits=True)
    bot = connect(fake, "bot88")
    wrong = [bot.post("/api/challenge/Alice", data=BLITZ | {"color": "red"}).status_code for _ in range(10)]
    assert wrong == [400] * 10
    assert [bot.post("/api/challenge/Alice", data=BLITZ).status_code for _ in range(6)] == [200] * 5 + [429]


def test_cancelling_an_accepted_challenge_aborts_its_game(fake: FakeLichess, alice: Client) -> None:
    game_id = fake.start_game("Alice", "bot88")
    assert alice.post(f"/api/challenge/{game_id}/cancel").ok
    assert fake.game(game_id).status == "aborted"


def test_a_game_on_its_way_is_aborted_with_the_opponents_token_only(fake: FakeLichess, alice: Client) -> None:
    game_id = fake.start_game("Alice", "bot88")
    play(fake, game_id, "e2e4 e7e5")
    path = f"/api/challenge/{game_id}/cancel"
    wrong = {"": "Missing opponentToken", "nonsense": "No such token", fake.token("Bobby"): "Not the opponent token"}
    for token, told in wrong.items():
        assert error_of(alice.post(path, params={"opponentToken": token})) == (400, told)
    assert alice.post(path, params={"opponentToken": fake.token("bot88")}).ok
    assert fake.game(game_id).status == "aborted"
    assert alice.post(path).status_code == 404


@pytest.mark.parametrize("action", ["accept", "cancel"])
def test_an_unanswered_challenge_expires_in_silence_but_may_still_be_answered(
    make_fake: MakeFake, connect: Connect, action: str
) -> None:
    fake = make_fake(challenge_life_s=0.1)
    alice, bot = connect(fake, "Alice"), connect(fake, "bot88")
    events = bot.stream("/api/stream/event")
    quick = alice.post("/api/challenge/bot88", data=BLITZ).json()["id"]
    slow = connect(fake, "Bobby").post("/api/challenge/bot88", data={"days": 2}).json()["id"]
    fake.wait_for(lambda: fake.challenge_status(quick) == "offline")
    assert fake.challenge_status(slow) == "created", "correspondence challenges stay"
    assert [event["type"] for event in events.events if event["type"] == "challengeCanceled"] == []
    assert bot.get("/api/challenge").json()["in"][0]["id"] == slow, "an expired one is no longer listed"
    assert (bot if action == "accept" else alice).post(f"/api/challenge/{quick}/{action}").json() == {"ok": True}
    assert events.wait_for("gameStart" if action == "accept" else "challengeCanceled")


@pytest.mark.parametrize(("action", "done"), [("accept", "accepted"), ("cancel", "canceled")])
def test_a_kept_alive_challenge_ends_with_its_answer(
    make_fake: MakeFake, connect: Connect, action: str, done: str
) -> None:
    fake = make_fake(challenge_life_s=0.05, event_keepalive_s=0.02)
    alice, bot = connect(fake, "Alice"), connect(fake, "bot88")
    answer = alice.post("/api/challenge/bot88", data=BLITZ | {"keepAliveStream": "true"}, stream=True)
    lines = answer.iter_lines(chunk_size=1)
    challenge = json.loads(next(lines))
    assert [next(lines) for _ in range(5)] == [b""] * 5, "longer than an unattended challenge would live"
    assert (bot if action == "accept" else alice).post(f"/api/challenge/{challenge['id']}/{action}").ok
    assert json.loads(next(line for line in lines if line)) == {"done": done}


def test_closing_a_kept_alive_challenge_lets_it_expire(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(challenge_life_s=0.2)
    alice = connect(fake, "Alice")
    answer = alice.post("/api/challenge/bot88", data=BLITZ | {"keepAliveStream": "true"}, stream=True)
    lines = answer.iter_lines(chunk_size=1)
    challenge_id = json.loads(next(lines))["id"]
    answer.close()
    fake.wait_for(lambda: fake.challenge_status(challenge_id) == "offline")
    assert alice.post(f"/api/challenge/{challenge_id}/cancel").ok


def test_clocks_are_started_with_the_tokens_of_both(fake: FakeLichess, alice: Client) -> None:
    game_id = fake.start_game("Alice", "bot88", clock=(60, 0))
    path = f"/api/challenge/{game_id}/start-clocks"
    assert alice.post(path, params={"token1": fake.token("Alice")}).status_code == 400
    assert fake.game(game_id).white_ms == 60_000
    assert alice.post(path, params={"token1": fake.token("Alice"), "token2": fake.token("bot88")}).ok
    fake.wait_for(lambda: fake.game(game_id).white_ms < 60_000)
    assert fake.game(game_id).black_ms == 60_000


def test_compat_is_what_each_account_can_play(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(allow_any_clock=False)
    alice, bot = connect(fake, "Alice"), connect(fake, "bot88")
    streams = {"Alice": alice.stream("/api/stream/event"), "bot88": bot.stream("/api/stream/event")}
    bullet = alice.post("/api/challenge/bot88", data={"clock.limit": 60, "clock.increment": 0}).json()["id"]
    assert streams["Alice"].wait_for("challenge")["compat"] == {"bot": False, "board": False}
    assert streams["bot88"].wait_for("challenge")["compat"] == {"bot": True, "board": False}
    assert bot.post(f"/api/challenge/{bullet}/accept").ok
    assert streams["Alice"].wait_for("gameStart")["game"]["compat"] == {"bot": False, "board": False}
    assert streams["bot88"].wait_for("gameStart")["game"]["compat"] == {"bot": True, "board": False}
    assert error_of(alice.get(f"/api/board/game/stream/{bullet}")) == (
        400,
        "This game cannot be played with the Board API.",
    )
    assert alice.get(f"/api/board/game/{bullet}/chat", headers={"X-Requested-With": "fake-lichess-page"}).ok


def test_a_rematch_arrives_as_a_challenge_and_is_accepted_by_its_id(fake: FakeLichess, bot: Client) -> None:
    events = bot.stream("/api/stream/event")
    first = won_game(fake, "bot88", "Alice", clock=(300, 0))
    second = fake.player("Alice", first).rematch()
    offered = events.wait(lambda seen: [e for e in seen if e["type"] == "challenge" and "rematchOf" in e["challenge"]])
    assert (offered[0]["challenge"]["id"], offered[0]["challenge"]["rematchOf"]) == (second, first)
    assert bot.post(f"/api/challenge/{second}/accept").ok
    assert (fake.game(second).white, fake.game(second).black) == ("Alice", "bot88")
    again = bot.stream(f"/api/bot/game/stream/{first}").wait_for("gameFull")
    assert again["state"]["rematch"] == second


def test_the_computer_is_challenged_and_plays(fake: FakeLichess, bot: Client) -> None:
    answer = bot.post("/api/challenge/ai", data=BLITZ | {"level": 2, "color": "black"})
    game = answer.json()
    assert (answer.status_code, game["source"], game["status"]["name"]) == (201, "ai", "started")
    stream = bot.stream(f"/api/bot/game/stream/{game['id']}")
    assert stream.wait_for("gameFull")["white"] == {"aiLevel": 2}
    fake.wait_for_moves(game["id"], 1)
    assert bot.post("/api/challenge/ai", data=BLITZ | {"level": 9}).status_code == 400


def test_the_computer_delays_a_bots_move(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(ai_move_delay_s=0.2)
    bot = connect(fake, "bot88")
    game_id = bot.post("/api/challenge/ai", data=BLITZ | {"level": 1, "color": "white"}).json()["id"]
    assert bot.post(f"/api/bot/game/{game_id}/move/e2e4").json() == {"ok": True}
    assert fake.requests("move")[0].took_ms >= 200
    assert fake.wait_for_moves(game_id, 2).moves[0] == "e2e4"


def test_time_is_given_to_the_opponent(fake: FakeLichess, alice: Client) -> None:
    game_id = fake.start_game("Alice", "bot88", clock=(60, 0))
    assert alice.post(f"/api/round/{game_id}/add-time/15").json() == {"ok": True}
    assert fake.game(game_id).black_ms == 75_000
    for bad in ("4", "61", "-5", "²", "1e3", "99999999999"):
        assert alice.post(f"/api/round/{game_id}/add-time/{bad}").status_code == 400


def test_an_anonymous_challenger_has_no_name(fake: FakeLichess, bot: Client) -> None:
    events = bot.stream("/api/stream/event")
    challenge_id = fake.challenge("Anonymous", "bot88", color="black")
    assert events.wait_for("challenge")["challenge"]["challenger"] is None
    assert bot.post(f"/api/challenge/{challenge_id}/accept").ok
    assert events.wait_for("gameStart")["game"]["opponent"] == {"id": None, "username": "Anonymous"}
    assert bot.stream(f"/api/bot/game/stream/{challenge_id}").wait_for("gameFull")["black"] == {}


def test_unlimited_and_correspondence_games_have_their_own_times(fake: FakeLichess, alice: Client, bot: Client) -> None:
    unlimited = alice.post("/api/challenge/bot88", data={"color": "white"}).json()
    assert bot.post(f"/api/challenge/{unlimited['id']}/accept").ok
    letter = alice.post("/api/challenge/bot88", data={"color": "white", "days": 2}).json()
    assert bot.post(f"/api/challenge/{letter['id']}/accept").ok
    assert (unlimited["timeControl"], letter["timeControl"]["daysPerTurn"]) == ({"type": "unlimited"}, 2)
    assert len(bot.get("/api/account/playing").json()["nowPlaying"]) == 2
    first = bot.stream(f"/api/bot/game/stream/{unlimited['id']}").wait_for("gameFull")
    second = bot.stream(f"/api/bot/game/stream/{letter['id']}").wait_for("gameFull")
    assert (first["state"]["wtime"], "clock" in first) == (2147483647, False)
    assert 2 * 86_400_000 - 60_000 < second["state"]["wtime"] < 2 * 86_400_000, "runs from the creation"
    assert second["daysPerTurn"] == 2
