"""A third-party client, berserk as it is on PyPI, plays on the fake as it does on Lichess."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import berserk
import pytest
import requests

from bot.fake_lichess import FakeLichess


class Bounded(berserk.TokenSession):
    """berserk has no timeouts of its own."""

    def request(self, *args: Any, **kwargs: Any) -> requests.Response:
        kwargs.setdefault("timeout", 60)
        return super().request(*args, **kwargs)


@pytest.fixture
def client(fake: FakeLichess) -> berserk.Client:
    """berserk as the bot."""
    return berserk.Client(
        Bounded(fake.token("bot88")), base_url=fake.url, explorer_url=fake.url, tablebase_url=fake.url
    )


def first(events: Iterator[Any], kind: str) -> Any:
    """The first event of a type."""
    return next(event for event in events if event["type"] == kind)


def test_a_game_from_the_challenge_to_the_resignation(fake: FakeLichess, client: berserk.Client) -> None:
    assert client.account.get()["title"] == "BOT"
    events = client.bots.stream_incoming_events()
    game_id = fake.challenge("Alice", "bot88", clock=(300, 2), color="black")
    assert first(events, "challenge")["challenge"]["id"] == game_id
    client.bots.accept_challenge(game_id)
    assert first(events, "gameStart")["game"]["id"] == game_id
    states = client.bots.stream_game_state(game_id)
    assert next(states)["type"] == "gameFull"
    client.bots.make_move(game_id, "e2e4")
    assert next(states)["moves"] == "e2e4"
    fake.player("Alice", game_id).move("e7e5")
    assert next(states)["moves"] == "e2e4 e7e5"
    client.bots.post_message(game_id, "Good luck")
    assert first(states, "chatLine")["text"] == "Good luck"
    assert client.games.get_ongoing()[0]["gameId"] == game_id
    client.bots.resign_game(game_id)
    last = list(itertools.islice(states, 5))[-1]
    assert (last["status"], last["winner"]) == ("resign", "black")
    assert "[GameId" in client.games.export(game_id, as_pgn=True)


def test_challenging_declining_and_asking_around(fake: FakeLichess, client: berserk.Client) -> None:
    challenge = client.challenges.create("OtherBot", rated=False, clock_limit=180, clock_increment=2, color="white")
    assert challenge["destUser"]["id"] == "otherbot"
    client.challenges.cancel(challenge["id"])
    offered = fake.challenge("Alice", "bot88")
    assert [one["id"] for one in client.challenges.get_mine()["in"]] == [offered]
    client.bots.decline_challenge(offered, reason="later")
    assert fake.challenge_status(offered) == "declined"
    game = client.challenges.create_ai(level=1, clock_limit=180, clock_increment=2, color="white")
    client.bots.abort_game(game["id"])
    statuses = client.users.get_realtime_statuses("alice", "bot88")
    assert [status["id"] for status in statuses] == ["alice", "bot88"]
    assert list(client.bots.get_online_bots()) == []
    assert client.oauth.test_tokens("wrong") == {"wrong": None}


def test_refusals_reach_the_caller_with_their_texts(fake: FakeLichess, client: berserk.Client) -> None:
    game_id = fake.start_game("bot88", "Alice")
    with pytest.raises(berserk.exceptions.ResponseError) as refused:
        client.bots.make_move(game_id, "e2e5")
    assert refused.value.status_code == 400
    assert refused.value.cause == {"error": "Piece on e2 cannot move to e5"}
