"""Every HTTP request of the bot goes through berserk's Requestor."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable
from typing import Any

import pytest
from berserk.session import Requestor

from bot.fake_lichess import FakeLichess
from tests.helpers.playing import PlayingBot, check_end, resigning_at
from tests.helpers.processes import wait_until

ENDGAME = "4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1"


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """The path of each request that leaves this process, and whether a Requestor sent it."""
    seen: list[tuple[str, bool]] = []
    within = threading.local()
    request: Any = Requestor.request
    putrequest: Any = http.client.HTTPConnection.putrequest

    def through_berserk(self: Any, *arguments: Any, **named: Any) -> Any:
        within.requestor = True
        try:
            return request(self, *arguments, **named)
        finally:
            within.requestor = False

    def leaving(self: Any, method: str, url: str, *arguments: Any, **named: Any) -> Any:
        seen.append((url, getattr(within, "requestor", False)))
        return putrequest(self, method, url, *arguments, **named)

    monkeypatch.setattr(Requestor, "request", through_berserk)
    monkeypatch.setattr(http.client.HTTPConnection, "putrequest", leaving)
    return seen


def test_nothing_of_a_whole_game_bypasses_berserk(
    fake: FakeLichess, make_bot: Callable[..., PlayingBot], sent: list[tuple[str, bool]]
) -> None:
    fake.add_account("Shorty", script=resigning_at(24))
    online = {
        "reserve_s": 0.0,
        "explorer": {"enabled": True, "url": fake.url, "min_games": 1},
        "tablebase": {"enabled": True, "url": fake.url},
    }
    bot = make_bot(fake, move_sources={"online": online}, conduct={"chat": {"greeting": "Hello"}})
    game_id = fake.challenge("Shorty", bot.name, clock=(120, 0), color="white", variant="fromPosition", fen=ENDGAME)
    check_end(bot, fake.wait_for_end(game_id))
    paths = {"/masters", "/standard", "/move/", "/chat", "/stream/event", "/game/stream/", "/accept"}
    assert wait_until(lambda: all(any(path in url for url, _ in sent) for path in paths))
    assert [url for url, through in sent if not through] == []
