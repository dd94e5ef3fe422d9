"""D6: a gameFinish about a game that continues does not end it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from bot.fake_lichess import FakeLichess
from tests.helpers.examples import first_quick
from tests.helpers.playing import PlayingBot
from tests.helpers.processes import wait_until
from tests.helpers.proxy import Proxy, json_answer

STREAM = "/api/stream/event"
SECONDS_FOR_A_MOVE = 10.0


@pytest.fixture
def proxy(fake: FakeLichess) -> Iterator[Proxy]:
    """A proxy before the fake that passes everything on until the test replaces an answer."""
    with Proxy(fake.url) as one:
        yield one


def events(game_id: str, *kinds: str) -> bytes:
    """Return an event stream that sends these events about a game against Alice, then ends."""
    game = {
        "fullId": f"{game_id}AbCd",
        "gameId": game_id,
        "id": game_id,
        "color": "black",
        "source": "friend",
        "variant": {"key": "standard", "name": "Standard"},
        "speed": "blitz",
        "perf": "blitz",
        "rated": False,
        "opponent": {"id": "alice", "username": "Alice", "rating": 1700},
        "compat": {"bot": True, "board": True},
    }
    status = {"gameStart": {"id": 20, "name": "started"}, "gameFinish": {"id": 31, "name": "resign"}}
    lines = [{"type": kind, "game": game | {"status": status[kind]}} for kind in kinds]
    return json_answer("".join(json.dumps(line) + "\n" for line in lines).encode())


@first_quick("kinds", [("gameFinish", "gameStart"), ("gameStart", "gameFinish")], ids=["before", "after"])
def test_the_game_is_played(
    fake: FakeLichess, make_bot: Callable[..., PlayingBot], proxy: Proxy, kinds: tuple[str, ...]
) -> None:
    bot = make_bot(fake, url=proxy.url)
    openings = proxy.count(STREAM)
    refused = json_answer(b'{"error":"no"}', "502 Bad Gateway")
    proxy.answer = lambda path: refused if path == STREAM else None
    fake.drop_streams()
    assert wait_until(lambda: proxy.count(STREAM) > openings)
    game_id = fake.start_game("Alice", bot.name, clock=(600, 0))  # nobody announces it yet
    answers = [events(game_id, *kinds)]
    proxy.answer = lambda path: answers.pop() if path == STREAM and answers else None
    assert wait_until(lambda: not answers)
    fake.player("Alice", game_id).move("e2e4")
    assert len(fake.wait_for_moves(game_id, 2, SECONDS_FOR_A_MOVE).moves) == 2
    fake.player("Alice", game_id).wait_for_turn().move("d2d4")
    assert len(fake.wait_for_moves(game_id, 4, SECONDS_FOR_A_MOVE).moves) == 4
