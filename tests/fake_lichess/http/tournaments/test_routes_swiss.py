"""Swiss tournaments over HTTP: created, joined, played, scheduled, ended."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from bot.fake_lichess import FakeLichess
from tests.fake_lichess.conftest import Connect, MakeFake
from tests.helpers.lichess_client import Client
from tests.helpers.peers import play_to_mate

FORM = {"name": "Club cup", "clock.limit": 60, "clock.increment": 0, "nbRounds": 3, "rated": "false"}
BY_HAND = 99_999_999
PEOPLE = [{"name": "Alice"}] + [{"name": f"Player{number}", "opponent": "random"} for number in range(5)]


def lines(text: str) -> list[dict[str, Any]]:
    """Lines of JSON."""
    return [json.loads(line) for line in text.splitlines()]


def in_s(seconds: float) -> int:
    """A time from now, in epoch milliseconds."""
    return time.time_ns() // 1_000_000 + round(seconds * 1000)


def create(alice: Client, **changes: object) -> str:
    """Create a tournament that is far from its start; returns its path."""
    answer = alice.post("/api/swiss/new/fake-club", data=FORM | {"startsAt": in_s(600)} | changes)
    return f"/api/swiss/{answer.json()['id']}"


def begin(alice: Client, root: str, **changes: object) -> None:
    """Let a tournament begin now."""
    assert alice.post(f"{root}/edit", data=FORM | {"startsAt": in_s(-1)} | changes).ok


def test_a_swiss_is_played_to_its_end(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(arena_pairing_s=0.02, accounts=PEOPLE)
    alice, anyone = connect(fake, "Alice"), connect(fake, None)
    root = create(alice, roundInterval=0)
    swiss = anyone.get(root).json()
    assert (swiss["status"], swiss["nbRounds"], swiss["round"], swiss["createdBy"]) == ("created", 3, 0, "alice")
    for number in range(5):
        fake.join_swiss(f"Player{number}", swiss["id"])
    begin(alice, root, roundInterval=0)
    fake.wait_for(lambda: anyone.get(root).json()["status"] == "finished", what="the end of the swiss")
    full = anyone.get(root).json()
    assert (full["round"], full["nbOngoing"], full["stats"]["games"], full["stats"]["byes"]) == (3, 0, 6, 3)
    results = lines(anyone.get(f"{root}/results").text)
    assert sum(line["points"] for line in results) == 6 + 3
    assert [line["points"] for line in results] == sorted((line["points"] for line in results), reverse=True)
    assert len(lines(anyone.get(f"{root}/results?nb=2").text)) == 2
    games = lines(anyone.get(f"{root}/games", headers={"Accept": "application/x-ndjson"}).text)
    assert {(game["swissTour"]["id"], game["source"]) for game in games} == {(swiss["id"], "swiss")}
    met = [frozenset(side["user"]["id"] for side in game["players"].values()) for game in games]
    assert len(set(met)) == len(met) == 6
    assert '[Event "Club cup"]' in anyone.get(f"{root}/games?player=player0").text
    assert [one["id"] for one in lines(anyone.get("/api/team/fake-club/swiss?status=finished").text)] == [swiss["id"]]
    assert anyone.get("/api/team/fake-club/swiss?status=created").text == ""


def test_a_player_is_told_of_each_round_and_cannot_abort(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(arena_pairing_s=0.02)
    alice, bobby = connect(fake, "Alice"), connect(fake, "Bobby")
    events = bobby.stream("/api/stream/event")
    root = create(alice)
    assert bobby.post(f"{root}/join").json() == {"error": "You are not in the team of this tournament"}
    assert bobby.post("/team/fake-club/join").ok
    assert bobby.post(f"{root}/join").json() == {"ok": True}
    assert alice.post(f"{root}/join").ok
    begin(alice, root, roundInterval=3600)
    game = events.wait_for("gameStart")["game"]
    assert (game["source"], game["swissId"]) == ("swiss", root.rpartition("/")[2])
    refused = bobby.post(f"/api/board/game/{game['gameId']}/abort")
    assert (refused.status_code, refused.json()["error"]) == (400, "This game can no longer be aborted")
    fake.player("Bobby", game["gameId"]).resign()
    assert fake.wait_for_end(game["gameId"]).status == "resign"
    following = alice.get(root).json()["nextRound"]
    assert 3500 <= following["in"] <= 3600
    assert bobby.post(f"{root}/withdraw").json() == {"ok": True}
    assert lines(alice.get(f"{root}/results").text)[1]["absent"] is True


def test_bots_are_refused_as_on_the_server_unless_configured(make_fake: MakeFake, connect: Connect) -> None:
    for admits in (False, True):
        fake = make_fake(swiss_admits_bots=admits, arena_pairing_s=0.02)
        alice, bot = connect(fake, "Alice"), connect(fake, "bot88")
        assert bot.post("/team/fake-club/join").ok
        joined = bot.post(f"{create(alice)}/join")
        assert joined.status_code == (200 if admits else 403)
        refused = bot.post("/api/swiss/new/fake-club", data=FORM)
        assert (refused.status_code, refused.json()["error"]) == (404, "This account cannot create tournaments")


def test_rounds_are_scheduled_by_hand(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(arena_pairing_s=0.02, accounts=[*PEOPLE, {"name": "Bobby"}])
    alice = connect(fake, "Alice")
    root = create(alice, roundInterval=BY_HAND)
    for number in range(4):
        fake.join_swiss(f"Player{number}", root.rpartition("/")[2])
    for number in (1, 2):
        now = alice.post(f"{root}/schedule-next-round", data={"date": in_s(0)})
        assert (now.status_code, now.content) == (204, b"")

        def over(wanted: int = number) -> bool:
            full: dict[str, Any] = alice.get(root).json()
            return (full["round"], full["nbOngoing"]) == (wanted, 0)

        fake.wait_for(over, what=f"the end of round {number}")
    assert "nextRound" not in alice.get(root).json()
    bobby = connect(fake, "Bobby")
    refused = bobby.post(f"{root}/schedule-next-round", data={"date": in_s(60)})
    assert (refused.status_code, refused.json()["error"]) == (401, "This user cannot edit this swiss")
    assert bobby.post(f"{root}/terminate").status_code == 400
    assert alice.post(f"{root}/terminate").json() == {"ok": True}
    ended = alice.get(root).json()
    assert (ended["status"], ended["nbRounds"]) == ("finished", 2)


def test_it_ends_when_nobody_is_left_to_meet(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(arena_pairing_s=0.02, accounts=PEOPLE)
    alice = connect(fake, "Alice")
    root = create(alice, roundInterval=0)
    for name in ("Player0", "Player1"):
        fake.join_swiss(name, root.rpartition("/")[2])
    begin(alice, root, roundInterval=0)
    fake.wait_for(lambda: alice.get(root).json()["status"] == "finished", what="the end of the swiss")
    assert alice.get(root).json()["nbRounds"] == 1


def test_who_does_not_make_the_first_move_loses_and_misses_the_next_round(
    make_fake: MakeFake, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.fake_lichess.tournaments.swisses.OTHER_MS", {"bullet": 100})
    fake = make_fake(arena_pairing_s=0.02)
    alice = connect(fake, "Alice")
    root = create(alice)
    for name in ("Alice", "Bobby"):
        fake.join_swiss(name, root.rpartition("/")[2])
    begin(alice, root)
    (game,) = fake.wait_for(fake.games)
    end = fake.wait_for_end(game.id)
    assert (end.status, end.winner) == ("noStart", "black")
    table = {line["username"]: line for line in lines(alice.get(f"{root}/results").text)}
    assert (table[end.white]["absent"], table[end.black]["points"]) == (True, 1)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"clock.limit": 61}, "clock.limit"),
        ({"clock.limit": 0}, "clock.increment"),
        ({"clock.increment": ""}, "clock.increment"),
        ({"nbRounds": 2}, "nbRounds"),
        ({"nbRounds": 3.5}, "nbRounds"),
        ({"name": "x"}, "name"),
        ({"variant": "bughouse"}, "variant"),
        ({"roundInterval": 7}, "roundInterval"),
        ({"clock.limit": 15, "variant": "atomic", "rated": "true"}, "global"),
    ],
)
def test_a_wrong_form_names_its_field(
    make_fake: MakeFake, connect: Connect, change: dict[str, Any], field: str
) -> None:
    alice = connect(make_fake(allow_any_clock=False), "Alice")
    refused = alice.post("/api/swiss/new/fake-club", data=FORM | change)
    assert (refused.status_code, list(refused.json()["error"])) == (400, [field])


@pytest.mark.parametrize(
    ("clock", "pause"), [((15, 0), 5), ((60, 0), 10), ((180, 0), 20), ((300, 3), 30), ((600, 0), 60), ((1800, 0), 300)]
)
def test_the_automatic_pause_follows_the_speed(
    fake: FakeLichess, alice: Client, clock: tuple[int, int], pause: int
) -> None:
    form = FORM | {"clock.limit": clock[0], "clock.increment": clock[1]}
    swiss = alice.post("/api/swiss/new/fake-club", data=form).json()
    assert 590 <= swiss["nextRound"]["in"] <= 600, "ten minutes from now unless said otherwise"
    assert fake.call(lambda: fake.swisses.find(swiss["id"]).terms.interval_s) == pause


@pytest.mark.parametrize("date", ["", "5", "tomorrow"])
def test_a_round_is_not_scheduled_in_the_past(make_fake: MakeFake, connect: Connect, date: str) -> None:
    alice = connect(make_fake(allow_any_clock=False), "Alice")
    refused = alice.post(f"{create(alice, roundInterval=BY_HAND)}/schedule-next-round", data={"date": date})
    assert (refused.status_code, list(refused.json()["error"])) == (400, ["date"])


def test_conditions_are_shown_with_a_verdict(fake: FakeLichess, alice: Client, connect: Connect) -> None:
    swiss = alice.post("/api/swiss/new/fake-club", data=FORM | {"conditions.minRating.rating": 1600}).json()
    assert swiss["verdicts"] == {"list": [{"condition": "Rated ≥ 1600", "verdict": "ok"}], "accepted": True}
    seen = connect(fake, "Bobby").get(f"/api/swiss/{swiss['id']}").json()["verdicts"]
    assert seen["accepted"] is False
    assert alice.get("/api/swiss/nowhere1").status_code == 404
    refused = connect(fake, "Bobby").post("/api/swiss/new/fake-club", data=FORM)
    assert (refused.status_code, refused.json()["error"]) == (404, "You're not a leader of that team")


def test_bots_play_a_swiss_where_it_admits_them(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(arena_pairing_s=0.02, swiss_admits_bots=True)
    bot = connect(fake, "bot88")
    events = bot.stream("/api/stream/event")
    fake.wait_for(lambda: fake.is_online("bot88"))
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
        play_to_mate(fake, bot, game["gameId"])
    else:
        assert bot.post(f"/api/bot/game/{game['gameId']}/resign").ok
    assert events.wait_for("gameFinish")["game"]["swissId"] == swiss
    fake.wait_for(lambda: bot.get(f"/api/swiss/{swiss}").json()["status"] == "finished", what="the end: nobody is left")
