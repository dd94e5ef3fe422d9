"""What a tap hears of a game over real HTTP: its lines and requests, nothing of other requests, never the token."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import requests

from bot.errors import LichessError, StreamBroken
from bot.events import GameFull
from bot.fake_lichess import FakeLichess
from bot.fake_lichess.faults.fault_plan import FaultPlan, FaultRule
from bot.lichess import Gateway
from bot.lichess.wire_tap import form_of, subject_of
from tests.helpers.fake import fake

__all__ = ["fake"]


class Listener:
    """Keeps what it is told as words."""

    def __init__(self) -> None:
        self.heard: list[tuple[object, ...]] = []

    def opened(self, game_id: str) -> None:
        """Keep."""
        self.heard.append(("opened", game_id))

    def line(self, game_id: str, line: bytes) -> None:
        """Keep."""
        self.heard.append(("line", game_id, line))

    def ended(self, game_id: str, error: str) -> None:
        """Keep."""
        self.heard.append(("ended", game_id, error))

    def posted(self, game_id: str, path: str, form: str) -> None:
        """Keep."""
        self.heard.append(("posted", game_id, path, form))

    def answered(self, game_id: str, path: str, status: int, text: str) -> None:
        """Keep."""
        self.heard.append(("answered", game_id, path, status, text))


@pytest.fixture
def gateway(fake: FakeLichess) -> Iterator[Gateway]:
    gateway = Gateway(fake.url, fake.token("bot88"))
    yield gateway
    gateway.close()


@pytest.fixture
def listener(gateway: Gateway) -> Listener:
    listener = Listener()
    gateway.tap(listener)
    return listener


def test_requests_and_their_answers(fake: FakeLichess, gateway: Gateway, listener: Listener) -> None:
    game_id = fake.start_game("bot88", "Alice", clock=(600, 0))
    gateway.account()
    gateway.post_move(game_id, "e2e4", True)
    gateway.chat(game_id, "player", "hi & bye")
    with pytest.raises(LichessError):
        gateway.post_move(game_id, "e2e4")
    assert [words[:4] for words in listener.heard] == [
        ("posted", game_id, "move/e2e4?offeringDraw=true", ""),
        ("answered", game_id, "move/e2e4?offeringDraw=true", 200),
        ("posted", game_id, "chat", "room=player&text=hi+%26+bye"),
        ("answered", game_id, "chat", 200),
        ("posted", game_id, "move/e2e4", ""),
        ("answered", game_id, "move/e2e4", 400),
    ]
    assert fake.token("bot88") not in repr(listener.heard)


def test_the_lines_of_a_stream_and_its_end(fake: FakeLichess, gateway: Gateway, listener: Listener) -> None:
    game_id = fake.start_game("bot88", "Alice", clock=(600, 0))
    stream = gateway.stream_game(game_id)
    for event in stream:
        if isinstance(event, GameFull):
            stream.close()
    opened, line, ended = listener.heard
    assert opened == ("opened", game_id)
    assert line[2] == line[2].strip()  # type: ignore[attr-defined]  # lines are bytes
    assert b'"gameFull"' in line[2]  # type: ignore[operator]  # lines are bytes
    assert ended == ("ended", game_id, "closed by us")


def test_garbage_a_refusal_and_no_answer(fake: FakeLichess, gateway: Gateway, listener: Listener) -> None:
    game_id = fake.start_game("bot88", "Alice", clock=(600, 0))
    fake.set_faults(FaultPlan(rules=(FaultRule(endpoint="game_stream", fault="garbage", times=1),)))
    with pytest.raises(StreamBroken):
        list(gateway.stream_game(game_id))
    assert [words[0] for words in listener.heard] == ["opened", "line", "ended"]
    assert "garbage" in str(listener.heard[-1][2])
    fake.set_faults(FaultPlan(rules=(FaultRule(endpoint="game_stream", at="open", fault="status", times=1),)))
    with pytest.raises(LichessError):
        gateway.stream_game(game_id)
    assert listener.heard[-1] == ("answered", game_id, "stream", 502, "")
    fake.stop()
    with pytest.raises(LichessError):
        gateway.resign(game_id)
    assert listener.heard[-2:] == [
        ("posted", game_id, "resign", ""),
        ("answered", game_id, "resign", 0, "ConnectionError"),
    ]


@pytest.mark.parametrize(
    ("body", "told"), [(b"room=player&text=\xff", "room=player&text=\ufffd"), ("a=b", "a=b"), (b"", ""), (None, "")]
)
def test_what_a_request_carries(body: bytes | str | None, told: str) -> None:
    request = requests.Request("POST", "http://s/x").prepare()
    request.body = body
    assert form_of(request) == told


@pytest.mark.parametrize(
    ("url", "subject"),
    [
        ("http://s/api/bot/game/abc/move/e2e4", ("abc", "move/e2e4")),
        ("http://s/api/bot/game/abc/move/P%40e4?offeringDraw=true", ("abc", "move/P@e4?offeringDraw=true")),
        ("http://s/api/bot/game/stream/abc", ("abc", "stream")),
        ("http://s/api/account", None),
        ("http://s/api/token/test", None),
        (None, None),
    ],
)
def test_what_concerns_a_game(url: str | None, subject: tuple[str, str] | None) -> None:
    assert subject_of(url) == subject
