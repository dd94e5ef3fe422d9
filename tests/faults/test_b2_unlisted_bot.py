"""B2: rating limits hold although the list of online bots does not contain us."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from bot.fake_lichess import AccountConfig, FakeConfig, FakeLichess
from tests.helpers.fake import FAST
from tests.helpers.processes import wait_until
from tests.helpers.proxy import Proxy, json_answer
from tests.helpers.running_bot import Run

LIST = "/api/bot/online"
SECONDS_BETWEEN_LOOKS = 5.0
FAR = {f"far{number}": rating for number, rating in enumerate((900, 1000, 1500, 1900, 2250, 2600, 3000))}


@pytest.fixture
def fake() -> Iterator[FakeLichess]:
    """A server on which we have a rating of 2100, and the other bots have theirs."""
    bots = {"bot88": 2100, "near": 2050} | FAR
    accounts = tuple(AccountConfig(name=name, title="BOT", rating=rating, games=50) for name, rating in bots.items())
    with FakeLichess(FakeConfig(**FAST, accounts=accounts)) as server:
        yield server


@pytest.fixture
def proxy(fake: FakeLichess) -> Iterator[Proxy]:
    """A proxy before the fake that answers requests for the list of online bots."""
    with Proxy(fake.url) as one:
        yield one


def list_bots(proxy: Proxy, bots: dict[str, int]) -> None:
    """Answer each request for the list of online bots with these, by name and rating."""
    lines = [
        {"id": name, "username": name, "title": "BOT", "perfs": {"blitz": {"games": 50, "rating": rating, "rd": 45}}}
        for name, rating in bots.items()
    ]
    answer = json_answer("".join(json.dumps(line) + "\n" for line in lines).encode())
    proxy.answer = lambda path: answer if path.startswith(LIST) else None


def challenged(proxy: Proxy) -> list[str]:
    """Return the users who were challenged."""
    prefix = "/api/challenge/"
    return [path.removeprefix(prefix) for path in proxy.paths if path.startswith(prefix) and path.count("/") == 3]


def matchmaking(**profile: Any) -> dict[str, Any]:
    """Return settings of matchmaking with this profile."""
    return {"enabled": True, "idle_s": 0, "profiles": [{"limit_s": 180, "increment_s": 2} | profile]}


@pytest.mark.slow
def test_bots_beyond_the_greatest_difference_are_left_alone(fake: FakeLichess, proxy: Proxy, run: Run) -> None:
    list_bots(proxy, FAR)
    run(url=proxy.url, matchmaking=matchmaking(max_rating_difference=100))
    assert wait_until(lambda: proxy.count(LIST) > 0)
    time.sleep(SECONDS_BETWEEN_LOOKS)
    assert challenged(proxy) == []


@pytest.mark.slow
def test_all_512_bots_are_asked_for(fake: FakeLichess, proxy: Proxy, run: Run) -> None:
    list_bots(proxy, FAR)
    run(url=proxy.url, matchmaking=matchmaking(max_rating_difference=100))
    assert wait_until(lambda: proxy.count(LIST) > 0)
    assert next(path for path in proxy.paths if path.startswith(LIST)) == f"{LIST}?nb=512"
