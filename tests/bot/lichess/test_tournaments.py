"""Requests about arenas and teams."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import requests_mock

from bot.errors import NotFound, Rejected
from bot.lichess import Gateway
from bot.lichess.values import Arena, Team

URL = "https://lichess.test"


@pytest.fixture
def gateway() -> Gateway:
    return Gateway(URL, "lip_secretsecret")


@pytest.mark.parametrize(
    ("call", "path", "body"),
    [
        (lambda g: g.join_arena("AbCd1234"), "/api/tournament/AbCd1234/join", ""),
        (
            lambda g: g.join_arena("AbCd1234", team="ours", password="a b", pair_now=True),
            "/api/tournament/AbCd1234/join",
            "team=ours&password=a+b&pairMeAsap=true",
        ),
        (lambda g: g.withdraw_from_arena("AbCd1234"), "/api/tournament/AbCd1234/withdraw", ""),
        (lambda g: g.join_team("ours"), "/team/ours/join", ""),
        (lambda g: g.join_team("ours", password="x", message="hi"), "/team/ours/join", "password=x&message=hi"),
    ],
)
def test_posts(
    gateway: Gateway, requests_mock: requests_mock.Mocker, call: Callable[[Gateway], object], path: str, body: str
) -> None:
    requests_mock.post(f"{URL}{path}", json={"ok": True})
    call(gateway)
    assert (requests_mock.request_history[0].text or "") == body


@pytest.mark.parametrize(
    ("answer", "arena", "started"),
    [
        (
            {"id": "AbCd1234", "fullName": "Cup Arena", "nbPlayers": 3, "secondsToStart": 60},
            Arena("AbCd1234", "Cup Arena", starts_in_s=60, players=3),
            False,
        ),
        ({"id": "a", "fullName": "Cup", "secondsToFinish": 9}, Arena("a", "Cup", finishes_in_s=9), True),
        ({"id": "a", "isFinished": True}, Arena("a", "a", finished=True), False),
        ([], Arena("", ""), True),
    ],
)
def test_an_arena(
    gateway: Gateway, requests_mock: requests_mock.Mocker, answer: object, arena: Arena, started: bool
) -> None:
    requests_mock.get(f"{URL}/api/tournament/AbCd1234", json=answer)
    found = gateway.arena("AbCd1234")
    assert found == arena
    assert found.started is started


def test_a_team(gateway: Gateway, requests_mock: requests_mock.Mocker) -> None:
    requests_mock.get(f"{URL}/api/team/ours", json={"id": "ours", "name": "Ours", "joined": True})
    assert gateway.team("ours") == Team("ours", "Ours", joined=True)


def test_refusals_carry_the_servers_reason(gateway: Gateway, requests_mock: requests_mock.Mocker) -> None:
    requests_mock.post(f"{URL}/api/tournament/AbCd1234/join", status_code=400, json={"error": "Wrong entry code"})
    requests_mock.get(f"{URL}/api/tournament/AbCd1234", status_code=404, json={"error": "Not found"})
    with pytest.raises(Rejected, match="Wrong entry code"):
        gateway.join_arena("AbCd1234")
    with pytest.raises(NotFound):
        gateway.arena("AbCd1234")
