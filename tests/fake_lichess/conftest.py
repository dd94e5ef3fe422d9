"""Servers and clients for the tests of the fake."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import requests

from bot.fake_lichess import FakeLichess
from tests.helpers.fake import fake, make_fake
from tests.helpers.lichess_client import Client

__all__ = ["fake", "make_fake"]
Connect = Callable[..., Client]
MakeFake = Callable[..., FakeLichess]


def play(fake: FakeLichess, game_id: str, moves: str) -> None:
    """Play moves for both sides, the players found by the colours."""
    report = fake.game(game_id)
    names = (report.white, report.black)
    for number, uci in enumerate(moves.split(), start=len(report.moves)):
        fake.player(names[number % 2], game_id).move(uci)


def won_game(fake: FakeLichess, winner: str, loser: str, **terms: Any) -> str:
    """Play a short game, which the loser with the black pieces resigns; returns its id."""
    game_id = fake.start_game(winner, loser, **terms)
    play(fake, game_id, "e2e4 e7e5")
    fake.player(loser, game_id).resign()
    return game_id


def error_of(answer: requests.Response) -> tuple[int, object]:
    """Return the status of a refusal and its error: a text, or texts by field."""
    return answer.status_code, answer.json()["error"]


@pytest.fixture(autouse=True)
def nothing_goes_wrong_inside(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """No test of the fake may make it log an error: neither its own code, nor uvicorn, nor asyncio."""
    yield
    records = [*caplog.get_records("setup"), *caplog.get_records("call"), *caplog.get_records("teardown")]
    assert [record.getMessage() for record in records if record.levelno >= logging.ERROR] == []


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Clients by server and account name; all are closed at the end."""
    clients: list[Client] = []

    def make(server: FakeLichess, name: str | None = "bot88") -> Client:
        client = Client(server.url, server.token(name) if name else None)
        clients.append(client)
        return client

    yield make
    for client in clients:
        client.close()


@pytest.fixture
def bot(fake: FakeLichess, connect: Connect) -> Client:
    """The bot account's client."""
    return connect(fake, "bot88")


@pytest.fixture
def alice(fake: FakeLichess, connect: Connect) -> Client:
    """A person's client."""
    return connect(fake, "Alice")
