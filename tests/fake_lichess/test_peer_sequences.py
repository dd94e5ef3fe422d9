"""The requests that widely used bots make, in their order: start, matchmaking, a game, an arena, a restart.

Written down from what is published about them; no code of theirs is here, and the bots themselves were not run.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.fake_lichess import FakeLichess
from tests.fake_lichess.conftest import Connect, MakeFake, play
from tests.helpers.lichess_client import Client, Stream

MOVES = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7"


def start(fake: FakeLichess, bot: Client) -> Stream:
    """The start of lichess-bot: what the token may, who we are, the event stream, the games under way."""
    token = fake.token("bot88")
    tested = bot.post("/api/token/test", data=token).json()
    assert {"bot:play"} <= set(tested[token]["scopes"].split(","))
    assert bot.get("/api/account").json()["title"] == "BOT"
    events = bot.stream("/api/stream/event")
    assert bot.get("/api/account/playing").json() == {"nbMyTurn": 0, "nowPlaying": []}
    return events


def play_as_peer(fake: FakeLichess, bot: Client, game_id: str) -> Stream:
    """A game as both bots play it: stream, greeting in both rooms, every move with `offeringDraw`."""
    stream = bot.stream(f"/api/bot/game/stream/{game_id}")
    full = stream.wait_for("gameFull")
    opponent = fake.game(game_id).black
    assert full["white"]["id"] == "bot88"
    for room in ("player", "spectator"):
        assert bot.post(f"/api/bot/game/{game_id}/chat", data={"room": room, "text": f"Good luck {room}"}).ok
    for number, uci in enumerate(MOVES.split()):
        if number % 2:
            fake.player(opponent, game_id).move(uci)
        else:
            fake.wait_for_moves(game_id, number)
            assert bot.post(f"/api/bot/game/{game_id}/move/{uci}", params={"offeringDraw": "false"}).ok
    stream.wait_for_end()
    assert stream.error is None
    assert stream.events[-1]["status"] == "mate"
    return stream


def test_lichess_bot_finds_an_opponent_challenges_by_json_and_plays(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(rate_limits=True)
    bot, other = connect(fake, "bot88"), connect(fake, "OtherBot")
    other.stream("/api/stream/event")
    events = start(fake, bot)
    fake.wait_for(lambda: fake.is_online("OtherBot"))
    online = [json.loads(line) for line in bot.get("/api/bot/online?nb=512").text.splitlines()]
    (target,) = [user for user in online if user["id"] != "bot88" and user["perfs"]["blitz"]["games"] > 0]
    assert not bot.get(f"/api/user/{target['username']}").json().get("blocking")
    form = {"rated": False, "variant": "standard", "clock.limit": 180, "clock.increment": 2, "color": "white"}
    challenge_id = bot.post(f"/api/challenge/{target['username']}", json=form).json()["id"]
    assert events.wait_for("challenge")["challenge"]["challenger"]["id"] == "bot88"
    assert other.post(f"/api/challenge/{challenge_id}/accept").ok
    assert events.wait_for("gameStart")["game"]["gameId"] == challenge_id
    play_as_peer(fake, bot, challenge_id)
    assert events.wait_for("gameFinish")["game"]["winner"] == "white"
    pgn = bot.get(f"/game/export/{challenge_id}").text
    assert "Qxf7#" in pgn
    ids = bot.get("/api/users/status?ids=otherbot").json()
    assert ids[0]["online"] is True


def test_lichess_bot_gives_up_an_unanswered_challenge_and_may_challenge_anew(fake: FakeLichess, bot: Client) -> None:
    start(fake, bot)
    form: dict[str, Any] = {"rated": False, "variant": "standard", "days": 2}
    first = bot.post("/api/challenge/OtherBot", json=form).json()["id"]
    assert bot.post(f"/api/challenge/{first}/cancel").json() == {"ok": True}
    second = bot.post("/api/challenge/OtherBot", json=form).json()
    assert (second["status"], second["timeControl"]["type"]) == ("created", "correspondence")


def test_a_bot_that_waits_on_the_keep_alive_stream_learns_the_answer(fake: FakeLichess, bot: Client) -> None:
    start(fake, bot)
    fields = {"rated": "false", "clock.limit": 60, "clock.increment": 1, "variant": "standard", "color": "white"}
    for accept, done in ((True, "accepted"), (False, "declined")):
        answer = bot.post("/api/challenge/OtherBot", data=fields | {"keepAliveStream": "true"}, stream=True)
        lines = (line for line in answer.iter_lines(chunk_size=1) if line)
        challenge_id = json.loads(next(lines))["id"]
        if accept:
            fake.accept("OtherBot", challenge_id)
        else:
            fake.decline("OtherBot", challenge_id, "later")
        assert json.loads(next(lines)) == {"done": done}
        assert next(lines, None) is None, "the server closes the stream"


@pytest.mark.parametrize("reason", ["tooFast", "noBot", "later", "generic", "variant"])
def test_challenges_are_declined_with_a_reason(fake: FakeLichess, bot: Client, reason: str) -> None:
    start(fake, bot)
    challenge_id = fake.challenge("Alice", "bot88")
    assert bot.post(f"/api/challenge/{challenge_id}/decline", data={"reason": reason}).ok
    assert fake.challenge_status(challenge_id) == "declined"


@pytest.mark.parametrize("planned", [True, False])
def test_a_game_goes_on_after_a_restart(fake: FakeLichess, bot: Client, planned: bool) -> None:
    events = start(fake, bot)
    game_id = fake.start_game("bot88", "Alice", clock=(300, 0))
    play(fake, game_id, "e2e4 e7e5")
    fake.restart(down_s=0.1, planned=planned)
    events.wait_for_end()
    again = bot.stream("/api/stream/event")
    assert again.wait_for("gameStart")["game"]["gameId"] == game_id
    assert bot.get("/api/account/playing").json()["nowPlaying"][0]["gameId"] == game_id
    full = bot.stream(f"/api/bot/game/stream/{game_id}").wait_for("gameFull")
    assert full["state"]["moves"] == "e2e4 e7e5"
    assert bot.post(f"/api/bot/game/{game_id}/move/d1h5").ok


def test_a_bot_plays_an_arena_and_leaves_it(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(arena_pairing_s=0.02)
    bot = connect(fake, "bot88")
    events = start(fake, bot)
    form = {"name": "Bots", "clockTime": 1, "clockIncrement": 1, "minutes": 20, "waitMinutes": 0}
    arena = connect(fake, "Alice").post("/api/tournament", data=form | {"conditions.bots": "true"}).json()
    assert bot.get(f"/api/tournament/{arena['id']}").json()["botsAllowed"] is True
    assert bot.post(f"/api/tournament/{arena['id']}/join").ok
    fake.join_arena("OtherBot", arena["id"])
    game = events.wait_for("gameStart")["game"]
    assert game["tournamentId"] == arena["id"]
    assert fake.game(game["gameId"]).white == "bot88"
    assert bot.post(f"/api/tournament/{arena['id']}/withdraw").ok
    play_as_peer(fake, bot, game["gameId"])
    table = bot.get(f"/api/tournament/{arena['id']}").json()["standing"]["players"]
    assert [(player["name"], player["score"]) for player in table] == [("bot88", 2), ("OtherBot", 0)]


def open_arena(fake: FakeLichess, connect: Connect, **fields: Any) -> str:
    """An arena for bots that has begun; gives its path."""
    form = {"name": "Bots", "clockTime": 1, "clockIncrement": 1, "minutes": 20, "waitMinutes": 0}
    made = connect(fake, "Alice").post("/api/tournament", data=form | {"conditions.bots": "true"} | fields).json()
    return f"/api/tournament/{made['id']}"


def test_botli_joins_its_team_and_the_arena_of_that_team(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(arena_pairing_s=0.02)
    bot = connect(fake, "bot88")
    events = start(fake, bot)
    path = open_arena(fake, connect, **{"conditions.teamMember.teamId": "fake-club", "password": "sesame"})
    form = {"pairMeAsap": "true", "team": "fake-club", "password": "sesame"}
    assert bot.post(f"{path}/join", data=form).json() == {"error": "Tournament restrictions"}
    assert bot.post("/team/fake-club/join", data={"message": "", "password": ""}).json() == {"ok": True}
    assert bot.post(f"{path}/join", data=form).json() == {"ok": True}
    fake.call(lambda: fake.teams.find("fake-club").add(fake.world.account("OtherBot")))
    fake.join_arena("OtherBot", path.rpartition("/")[2])
    game = events.wait_for("gameStart")["game"]
    play_as_peer(fake, bot, game["gameId"])
    assert events.wait_for("gameStart", 2)["game"]["tournamentId"] == path.rpartition("/")[2], "paired again at once"


def test_a_bot_comes_back_to_its_arena_after_a_restart(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(arena_pairing_s=0.02)
    bot = connect(fake, "bot88")
    events = start(fake, bot)
    path = open_arena(fake, connect)
    assert bot.post(f"{path}/join").ok
    fake.restart(down_s=0.1, planned=False)
    events.wait_for_end()
    again = bot.stream("/api/stream/event")
    arena = bot.get(path).json()
    assert (arena["nbPlayers"], arena.get("isFinished")) == (1, None)
    assert bot.post(f"{path}/join").json() == {"ok": True}, "joining again is harmless"
    fake.join_arena("OtherBot", path.rpartition("/")[2])
    game = again.wait_for("gameStart")["game"]
    assert bot.get("/api/account/playing").json()["nowPlaying"][0]["tournamentId"] == path.rpartition("/")[2]
    play_as_peer(fake, bot, game["gameId"])


@pytest.mark.parametrize("planned", [True, False])
def test_a_challenge_waits_over_a_restart(fake: FakeLichess, bot: Client, planned: bool) -> None:
    events = start(fake, bot)
    challenge_id = fake.challenge("Alice", "bot88", clock=(180, 2))
    assert events.wait_for("challenge")["challenge"]["id"] == challenge_id
    fake.restart(down_s=0.1, planned=planned)
    events.wait_for_end()
    again = bot.stream("/api/stream/event")
    assert again.wait_for("challenge")["challenge"]["id"] == challenge_id
    assert bot.post(f"/api/challenge/{challenge_id}/accept").ok
    assert again.wait_for("gameStart")["game"]["gameId"] == challenge_id


def test_a_bot_that_tries_a_swiss_is_refused_as_on_the_server(fake: FakeLichess, bot: Client, alice: Client) -> None:
    form = {"clock.limit": 60, "clock.increment": 0, "nbRounds": 3}
    swiss = alice.post("/api/swiss/new/fake-club", data=form).json()["id"]
    assert bot.post("/team/fake-club/join").ok
    refused = bot.post(f"/api/swiss/{swiss}/join")
    assert (refused.status_code, refused.json()) == (403, {"error": "Sorry, bot accounts are not allowed here."})
    assert bot.post(f"/api/swiss/{swiss}/withdraw").json() == {"ok": True}
    assert bot.get(f"/api/swiss/{swiss}").json()["nbPlayers"] == 0


def test_bots_play_a_swiss_where_it_admits_them(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(arena_pairing_s=0.02, swiss_admits_bots=True)
    bot = connect(fake, "bot88")
    events = start(fake, bot)
    form = {"clock.limit": 60, "clock.increment": 1, "nbRounds": 3, "roundInterval": 0}
    alice = connect(fake, "Alice")
    swiss = alice.post("/api/swiss/new/fake-club", data=form).json()["id"]
    assert bot.post("/team/fake-club/join").ok
    assert bot.post(f"/api/swiss/{swiss}/join").ok
    fake.join_swiss("OtherBot", swiss)
    assert alice.post(f"/api/swiss/{swiss}/edit", data=form | {"startsAt": 0}).ok
    game = events.wait_for("gameStart")["game"]
    assert (game["swissId"], game["compat"]["bot"]) == (swiss, True)
    if game["color"] == "white":
        play_as_peer(fake, bot, game["gameId"])
    else:
        assert bot.post(f"/api/bot/game/{game['gameId']}/resign").ok
    assert events.wait_for("gameFinish")["game"]["swissId"] == swiss
    fake.wait_for(lambda: bot.get(f"/api/swiss/{swiss}").json()["status"] == "finished", what="the end: nobody is left")
