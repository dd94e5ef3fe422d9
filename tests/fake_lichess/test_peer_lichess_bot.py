"""The requests that lichess-bot makes, in its order: start, matchmaking, challenges, a game, an arena, a restart.

Written down from its published source (August 2026) as facts; no code of it is here, and it was not run itself.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.cli import fresh_config
from tests.fake_lichess.conftest import Connect, MakeFake, play
from tests.helpers.lichess_client import Client, Stream
from tests.helpers.peers import ask_for_scopes, open_arena, play_to_mate

BLITZ = {"clock.limit": 180, "clock.increment": 2}
FORM_TYPE = {"Content-Type": "application/x-www-form-urlencoded"}


def start(fake: FakeLichess, bot: Client, playing: int = 0) -> Stream:
    """Token, account, event stream, and the games under way."""
    ask_for_scopes(fake, bot)
    account = bot.get("/api/account").json()
    assert (account["title"], account["username"]) == ("BOT", "bot88")
    events = bot.stream("/api/stream/event")
    assert len(bot.get("/api/account/playing").json()["nowPlaying"]) == playing
    return events


def suitable(bot: Client, perf: str) -> list[str]:
    """Whom its matchmaking chooses from: bots online that have games in the category, and are within its ratings."""
    lines = bot.get("/api/bot/online").text.split("\n")
    online = [json.loads(line) for line in lines if line]
    return [
        one["username"]
        for one in online
        if one["username"] != "bot88"
        and one["perfs"].get(perf, {}).get("games", 0) > 0
        and 600 <= one["perfs"][perf]["rating"] <= 4000
    ]


def test_matchmaking_finds_an_opponent_challenges_in_json_and_plays(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(rate_limits=True)
    bot, other = connect(fake, "bot88"), connect(fake, "OtherBot")
    other.stream("/api/stream/event")
    events = start(fake, bot)
    fake.wait_for(lambda: fake.is_online("OtherBot"))
    assert bot.get("/api/account").json()["perfs"]["blitz"]["rating"] == 2000
    assert suitable(bot, "blitz") == ["OtherBot"]
    assert not bot.get("/api/user/OtherBot").json().get("blocking")
    form = {"rated": False, "variant": "standard"} | BLITZ  # no colour
    challenge_id = bot.post("/api/challenge/OtherBot", json=form).json()["id"]
    own = events.wait_for("challenge")["challenge"]
    assert (own["challenger"]["name"], own["color"], own["perf"]["name"]) == ("bot88", "random", "Blitz")
    fake.call(lambda: setattr(fake.lobby.challenges[challenge_id], "final_color", True))
    assert other.post(f"/api/challenge/{challenge_id}/accept").ok
    assert events.wait_for("gameStart")["game"]["id"] == challenge_id
    play_to_mate(fake, bot, challenge_id)
    assert events.wait_for("gameFinish")["game"]["winner"] == "white"
    assert "Qxf7#" in bot.get(f"/game/export/{challenge_id}").text
    assert bot.get("/api/users/status", params={"ids": "bot88"}).json()[0]["online"] is True


@pytest.mark.parametrize(
    ("perf", "terms"),
    [
        ("bullet", {"clock.limit": 60, "clock.increment": 1}),
        ("blitz", BLITZ),
        ("rapid", {"clock.limit": 600, "clock.increment": 0}),
        ("classical", {"clock.limit": 1800, "clock.increment": 0}),
        ("correspondence", {"days": 2}),
        ("chess960", {"variant": "chess960"} | BLITZ),
        ("racingKings", {"variant": "racingKings"} | BLITZ),
    ],
)
def test_a_fresh_server_has_somebody_for_every_category(
    make_fake: MakeFake, connect: Connect, perf: str, terms: dict[str, Any]
) -> None:
    fake = make_fake(accounts=fresh_config().accounts)
    bot = connect(fake, "bot88")
    events = start(fake, bot)
    assert suitable(bot, perf) == ["Sparring"]
    form = {"rated": True, "variant": "standard"} | terms
    challenge_id = bot.post("/api/challenge/Sparring", json=form).json()["id"]
    game = events.wait_for("gameStart")["game"]
    assert (game["id"], game["perf"], game["rated"], game["compat"]["bot"]) == (challenge_id, perf, True, True)


def test_an_unanswered_challenge_is_cancelled_and_another_made(fake: FakeLichess, bot: Client) -> None:
    start(fake, bot)
    form: dict[str, Any] = {"rated": False, "variant": "standard", "days": 2}
    first = bot.post("/api/challenge/OtherBot", json=form).json()["id"]
    assert bot.post(f"/api/challenge/{first}/cancel").json() == {"ok": True}
    second = bot.post("/api/challenge/OtherBot", json=form).json()
    assert (second["status"], second["timeControl"]["type"]) == ("created", "correspondence")


def test_a_challenge_that_was_declined_names_the_opponent_and_the_reason(fake: FakeLichess, bot: Client) -> None:
    events = start(fake, bot)
    form = {"rated": True, "variant": "standard"} | BLITZ
    challenge_id = bot.post("/api/challenge/OtherBot", json=form).json()["id"]
    fake.decline("OtherBot", challenge_id, "timeControl")
    told = events.wait_for("challengeDeclined")["challenge"]
    assert (told["challenger"]["name"], told["destUser"]["name"]) == ("bot88", "OtherBot")
    assert (told["declineReasonKey"], bool(told["declineReason"])) == ("timecontrol", True)


def test_a_refused_challenge_has_no_id(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(rate_limits=True, bot_games_per_day=1, allow_any_clock=False)
    bot = connect(fake, "bot88")
    start(fake, bot)
    form = {"rated": True, "variant": "standard"}
    refused = bot.post("/api/challenge/OtherBot", json=form | {"clock.limit": 61, "clock.increment": 0})
    assert (refused.status_code, "id" in refused.json()) == (400, False)
    fake.start_game("bot88", "OtherBot", clock=(60, 1))
    limited = bot.post("/api/challenge/OtherBot", json=form | BLITZ)
    assert (limited.status_code, limited.json()["ratelimit"]["key"]) == (429, "bot.vsBot.day")
    assert limited.json()["ratelimit"]["seconds"] > 0


@pytest.mark.parametrize(
    "reason", ["noBot", "onlyBot", "timeControl", "variant", "casual", "rated", "generic", "later"]
)
def test_a_challenge_is_declined_with_every_reason_that_it_gives(fake: FakeLichess, bot: Client, reason: str) -> None:
    events = start(fake, bot)
    challenge_id = fake.challenge("Alice", "bot88")
    events.wait_for("challenge")
    bot.get("/api/account/playing")  # who of the challengers plays already
    assert bot.post(f"/api/challenge/{challenge_id}/decline", data=f"reason={reason}", headers=FORM_TYPE).ok
    told = fake.call(lambda: fake.lobby.challenges[challenge_id])
    assert (told.status, told.decline_reason) == ("declined", reason)


def test_a_takeback_is_answered_on_the_opponents_turn(fake: FakeLichess, bot: Client, alice: Client) -> None:
    game_id = fake.start_game("bot88", "Alice", clock=(300, 0))
    stream = bot.stream(f"/api/bot/game/stream/{game_id}")
    play(fake, game_id, "e2e4 e7e5 g1f3")
    assert alice.post(f"/api/board/game/{game_id}/takeback/yes").ok
    stream.wait(lambda seen: seen[-1].get("btakeback"))
    assert bot.post(f"/api/bot/game/{game_id}/takeback/no").json() == {"ok": True}
    stream.wait(lambda seen: "btakeback" not in seen[-1])
    assert fake.game(game_id).moves == ("e2e4", "e7e5", "g1f3")


def test_a_game_by_correspondence_is_left_and_looked_into_again(fake: FakeLichess, bot: Client) -> None:
    game_id = fake.start_game("bot88", "Alice", days=2, clock=None)
    events = start(fake, bot, playing=1)
    game = events.wait_for("gameStart")["game"]
    assert (game["speed"], game["isMyTurn"]) == ("correspondence", True)
    assert 2 * 86_400 - 60 < game["secondsLeft"] <= 2 * 86_400
    stream = bot.stream(f"/api/bot/game/stream/{game_id}")
    assert "clock" not in stream.wait_for("gameFull")
    assert bot.post(f"/api/bot/game/{game_id}/move/e2e4", params={"offeringDraw": "false"}).ok
    stream.close()
    fake.player("Alice", game_id).move("e7e5")
    again = bot.stream(f"/api/bot/game/stream/{game_id}").wait_for("gameFull")
    assert again["state"]["moves"] == "e2e4 e7e5"


def test_an_arena_that_its_owner_has_joined_is_played(make_fake: MakeFake, connect: Connect) -> None:
    """The bot joins no arena; its games start like all others."""
    fake = make_fake(arena_pairing_s=0.02)
    bot = connect(fake, "bot88")
    events = start(fake, bot)
    path = open_arena(connect(fake, "Alice"))
    assert connect(fake, "bot88").post(f"{path}/join").ok
    fake.join_arena("OtherBot", path.rpartition("/")[2])
    game = events.wait_for("gameStart")["game"]
    assert (game["source"], game["compat"]["bot"], game["color"]) == ("arena", True, "white")
    assert connect(fake, "bot88").post(f"{path}/withdraw").ok
    play_to_mate(fake, bot, game["id"])
    table = bot.get(path).json()["standing"]["players"]
    assert [(player["name"], player["score"]) for player in table] == [("bot88", 2), ("OtherBot", 0)]


@pytest.mark.parametrize("planned", [True, False])
def test_after_a_restart_of_the_server_it_reconnects(fake: FakeLichess, bot: Client, planned: bool) -> None:
    events = start(fake, bot)
    game_id = fake.start_game("bot88", "Alice", clock=(300, 0))
    stream = bot.stream(f"/api/bot/game/stream/{game_id}")
    stream.wait_for("gameFull")
    play(fake, game_id, "e2e4 e7e5")
    challenge_id = fake.challenge("Bobby", "bot88", clock=(180, 2))
    events.wait_for("challenge")
    fake.restart(down_s=0.1, planned=planned)
    for broken in (events, stream):
        broken.wait_for_end()
    again = start(fake, bot, playing=1)
    assert again.wait_for("gameStart")["game"]["id"] == game_id
    full = bot.stream(f"/api/bot/game/stream/{game_id}").wait_for("gameFull")
    assert full["state"]["moves"] == "e2e4 e7e5"
    assert bot.post(f"/api/bot/game/{game_id}/move/d1h5", params={"offeringDraw": "false"}).ok
    assert again.wait_for("challenge")["challenge"]["id"] == challenge_id
    assert bot.post(f"/api/challenge/{challenge_id}/accept").ok
    assert again.wait_for("gameStart", 2)["game"]["id"] == challenge_id
