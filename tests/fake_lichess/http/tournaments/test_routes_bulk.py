"""Bulk pairings: scheduled, begun, cancelled, their clocks started together."""

from __future__ import annotations

import time
from typing import Any

import pytest

from bot.fake_lichess import FakeLichess
from tests.fake_lichess.conftest import Connect
from tests.helpers.lichess_client import Client

ROOT = "/api/bulk-pairing"
FORM = {"clock.limit": 300, "clock.increment": 3}


def players(fake: FakeLichess, *names: str) -> str:
    """The tokens, two by two."""
    tokens = [fake.token(name) for name in names]
    return ",".join(f"{white}:{black}" for white, black in zip(tokens[::2], tokens[1::2], strict=True))


def in_ms(seconds: float) -> int:
    """Epoch milliseconds."""
    return time.time_ns() // 1_000_000 + round(seconds * 1000)


def test_games_begin_at_once_and_their_clocks_together(fake: FakeLichess, alice: Client, bot: Client) -> None:
    events = bot.stream("/api/stream/event")
    form = FORM | {"players": players(fake, "Alice", "bot88", "Bobby", "OtherBot"), "rated": "true"}
    bulk = alice.post(ROOT, data=form | {"startClocksAt": in_ms(600)}).json()
    assert [(game["white"], game["black"]) for game in bulk["games"]] == [("alice", "bot88"), ("bobby", "otherbot")]
    assert (bulk["rated"], bulk["clock"], bulk["pairedAt"] is None) == (True, {"limit": 300, "increment": 3}, False)
    game = events.wait_for("gameStart")["game"]
    assert (game["gameId"], game["source"], game["compat"]["bot"]) == (bulk["games"][0]["id"], "api", True)
    path = f"{ROOT}/{bulk['id']}"
    stream = bot.stream(f"/api/bot/game/stream/{game['gameId']}")
    assert stream.wait_for("gameFull")["state"]["wtime"] == 300_000
    assert alice.post(f"{path}/start-clocks").json() == {"ok": True}
    stream.wait_for("gameState")
    fake.wait_for(lambda: fake.call(lambda: fake.world.game(game["gameId"]).clock.running is not None))
    assert alice.get(f"{path}/games").text.count("[Event ") == 2
    assert alice.delete(path).json() == {"ok": True}
    assert alice.get(path).json()["id"] == bulk["id"], "games that have begun are not cancelled"
    assert [one["id"] for one in alice.get(ROOT).json()] == [bulk["id"]]


def test_games_of_a_later_time_may_be_cancelled(fake: FakeLichess, alice: Client, connect: Connect) -> None:
    form = FORM | {"players": players(fake, "Alice", "bot88"), "pairAt": in_ms(600), "startClocksAt": in_ms(900)}
    bulk = alice.post(ROOT, data=form).json()
    assert (bulk["pairedAt"], fake.games()) == (None, [])
    path = f"{ROOT}/{bulk['id']}"
    assert alice.post(f"{path}/start-clocks").ok, "nothing to start yet"
    missing = connect(fake, "Bobby").get(path)
    assert (missing.status_code, missing.json()["error"]) == (404, "No such bulk pairing")
    assert alice.delete(path).ok
    assert alice.get(path).status_code == 404


def test_games_begin_at_their_time_with_their_clocks(fake: FakeLichess, alice: Client) -> None:
    form = FORM | {"players": players(fake, "Alice", "bot88"), "pairAt": in_ms(0.3), "startClocksAt": in_ms(0.3)}
    bulk = alice.post(ROOT, data=form).json()
    game_id = bulk["games"][0]["id"]
    fake.wait_for_game(game_id)
    fake.wait_for(lambda: fake.call(lambda: fake.world.game(game_id).clock.running is not None))
    assert alice.get(f"{ROOT}/{bulk['id']}").json()["pairedAt"] >= bulk["pairAt"]


def test_correspondence_games_have_days(fake: FakeLichess, alice: Client) -> None:
    form = {"players": players(fake, "Alice", "bot88"), "days": 2, "startClocksAt": in_ms(60)}
    bulk = alice.post(ROOT, data=form).json()
    assert bulk["correspondence"] == {"daysPerTurn": 2}
    assert fake.game(bulk["games"][0]["id"]).id == bulk["games"][0]["id"]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"players": "lip_alice"}, {"players": ["Invalid value"]}),
        ({"players": "lip_alice:lip_alice"}, {"players": ["Duplicated players"]}),
        ({"players": "lip_alice:lip_nobody"}, {"tokens": ["lip_nobody"]}),
        ({"clock.limit": "", "clock.increment": ""}, {"clock.limit": ["This field is required"]}),
        ({"pairAt": in_ms(30 * 86_400)}, {"pairAt": ["Invalid value"]}),
        ({"variant": "bughouse"}, {"variant": ["Invalid value"]}),
    ],
)
def test_a_wrong_form_names_its_field(alice: Client, change: dict[str, Any], fault: dict[str, list[str]]) -> None:
    refused = alice.post(ROOT, data=FORM | {"players": "lip_alice:lip_bobby"} | change)
    assert (refused.status_code, refused.json()["error"]) == (400, fault)


def test_it_needs_its_own_scope(bot: Client) -> None:
    refused = bot.post(ROOT, data=FORM)
    assert (refused.status_code, refused.json()["error"]) == (403, "Missing scope: challenge:bulk")
