"""The requests that BotLi makes, in its order: start, matchmaking, challenges, arenas, a restart.

Written down from its published source as facts; no code of it is here, and it was not run itself.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator

import requests

from bot.fake_lichess import FakeLichess
from tests.fake_lichess.conftest import Connect, MakeFake, play
from tests.helpers.lichess_client import Client, Stream
from tests.helpers.peers import ask_for_scopes, open_arena, play_to_mate

CHALLENGE = {"rated": "false", "clock.limit": 60, "clock.increment": 1, "color": "white", "variant": "standard"}


def start(fake: FakeLichess, bot: Client) -> Stream:
    """Account, token, event stream."""
    account = bot.get("/api/account").json()
    assert (account["title"], "error" in account) == ("BOT", False)
    ask_for_scopes(fake, bot)
    return bot.stream("/api/stream/event")


def challenge(bot: Client, name: str) -> tuple[requests.Response, Iterator[bytes]]:
    """Challenge on a stream that is kept open; gives its lines without keep-alives."""
    answer = bot.post(f"/api/challenge/{name}", data=CHALLENGE | {"keepAliveStream": "true"}, stream=True)
    return answer, (line for line in answer.iter_lines(chunk_size=1) if line)


def status(bot: Client, name: str) -> dict[str, object]:
    """Whether somebody is online and plays."""
    found: list[dict[str, object]] = bot.get("/api/users/status", params={"ids": name}).json()
    return found[0]


def test_matchmaking_asks_who_is_free_and_waits_for_the_answer(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(rate_limits=True)
    bot, other = connect(fake, "bot88"), connect(fake, "OtherBot")
    other.stream("/api/stream/event")
    events = start(fake, bot)
    fake.wait_for(lambda: fake.is_online("OtherBot"))
    own = bot.get("/api/account").json()["perfs"]
    online = [json.loads(line) for line in bot.get("/api/bot/online").iter_lines() if line.strip()]
    (found,) = [one for one in online if one["id"] != "bot88"]
    assert found["perfs"]["bullet"]["rating"] - own["bullet"]["rating"] == -100
    assert "online" in status(bot, found["username"])
    assert "playing" not in status(bot, found["username"])
    answer, lines = challenge(bot, found["username"])
    challenge_id = json.loads(next(lines))["id"]
    fake.accept("OtherBot", challenge_id)
    assert json.loads(next(lines)) == {"done": "accepted"}
    assert next(lines, None) is None, "the server closes the stream"
    answer.close()
    assert events.wait_for("gameStart")["game"]["id"] == challenge_id
    assert "playing" in status(bot, "OtherBot")
    play_to_mate(fake, bot, challenge_id)


def test_a_declined_challenge_is_reported_on_both_streams(fake: FakeLichess, bot: Client) -> None:
    events = start(fake, bot)
    answer, lines = challenge(bot, "OtherBot")
    challenge_id = json.loads(next(lines))["id"]
    fake.decline("OtherBot", challenge_id, "later")
    assert json.loads(next(lines)) == {"done": "declined"}
    assert next(lines, None) is None
    answer.close()
    told = events.wait_for("challengeDeclined")["challenge"]
    assert (told["destUser"]["name"], told["declineReasonKey"]) == ("OtherBot", "later")


def test_nobody_answers_in_time_and_the_challenge_is_cancelled(
    fake: FakeLichess, bot: Client, connect: Connect
) -> None:
    start(fake, bot)
    theirs = connect(fake, "OtherBot").stream("/api/stream/event")
    answer, lines = challenge(bot, "OtherBot")
    challenge_id = json.loads(next(lines))["id"]
    assert theirs.wait_for("challenge")["challenge"]["id"] == challenge_id
    answer.raw.shutdown()
    assert bot.post(f"/api/challenge/{challenge_id}/cancel").json() == {"ok": True}
    assert theirs.wait_for("challengeCanceled")["challenge"]["challenger"]["name"] == "bot88"


def test_a_wrong_clock_is_reported_under_its_field(make_fake: MakeFake, connect: Connect) -> None:
    """It looks for `clock.limit` and `clock.increment` at the top of the answer, and for one line of JSON."""
    fake = make_fake(allow_any_clock=False)
    bot = connect(fake, "bot88")
    for field, value in (("clock.limit", 61), ("clock.increment", 999)):
        form = CHALLENGE | {"keepAliveStream": "true", field: value}
        answer = bot.post("/api/challenge/OtherBot", data=form, stream=True)
        (line,) = [one for one in answer.iter_lines() if one.strip()]
        assert field in json.loads(line)
        assert answer.status_code == 400


def test_challenges_of_others_carry_what_it_prints_and_are_taken(fake: FakeLichess, bot: Client) -> None:
    events = start(fake, bot)
    challenge_id = fake.challenge("Alice", "bot88", clock=(180, 2))
    found = events.wait_for("challenge")["challenge"]
    assert {"name", "rating"} <= set(found["challenger"])
    assert (found["timeControl"]["show"], found["variant"]["name"]) == ("3+2", "Standard")
    assert bot.post(f"/api/challenge/{challenge_id}/accept").ok
    assert events.wait_for("gameStart")["game"]["id"] == challenge_id
    declined = fake.challenge("Bobby", "bot88", clock=(180, 2))
    assert bot.post(f"/api/challenge/{declined}/decline", data={"reason": "tooFast"}).ok
    assert fake.challenge_status(declined) == "declined"


def test_it_joins_its_team_and_the_arena_of_that_team(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(arena_pairing_s=0.02)
    bot = connect(fake, "bot88")
    events = start(fake, bot)
    fields = {"conditions.teamMember.teamId": "fake-club", "password": "sesame"}
    path = open_arena(connect(fake, "Alice"), **fields)
    info = bot.get(path).json()
    begun = datetime.datetime.fromisoformat(info["startsAt"])
    assert begun <= datetime.datetime.now(datetime.UTC), "a time with its zone"
    assert (info["minutes"], info["fullName"], info["botsAllowed"]) == (20, "Bots Arena", True)
    form = {"team": "fake-club", "password": "sesame"}
    assert bot.post(f"{path}/join", data=form).json() == {"error": "Tournament restrictions"}
    assert bot.post("/team/fake-club/join", data={"message": "", "password": ""}).json() == {"ok": True}
    assert bot.post(f"{path}/join", data=form).json() == {"ok": True}
    fake.call(lambda: fake.teams.find("fake-club").add(fake.world.account("OtherBot")))
    fake.join_arena("OtherBot", info["id"])
    game = events.wait_for("gameStart")["game"]
    play_to_mate(fake, bot, game["id"])
    assert events.wait_for("gameStart", 2)["game"]["tournamentId"] == info["id"], "paired again at once"
    assert bot.post(f"{path}/withdraw").json() == {"ok": True}


def test_an_arena_that_is_not_there_or_refuses_is_reported(fake: FakeLichess, bot: Client, alice: Client) -> None:
    assert "error" in bot.get("/api/tournament/nonsense").json()
    path = open_arena(alice, **{"conditions.bots": "false"})
    assert not bot.get(path).json().get("botsAllowed", False)
    assert "error" in bot.post(f"{path}/join").json()


def test_an_arena_joined_elsewhere_is_noticed_and_survives_a_restart(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(arena_pairing_s=0.02)
    bot = connect(fake, "bot88")
    events = start(fake, bot)
    path = open_arena(connect(fake, "Alice"))
    arena_id = path.rpartition("/")[2]
    assert connect(fake, "bot88").post(f"{path}/join").ok
    fake.restart(down_s=0.1, planned=False)
    events.wait_for_end()
    again = bot.stream("/api/stream/event")
    assert bot.post(f"{path}/join").json() == {"ok": True}, "joining again is harmless"
    fake.join_arena("OtherBot", arena_id)
    game = again.wait_for("gameStart")["game"]
    assert bot.get(f"/api/tournament/{game['tournamentId']}").json()["nbPlayers"] == 2
    assert bot.get("/api/account/playing").json()["nowPlaying"][0]["tournamentId"] == arena_id
    play_to_mate(fake, bot, game["id"])


def test_after_a_restart_both_streams_are_opened_again_and_the_move_is_made(fake: FakeLichess, bot: Client) -> None:
    """It asks for nothing else: the event stream has to name the game, the game's stream all that happened."""
    events = start(fake, bot)
    game_id = fake.start_game("bot88", "Alice", clock=(300, 0))
    stream = bot.stream(f"/api/bot/game/stream/{game_id}")
    stream.wait_for("gameFull")
    play(fake, game_id, "e2e4 e7e5")
    fake.restart(down_s=0.1, planned=False)
    for broken in (events, stream):
        broken.wait_for_end()
    full = bot.stream(f"/api/bot/game/stream/{game_id}").wait_for("gameFull")
    assert full["state"]["moves"] == "e2e4 e7e5"
    assert bot.stream("/api/stream/event").wait_for("gameStart")["game"]["id"] == game_id
    assert bot.post(f"/api/bot/game/{game_id}/move/d1h5", params={"offeringDraw": "false"}).ok


def test_who_has_left_is_claimed_against(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(gone_after_s=0.05, claim_after_s=0)
    bot, alice = connect(fake, "bot88"), connect(fake, "Alice")
    start(fake, bot)
    game_id = fake.start_game("bot88", "Alice", clock=(300, 0))
    stream = bot.stream(f"/api/bot/game/stream/{game_id}")
    theirs = alice.stream(f"/api/board/game/stream/{game_id}")
    theirs.wait_for("gameFull")
    play(fake, game_id, "e2e4 e7e5 g1f3")
    theirs.close()
    stream.wait(lambda seen: [one for one in seen if one.get("gone") and one.get("claimWinInSeconds") == 0])
    assert bot.post(f"/api/bot/game/{game_id}/claim-victory").json() == {"ok": True}
    stream.wait_for_end()
    assert (stream.events[-1]["status"], stream.events[-1]["winner"]) == ("timeout", "white")
