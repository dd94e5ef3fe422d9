"""Each request of the gateway: method, address, body, limits, and the answer as a value or an error."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest
import requests_mock

from bot.errors import LichessError, NotFound, RateLimited, Rejected, ServerError, Unauthorized
from bot.lichess.gateway import Gateway
from bot.lichess.rate_limits import BOT_VS_BOT_DAY, STREAM_OPENS, Endpoint, RateLimits
from bot.lichess.values import Arena, ChallengeTerms, Team, UserProfile, UserStatus
from tests.helpers.fake_clock import FakeClock

URL = "https://lichess.test"
TOKEN = "lip_secretsecret"
GAME = "/api/bot/game/abcdefgh"
Call = Callable[[Gateway], object]


@pytest.fixture
def gateway() -> Gateway:
    return Gateway(f"{URL}/", TOKEN, connections=7)


POSTS: list[tuple[Call, str, str]] = [
    (lambda g: g.post_move("abcdefgh", "e7e8q"), f"{GAME}/move/e7e8q", ""),
    (lambda g: g.chat("abcdefgh", "player", "hi & bye"), f"{GAME}/chat", '{"room": "player", "text": "hi & bye"}'),
    (lambda g: g.chat("abcdefgh", "spectator", "hi"), f"{GAME}/chat", '{"room": "spectator", "text": "hi"}'),
    (
        lambda g: g.chat("abcdefgh", "player", "x" * 1000),
        f"{GAME}/chat",
        f'{{"room": "player", "text": "{"x" * 140}"}}',
    ),
    (lambda g: g.draw("abcdefgh", False), f"{GAME}/draw/no", ""),
    (lambda g: g.takeback("abcdefgh", False), f"{GAME}/takeback/no", ""),
    (lambda g: g.decline_challenge("abcdefgh", "tooFast"), "/api/challenge/abcdefgh/decline", '{"reason": "tooFast"}'),
    (
        lambda g: g.join_arena("AbCd1234", team="ours", password="a b", pair_now=True),
        "/api/tournament/AbCd1234/join",
        "team=ours&password=a+b&pairMeAsap=true",
    ),
    (lambda g: g.join_team("ours", password="x", message="hi"), "/team/ours/join", "password=x&message=hi"),
]


@pytest.mark.parametrize(("call", "path", "body"), POSTS)
def test_posts(gateway: Gateway, requests_mock: requests_mock.Mocker, call: Call, path: str, body: str) -> None:
    requests_mock.post(f"{URL}{path}", json={"ok": True})
    gateway.identify("mybot")
    call(gateway)
    (sent,) = requests_mock.request_history
    assert (sent.text or "") == body
    assert sent.headers["Authorization"] == f"Bearer {TOKEN}"
    assert sent.headers["User-Agent"].startswith("bot88/")
    assert sent.headers["User-Agent"].endswith(" user:mybot")


CALLS: list[tuple[Call, Endpoint, str, str]] = [
    (lambda g: g.account(), Endpoint.ACCOUNT, "GET", "/api/account"),
    (lambda g: g.upgrade(), Endpoint.ACCOUNT, "POST", "/api/bot/account/upgrade"),
    (lambda g: g.ongoing_games(), Endpoint.ACCOUNT, "GET", "/api/account/playing"),
    (lambda g: g.stream_events().close(), Endpoint.EVENT_STREAM, "GET", "/api/stream/event"),
    (lambda g: g.stream_game("a/b").close(), Endpoint.GAME_STREAM, "GET", "/api/bot/game/stream/a%2Fb"),
    (lambda g: g.post_move("a/b", "e2/4"), Endpoint.MOVE, "POST", "/api/bot/game/a%2Fb/move/e2%2F4"),
    (lambda g: g.chat("a/b", "player", "x"), Endpoint.CHAT, "POST", "/api/bot/game/a%2Fb/chat"),
    (lambda g: g.read_chat("a/b"), Endpoint.CHAT, "GET", "/api/bot/game/a%2Fb/chat"),
    (lambda g: g.abort("a/b"), Endpoint.GAME_ACTION, "POST", "/api/bot/game/a%2Fb/abort"),
    (lambda g: g.resign("a/b"), Endpoint.GAME_ACTION, "POST", "/api/bot/game/a%2Fb/resign"),
    (lambda g: g.draw("a/b", True), Endpoint.GAME_ACTION, "POST", "/api/bot/game/a%2Fb/draw/yes"),
    (lambda g: g.takeback("a/b", True), Endpoint.GAME_ACTION, "POST", "/api/bot/game/a%2Fb/takeback/yes"),
    (lambda g: g.claim_victory("a/b"), Endpoint.GAME_ACTION, "POST", "/api/bot/game/a%2Fb/claim-victory"),
    (lambda g: g.claim_draw("a/b"), Endpoint.GAME_ACTION, "POST", "/api/bot/game/a%2Fb/claim-draw"),
    (lambda g: g.accept_challenge("a/b"), Endpoint.ANSWER, "POST", "/api/challenge/a%2Fb/accept"),
    (lambda g: g.decline_challenge("a/b"), Endpoint.ANSWER, "POST", "/api/challenge/a%2Fb/decline"),
    (lambda g: g.cancel_challenge("a/b"), Endpoint.ANSWER, "POST", "/api/challenge/a%2Fb/cancel"),
    (lambda g: g.create_challenge(ChallengeTerms("a/b")), Endpoint.CHALLENGE, "POST", "/api/challenge/a%2Fb"),
    (lambda g: g.export_game("a/b"), Endpoint.OTHER, "GET", "/game/export/a%2Fb"),
    (lambda g: g.test_token(), Endpoint.OTHER, "POST", "/api/token/test"),
    (lambda g: g.users_status("a", "b"), Endpoint.OTHER, "GET", "/api/users/status"),
    (lambda g: g.online_bots(), Endpoint.OTHER, "GET", "/api/bot/online"),
    (lambda g: g.user_profile("a/b"), Endpoint.OTHER, "GET", "/api/user/a%2Fb"),
    (lambda g: g.arena("a/b"), Endpoint.OTHER, "GET", "/api/tournament/a%2Fb"),
    (lambda g: g.join_arena("a/b"), Endpoint.OTHER, "POST", "/api/tournament/a%2Fb/join"),
    (lambda g: g.withdraw_from_arena("a/b"), Endpoint.OTHER, "POST", "/api/tournament/a%2Fb/withdraw"),
    (lambda g: g.team("a/b"), Endpoint.OTHER, "GET", "/api/team/a%2Fb"),
    (lambda g: g.join_team("a/b"), Endpoint.OTHER, "POST", "/team/a%2Fb/join"),
]


@pytest.mark.parametrize(("call", "endpoint", "method", "path"), CALLS, ids=[path for *_, path in CALLS])
def test_ids_are_quoted_and_limits_respected(
    requests_mock: requests_mock.Mocker, call: Call, endpoint: Endpoint, method: str, path: str
) -> None:
    clock = FakeClock()
    gateway = Gateway(URL, TOKEN, limits=RateLimits(now_s=clock))
    answers: list[Any] = [
        {"status_code": 429, "json": {"error": "Too many requests"}},
        {"json": {"id": "abcdefgh", "status": "mate"}},
    ]
    requests_mock.request(method, f"{URL}{path}", answers)
    with pytest.raises(RateLimited) as limited:
        call(gateway)
    with pytest.raises(RateLimited):  # without a request
        call(gateway)
    (sent,) = requests_mock.request_history
    assert (sent.method, sent.url.split("?")[0]) == (method, f"{URL}{path}")
    assert limited.value.endpoint == endpoint
    clock.now_s += limited.value.retry_after_s
    call(gateway)
    assert requests_mock.call_count == 2
    assert gateway.limits.note_limited(endpoint).retry_after_s == limited.value.retry_after_s  # the success reset it


@pytest.mark.parametrize("against_bot", [True, False])
def test_the_limit_of_games_between_bots_concerns_them_alone(
    gateway: Gateway, requests_mock: requests_mock.Mocker, against_bot: bool
) -> None:
    limit = {"error": "100 games today", "ratelimit": {"key": BOT_VS_BOT_DAY, "seconds": 5000}}
    requests_mock.post(f"{URL}/api/challenge/first/accept", status_code=429, json=limit)
    requests_mock.post(f"{URL}/api/challenge/foe", json={"id": "newgame1"})
    requests_mock.post(f"{URL}/api/challenge/abcdefgh/accept", json={"ok": True})
    with pytest.raises(RateLimited) as limited:
        gateway.accept_challenge("first", against_bot=True)
    assert (limited.value.retry_after_s, limited.value.key) == (5000.0, BOT_VS_BOT_DAY)
    for call in (
        lambda: gateway.create_challenge(ChallengeTerms("foe"), against_bot=against_bot),
        lambda: gateway.accept_challenge("abcdefgh", against_bot=against_bot),
    ):
        if against_bot:
            with pytest.raises(RateLimited):
                call()
        else:
            call()
    assert requests_mock.call_count == (1 if against_bot else 3)


def test_the_event_stream_is_not_opened_more_often_than_the_server_allows(
    gateway: Gateway, requests_mock: requests_mock.Mocker
) -> None:
    requests_mock.get(f"{URL}/api/stream/event", text="")
    for _ in range(STREAM_OPENS):
        gateway.stream_events().close()
    with pytest.raises(RateLimited):
        gateway.stream_events()
    assert requests_mock.call_count == STREAM_OPENS


@pytest.mark.parametrize(
    ("terms", "sent"),
    [
        ({"limit_s": None}, {}),
        ({"limit_s": 60, "increment_s": 0}, {"clock.limit": 60, "clock.increment": 0}),
        ({"limit_s": 0, "increment_s": 1, "rated": True}, {"clock.limit": 0, "clock.increment": 1, "rated": True}),
        ({"limit_s": None, "days": 3, "color": "white"}, {"days": 3, "color": "white"}),
        ({"limit_s": 60, "days": 3}, {"clock.limit": 60, "clock.increment": 2}),  # a clock counts before days
        ({"limit_s": None, "variant": "atomic"}, {"variant": "atomic"}),
    ],
)
def test_a_challenge_sends_its_terms(
    gateway: Gateway, requests_mock: requests_mock.Mocker, terms: dict[str, Any], sent: dict[str, Any]
) -> None:
    requests_mock.post(f"{URL}/api/challenge/foe", json={"challenge": {"id": "newgame1"}})
    assert gateway.create_challenge(ChallengeTerms("foe", **terms)).id == "newgame1"
    body = requests_mock.request_history[0].json()
    given = {name: value for name, value in body.items() if value is not None}
    assert given == {"rated": False, "color": "random", "variant": "standard"} | sent


def test_account_and_token(gateway: Gateway, requests_mock: requests_mock.Mocker) -> None:
    requests_mock.get(f"{URL}/api/account", json={"id": "me", "username": "Me", "title": "BOT", "count": {"all": 7}})
    answer = {TOKEN: {"userId": "me", "scopes": "bot:play,challenge:write", "expires": None}}
    requests_mock.post(f"{URL}/api/token/test", json=answer)
    account = gateway.account()
    assert (account.id, account.is_bot, account.games) == ("me", True, 7)
    assert gateway.test_token() == frozenset({"bot:play", "challenge:write"})
    sent = requests_mock.request_history[1]
    assert (sent.text, sent.headers["Content-Type"]) == (TOKEN, "text/plain")
    requests_mock.post(f"{URL}/api/token/test", json={TOKEN: None})
    assert gateway.test_token() is None


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"nowPlaying": [{"gameId": "abcdefgh"}, {"gameId": "ijklmnop"}]}, ["abcdefgh", "ijklmnop"]),
        ({"nowPlaying": {}}, []),
        ({}, []),
        ([], []),
    ],
)
def test_running_games(
    gateway: Gateway, requests_mock: requests_mock.Mocker, body: object, expected: list[str]
) -> None:
    requests_mock.get(f"{URL}/api/account/playing?nb=50", json=body)
    assert [game.game_id for game in gateway.ongoing_games()] == expected


def test_export_asks_for_json_with_moves_and_clocks(gateway: Gateway, requests_mock: requests_mock.Mocker) -> None:
    requests_mock.get(f"{URL}/game/export/abcdefgh", json={"id": "abcdefgh", "status": "mate", "moves": "e4 e5"})
    export = gateway.export_game("abcdefgh")
    assert (export.status, export.is_over, export.san_moves) == ("mate", True, ("e4", "e5"))
    sent = requests_mock.request_history[0]
    assert sent.headers["Accept"] == "application/json"
    assert sent.qs == {"moves": ["true"], "clocks": ["true"], "evals": ["false"], "opening": ["false"]}


@pytest.mark.parametrize("body", [{}, [], {"id": "abcdefgh"}, {"status": "mate"}, "no"])
def test_an_export_that_is_no_game_is_an_error(
    gateway: Gateway, requests_mock: requests_mock.Mocker, body: object
) -> None:
    requests_mock.get(f"{URL}/game/export/abcdefgh", json=body)
    with pytest.raises(ServerError, match="is not a game"):
        gateway.export_game("abcdefgh")


def test_online_bots(gateway: Gateway, requests_mock: requests_mock.Mocker) -> None:
    line = '{"id":"other","username":"Other","perfs":{"blitz":{"rating":1800,"games":3},"odd":5,"puzzle":{"runs":1}}}'
    requests_mock.get(f"{URL}/api/bot/online?nb=512", text=f'{line}\r\n \n[]\n{{"username":"Bee"}}')
    bots = [(bot.id, bot.name, dict(bot.ratings)) for bot in gateway.online_bots()]
    assert bots == [("other", "Other", {"blitz": 1800}), ("bee", "Bee", {})]
    requests_mock.get(f"{URL}/api/bot/online", text='{"cut')
    with pytest.raises(ServerError):
        gateway.online_bots()


def test_the_chat_of_a_game(gateway: Gateway, requests_mock: requests_mock.Mocker) -> None:
    requests_mock.get(f"{URL}{GAME}/chat", json=[{"text": "!eval\u001b[2J", "user": "Alice"}, 5, {"user": "Bob"}])
    lines = [(line.username, line.text, line.room) for line in gateway.read_chat("abcdefgh")]
    assert lines == [("Alice", "!eval [2J", "player"), ("", "", "player"), ("Bob", "", "player")]
    requests_mock.get(f"{URL}{GAME}/chat", json={"error": "odd"})
    assert gateway.read_chat("abcdefgh") == ()


READINGS: list[tuple[Call, str, object, object]] = [
    (
        lambda g: g.user_profile("ann"),
        "/api/user/ann",
        {"id": "ann", "createdAt": 1_500_000_000_123, "count": {"all": 7}},
        UserProfile(1_500_000_000.123, 7),
    ),
    (lambda g: g.user_profile("ann"), "/api/user/ann", [], UserProfile()),
    (
        lambda g: g.users_status("ann", "bob"),
        "/api/users/status?ids=ann,bob",
        [{"id": "ann", "name": "Ann", "online": True}],
        (UserStatus("ann", "Ann", online=True),),
    ),
    (lambda g: g.users_status("ann", "bob"), "/api/users/status?ids=ann,bob", {"id": "ann"}, ()),
    (lambda g: g.arena("a"), "/api/tournament/a", {"id": "a", "secondsToStart": 3}, Arena("a", "a", starts_in_s=3)),
    (lambda g: g.team("t"), "/api/team/t", {"id": "t", "name": "T", "joined": True}, Team("t", "T", joined=True)),
]


@pytest.mark.parametrize(("call", "path", "body", "value"), READINGS)
def test_answers_become_values(
    gateway: Gateway, requests_mock: requests_mock.Mocker, call: Call, path: str, body: object, value: object
) -> None:
    requests_mock.get(f"{URL}{path}", json=body)
    assert call(gateway) == value


@pytest.mark.parametrize(
    ("status", "body", "error", "words"),
    [
        (400, '{"error":"This game can no longer be aborted"}', Rejected, "no longer be aborted"),
        (401, '{"error":"No such token"}', Unauthorized, "No such token"),
        (404, "", NotFound, "404"),
        (502, '{"error":"gateway"}', ServerError, "gateway"),
        (200, "<html>login</html>", ServerError, "not JSON"),
        (200, "", ServerError, "not JSON"),
        (304, "", Rejected, "304"),
    ],
)
def test_answers_become_our_errors(
    gateway: Gateway,
    requests_mock: requests_mock.Mocker,
    status: int,
    body: str,
    error: type[LichessError],
    words: str,
) -> None:
    requests_mock.post(f"{URL}{GAME}/abort", text=body, status_code=status)
    with pytest.raises(error, match=words):
        gateway.abort("abcdefgh")


def test_errors_survive_pickling() -> None:
    """An error that cannot be unpickled breaks the process pool that returns it."""
    error = pickle.loads(pickle.dumps(RateLimited(3.0, "key", "chat")))
    assert (error.retry_after_s, error.key, error.endpoint) == (3.0, "key", "chat")
    assert pickle.loads(pickle.dumps(Rejected(400, "no"))).status == 400
