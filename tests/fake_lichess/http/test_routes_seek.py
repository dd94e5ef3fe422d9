"""Seeks: matched with each other, taken by the server's own players, taken back."""

from __future__ import annotations

from typing import Any

import pytest
import requests

from bot.fake_lichess import FakeLichess
from tests.fake_lichess.conftest import Connect, MakeFake
from tests.helpers.lichess_client import DEADLINE_S, Client

RAPID = {"time": 15, "increment": 10}


def seek(client: Client, **form: Any) -> requests.Response:
    """Open the stream of a seek."""
    return client.session.post(f"{client.url}/api/board/seek", data=form, stream=True, timeout=DEADLINE_S)


def waiting(fake: FakeLichess) -> int:
    """How many seeks nobody has taken."""
    return fake.call(lambda: len(fake.seeks.seeks))


def test_two_seeks_make_a_game_and_end_both_streams(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(seek_taken_after_s=None)
    alice, bobby = connect(fake, "Alice"), connect(fake, "Bobby")
    events = alice.stream("/api/stream/event")
    with seek(alice, **RAPID, color="white") as first:
        assert first.headers["content-type"] == "application/x-ndjson"
        fake.wait_for(lambda: waiting(fake) == 1)
        with seek(bobby, **RAPID) as second:
            game = events.wait_for("gameStart")["game"]
            assert (game["source"], game["color"], game["opponent"]["id"]) == ("lobby", "white", "bobby")
            assert first.content.strip() == second.content.strip() == b"", "only empty lines, then the end"
    assert waiting(fake) == 0
    stream = alice.stream(f"/api/board/game/stream/{game['gameId']}")
    assert stream.wait_for("gameFull")["state"]["expiration"]["millisToMove"] == 30_000


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"color": "white"}, {"color": "white"}),
        ({"rated": "true"}, {}),
        ({"variant": "atomic"}, {}),
        ({"ratingRange": "1000-1200"}, {}),
        ({}, {"ratingRange": "2000-2500"}),
        ({"increment": 11}, {}),
    ],
)
def test_what_differs_makes_no_game(
    make_fake: MakeFake, connect: Connect, one: dict[str, Any], other: dict[str, Any]
) -> None:
    fake = make_fake(seek_taken_after_s=None)
    with seek(connect(fake, "Alice"), **RAPID | one), seek(connect(fake, "Bobby"), **RAPID | other):
        fake.wait_for(lambda: waiting(fake) == 2)
        assert fake.games() == []


def test_a_seek_ends_with_its_stream(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(seek_taken_after_s=None)
    alice = connect(fake, "Alice")
    answer = seek(alice, **RAPID)
    fake.wait_for(lambda: waiting(fake) == 1)
    answer.close()
    fake.wait_for(lambda: waiting(fake) == 0)


def test_one_of_the_servers_own_players_takes_a_seek_after_a_while(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(seek_taken_after_s=0.05)
    with seek(connect(fake, "Alice"), **RAPID, ratingRange="1000-1200") as answer:
        assert answer.content.strip() == b""
    (game,) = fake.games()
    assert {game.white, game.black} == {"Alice", "Greedy"}, "Random is rated below the range"


def test_correspondence_seeks_wait_without_a_stream(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(seek_taken_after_s=None)
    alice, bobby = connect(fake, "Alice"), connect(fake, "Bobby")
    assert len(alice.post("/api/board/seek", data={"days": 2}).json()["id"]) == 8
    assert waiting(fake) == 1
    bobby.post("/api/board/seek", data={"days": 2})
    (game,) = fake.games()
    assert {game.white, game.black} == {"Alice", "Bobby"}


def test_who_does_not_begin_a_game_from_the_lobby_has_it_aborted(
    make_fake: MakeFake, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.fake_lichess.world.seeks.OTHER_MS", {"rapid": 50})
    fake = make_fake(seek_taken_after_s=None)
    with seek(connect(fake, "Alice"), **RAPID), seek(connect(fake, "Bobby"), **RAPID):
        (game,) = fake.wait_for(fake.games)
        assert fake.wait_for_end(game.id).status == "aborted"


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ({"time": 3, "increment": 0}, "global"),
        ({"time": 15}, "increment"),
        ({"time": 0, "increment": 0}, "time"),
        ({"time": 200, "increment": 0}, "time"),
        ({"days": 4}, "days"),
        (RAPID | {"variant": "bughouse"}, "variant"),
        (RAPID | {"color": "green"}, "color"),
        (RAPID | {"ratingRange": "2000-1000"}, "ratingRange"),
    ],
)
def test_a_wrong_form_names_its_field(make_fake: MakeFake, connect: Connect, form: dict[str, Any], field: str) -> None:
    alice = connect(make_fake(allow_any_clock=False), "Alice")
    refused = alice.post("/api/board/seek", data=form)
    assert (refused.status_code, list(refused.json()["error"])) == (400, [field])


def test_bots_have_no_lobby(fake: FakeLichess, connect: Connect) -> None:
    fake.add_account("Wrong", title="BOT", scopes=("board:play",))
    refused = connect(fake, "Wrong").post("/api/board/seek", data=RAPID)
    assert (refused.status_code, refused.json()["error"]) == (400, "This endpoint cannot be used with a Bot account.")
