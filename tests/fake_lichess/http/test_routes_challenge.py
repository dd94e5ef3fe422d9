"""Challenges over HTTP: forms, answers, life, rematches, the computer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.fake_lichess import FakeLichess
from tests.fake_lichess.conftest import Connect, MakeFake
from tests.helpers.lichess_client import Client

BLITZ = {"clock.limit": 180, "clock.increment": 2}


@pytest.mark.parametrize("style", ["form", "json", "json with nulls", "nested json"])
def test_a_challenge_in_every_kind_of_body(fake: FakeLichess, alice: Client, bot: Client, style: str) -> None:
    fields: dict[str, Any] = BLITZ | {"color": "white", "rated": "true"}
    if style == "form":
        answer = alice.post("/api/challenge/bot88", data=fields)
    elif style == "nested json":
        nested = {"clock": {"limit": 180, "increment": 2}, "color": "white", "rated": True}
        answer = alice.post("/api/challenge/bot88", json=nested)
    else:
        nulls = {"days": None, "variant": None, "fen": None} if style == "json with nulls" else {}
        answer = alice.post("/api/challenge/bot88", json=fields | {"rated": True} | nulls)
    challenge = answer.json()
    assert (answer.status_code, challenge["direction"], challenge["rated"]) == (200, "out", True)
    assert challenge["timeControl"] == {"type": "clock", "limit": 180, "increment": 2, "show": "3+2"}
    assert (challenge["speed"], challenge["finalColor"]) == ("blitz", "white")
    assert bot.get("/api/challenge").json()["in"][0]["direction"] == "in"
    assert alice.get(f"/api/challenge/{challenge['id']}/show").json()["status"] == "created"
    assert bot.post(f"/api/challenge/{challenge['id']}/accept").json() == {"ok": True}
    assert fake.game(challenge["id"]).white == "Alice"


@pytest.mark.parametrize(
    "fields",
    [
        {"clock.limit": 100, "clock.increment": 0},
        {"clock.limit": 10_860, "clock.increment": 0},
        {"clock.limit": 60, "clock.increment": 61},
        {"clock.limit": 60, "clock.increment": 0.5},
        {"clock.limit": -60, "clock.increment": 0},
        {"clock.limit": "nan", "clock.increment": 0},
        {"clock.limit": 60},
        {"days": 4},
        BLITZ | {"color": "red"},
        BLITZ | {"variant": "bughouse"},
        BLITZ | {"variant": "fromPosition"},
        BLITZ | {"variant": "fromPosition", "fen": "8/8/8/8/8/8/8/8 w - - 0 1"},
        BLITZ | {"fen": "not a position"},
        BLITZ | {"rated": "perhaps"},
        BLITZ | {"rules": "noFun"},
        BLITZ | {"rules": "noAbort"},
        {"clock.limit": 15, "clock.increment": 0},
        {"rated": "true"},
        BLITZ | {"rated": "true", "fen": "7k/8/6K1/8/8/8/8/6R1 w - - 0 1"},
        {"clock.limit": 0, "clock.increment": 1, "rated": "true", "variant": "atomic"},
    ],
)
def test_what_lichess_refuses_is_refused(make_fake: MakeFake, connect: Connect, fields: dict[str, Any]) -> None:
    fake = make_fake(allow_any_clock=False)
    answer = connect(fake, "Alice").post("/api/challenge/bot88", data=fields)
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"]
    assert fake.games() == []


@pytest.mark.parametrize(
    ("limit", "increment"), [(0, 1), (30, 0), (15, 1), (60, 0), (90, 60), (10_800, 0)], ids=lambda value: str(value)
)
def test_clocks_that_bots_may_play(make_fake: MakeFake, connect: Connect, limit: int, increment: int) -> None:
    fake = make_fake(allow_any_clock=False)
    fields = {"clock.limit": limit, "clock.increment": increment}
    assert connect(fake, "Alice").post("/api/challenge/bot88", data=fields).ok


@pytest.mark.parametrize(("reason", "key"), [("tooFast", "toofast"), ("NOBOT", "nobot"), ("whatever", "generic")])
def test_declining_tells_the_challenger_why(
    fake: FakeLichess, alice: Client, bot: Client, reason: str, key: str
) -> None:
    events = alice.stream("/api/stream/event")
    fake.wait_for(lambda: fake.is_online("Alice"))
    challenge_id = alice.post("/api/challenge/bot88", data=BLITZ).json()["id"]
    assert events.wait_for("challenge")["challenge"]["challenger"]["id"] == "alice", "one's own challenge is echoed"
    assert bot.post(f"/api/challenge/{challenge_id}/decline", json={"reason": reason}).json() == {"ok": True}
    declined = events.wait_for("challengeDeclined")["challenge"]
    assert (declined["status"], declined["declineReasonKey"]) == ("declined", key)
    assert bot.post(f"/api/challenge/{challenge_id}/accept").status_code == 404


def test_cancelling_tells_the_other(fake: FakeLichess, alice: Client, bot: Client) -> None:
    events = bot.stream("/api/stream/event")
    fake.wait_for(lambda: fake.is_online("bot88"))
    challenge_id = alice.post("/api/challenge/bot88", data=BLITZ).json()["id"]
    assert bot.post(f"/api/challenge/{challenge_id}/cancel").status_code == 404, "only the challenger may"
    assert alice.post(f"/api/challenge/{challenge_id}/cancel").ok
    assert events.wait_for("challengeCanceled")["challenge"]["status"] == "canceled"


def test_cancelling_an_accepted_challenge_aborts_its_game(fake: FakeLichess, alice: Client) -> None:
    game_id = fake.start_game("Alice", "bot88")
    assert alice.post(f"/api/challenge/{game_id}/cancel").ok
    assert fake.game(game_id).status == "aborted"


def test_an_unanswered_challenge_expires_in_silence(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(challenge_life_s=0.1)
    alice, bot = connect(fake, "Alice"), connect(fake, "bot88")
    events = bot.stream("/api/stream/event")
    fake.wait_for(lambda: fake.is_online("bot88"))
    quick = alice.post("/api/challenge/bot88", data=BLITZ).json()["id"]
    slow = alice.post("/api/challenge/bot88", data={"days": 2}).json()["id"]
    fake.wait_for(lambda: fake.challenge_status(quick) == "offline")
    assert bot.post(f"/api/challenge/{quick}/accept").status_code == 404
    assert bot.post(f"/api/challenge/{slow}/accept").ok, "correspondence challenges stay"
    assert [event["type"] for event in events.events if event["type"] == "challengeCanceled"] == []


def test_a_kept_alive_challenge_ends_with_its_answer(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(challenge_life_s=0.05, event_keepalive_s=0.02)
    alice, bot = connect(fake, "Alice"), connect(fake, "bot88")
    answer = alice.post("/api/challenge/bot88", data=BLITZ | {"keepAliveStream": "true"}, stream=True)
    lines = answer.iter_lines(chunk_size=1)
    challenge = json.loads(next(lines))
    assert [next(lines) for _ in range(5)] == [b""] * 5, "longer than an unattended challenge would live"
    assert bot.post(f"/api/challenge/{challenge['id']}/accept").ok
    assert json.loads(next(line for line in lines if line)) == {"done": "accepted"}


def test_closing_a_kept_alive_challenge_withdraws_it(fake: FakeLichess, alice: Client) -> None:
    answer = alice.post("/api/challenge/bot88", data=BLITZ | {"keepAliveStream": "true"}, stream=True)
    lines = answer.iter_lines(chunk_size=1)
    challenge_id = json.loads(next(lines))["id"]
    answer.close()
    fake.wait_for(lambda: fake.challenge_status(challenge_id) == "offline")


def test_a_rematch_arrives_as_a_challenge_and_is_accepted_by_its_id(fake: FakeLichess, bot: Client) -> None:
    events = bot.stream("/api/stream/event")
    fake.wait_for(lambda: fake.is_online("bot88"))
    first = fake.start_game("bot88", "Alice", clock=(300, 0))
    for name, uci in (("bot88", "e2e4"), ("Alice", "e7e5")):
        fake.player(name, first).move(uci)
    fake.player("Alice", first).resign()
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
    for bad in ("0", "-5", "²", "1e3", "99999999999"):
        assert alice.post(f"/api/round/{game_id}/add-time/{bad}").status_code == 400


def test_an_anonymous_challenger_has_no_name(fake: FakeLichess, bot: Client) -> None:
    events = bot.stream("/api/stream/event")
    fake.wait_for(lambda: fake.is_online("bot88"))
    challenge_id = fake.challenge("Anonymous", "bot88", color="black")
    assert events.wait_for("challenge")["challenge"]["challenger"] is None
    assert bot.post(f"/api/challenge/{challenge_id}/accept").ok
    assert events.wait_for("gameStart")["game"]["opponent"] == {"id": None, "username": "Anonymous"}
    assert bot.stream(f"/api/bot/game/stream/{challenge_id}").wait_for("gameFull")["black"] == {}


def test_unlimited_and_correspondence_games_have_their_own_times(fake: FakeLichess, alice: Client, bot: Client) -> None:
    unlimited = alice.post("/api/challenge/bot88", data={"color": "white"}).json()
    letter = alice.post("/api/challenge/bot88", data={"color": "white", "days": 2}).json()
    assert (unlimited["timeControl"], letter["timeControl"]["daysPerTurn"]) == ({"type": "unlimited"}, 2)
    for challenge in (unlimited, letter):
        assert bot.post(f"/api/challenge/{challenge['id']}/accept").ok
    assert len(bot.get("/api/account/playing").json()["nowPlaying"]) == 2
    first = bot.stream(f"/api/bot/game/stream/{unlimited['id']}").wait_for("gameFull")
    second = bot.stream(f"/api/bot/game/stream/{letter['id']}").wait_for("gameFull")
    assert (first["state"]["wtime"], "clock" in first) == (2147483647, False)
    assert (second["state"]["wtime"], second["daysPerTurn"]) == (2 * 86_400_000, 2)
