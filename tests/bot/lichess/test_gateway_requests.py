"""What a request of the gateway carries, and which limit it asks before it is sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import requests_mock

from bot.errors import NotFound, RateLimited
from bot.events import GameInfo
from bot.lichess import Gateway
from bot.lichess.rate_limits import BOT_VS_BOT_DAY, STREAM_OPENS, Endpoint
from bot.lichess.values import UserStatus

URL = "https://lichess.test"


@pytest.fixture
def gateway() -> Gateway:
    return Gateway(f"{URL}/", "lip_secretsecret", connections=7)


@pytest.mark.parametrize(
    ("terms", "form"),
    [
        ({}, "color=random&variant=standard&rated=false"),
        ({"clock_limit_s": 60}, "color=random&variant=standard&clock.limit=60&clock.increment=0&rated=false"),
        (
            {"clock_limit_s": 0, "clock_increment_s": 1, "rated": True},
            "color=random&variant=standard&clock.limit=0&clock.increment=1&rated=true",
        ),
        ({"days": 3, "color": "white"}, "color=white&variant=standard&days=3&rated=false"),
        (
            {"clock_limit_s": 60, "days": 3},  # a clock counts before days
            "color=random&variant=standard&clock.limit=60&clock.increment=0&rated=false",
        ),
        (
            {"variant": "fromPosition", "fen": "8/8 w"},
            "color=random&variant=fromPosition&fen=8%2F8+w&rated=false",
        ),
    ],
)
def test_a_challenge_says_its_terms(
    gateway: Gateway, requests_mock: requests_mock.Mocker, terms: dict[str, Any], form: str
) -> None:
    requests_mock.post(f"{URL}/api/challenge/foe", json={"challenge": {"id": "newgame1"}})
    assert gateway.create_challenge("foe", **terms).id == "newgame1"
    assert requests_mock.request_history[0].text == form
    if "rated" not in terms:
        requests_mock.post(f"{URL}/api/challenge/ai", json={"id": "newgame2"})
        assert gateway.challenge_ai(3, **terms) == "newgame2"
        assert requests_mock.request_history[1].text == form.replace("rated=false", "level=3")


def test_a_game_against_the_server_may_have_no_name(gateway: Gateway, requests_mock: requests_mock.Mocker) -> None:
    requests_mock.post(f"{URL}/api/challenge/ai", json=[])
    assert gateway.challenge_ai(1) == ""


CALLS: list[tuple[Callable[[Gateway], object], Endpoint, str, str]] = [
    (lambda g: g.account(), Endpoint.ACCOUNT, "GET", "/api/account"),
    (lambda g: g.upgrade(), Endpoint.ACCOUNT, "POST", "/api/bot/account/upgrade"),
    (lambda g: g.ongoing_games(), Endpoint.ACCOUNT, "GET", "/api/account/playing"),
    (lambda g: g.stream_events().close(), Endpoint.EVENT_STREAM, "GET", "/api/stream/event"),
    (lambda g: g.stream_game("a/b").close(), Endpoint.GAME_STREAM, "GET", "/api/bot/game/stream/a%2Fb"),
    (lambda g: g.post_move("a/b", "e2/4"), Endpoint.MOVE, "POST", "/api/bot/game/a%2Fb/move/e2%2F4"),
    (lambda g: g.chat("a/b", "player", "x"), Endpoint.CHAT, "POST", "/api/bot/game/a%2Fb/chat"),
    (lambda g: g.read_chat("a/b"), Endpoint.CHAT, "GET", "/api/bot/game/a%2Fb/chat"),
    (lambda g: g.resign("a/b"), Endpoint.GAME_ACTION, "POST", "/api/bot/game/a%2Fb/resign"),
    (lambda g: g.accept_challenge("a/b"), Endpoint.ANSWER, "POST", "/api/challenge/a%2Fb/accept"),
    (lambda g: g.decline_challenge("a/b"), Endpoint.ANSWER, "POST", "/api/challenge/a%2Fb/decline"),
    (lambda g: g.cancel_challenge("a/b"), Endpoint.ANSWER, "POST", "/api/challenge/a%2Fb/cancel"),
    (lambda g: g.create_challenge("a/b"), Endpoint.CHALLENGE, "POST", "/api/challenge/a%2Fb"),
    (lambda g: g.challenge_ai(1), Endpoint.CHALLENGE, "POST", "/api/challenge/ai"),
    (lambda g: g.export_game("a/b"), Endpoint.OTHER, "GET", "/game/export/a%2Fb"),
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
def test_a_request_goes_to_its_place_and_asks_the_limit_of_its_class_first(
    gateway: Gateway,
    requests_mock: requests_mock.Mocker,
    call: Callable[[Gateway], object],
    endpoint: Endpoint,
    method: str,
    path: str,
) -> None:
    requests_mock.request(method, f"{URL}{path}", json={"id": "abcdefgh", "status": "mate"})
    call(gateway)
    (sent,) = requests_mock.request_history
    assert (sent.method, sent.url.split("?")[0]) == (method, f"{URL}{path}")
    gateway.limits.note_limited(endpoint, retry_after_s=9.0)
    with pytest.raises(RateLimited):
        call(gateway)
    assert requests_mock.call_count == 1


@pytest.mark.parametrize("against_bot", [True, False])
def test_the_limit_of_games_between_bots_concerns_them_alone(
    gateway: Gateway, requests_mock: requests_mock.Mocker, against_bot: bool
) -> None:
    requests_mock.post(f"{URL}/api/challenge/foe", json={"id": "newgame1"})
    requests_mock.post(f"{URL}/api/challenge/abcdefgh/accept", json={"ok": True})
    gateway.limits.note_limited(Endpoint.ANSWER, key=BOT_VS_BOT_DAY, retry_after_s=600.0)
    named: Any = {"against_bot": True} if against_bot else {}
    calls = (lambda: gateway.create_challenge("foe", **named), lambda: gateway.accept_challenge("abcdefgh", **named))
    for call in calls:
        if against_bot:
            with pytest.raises(RateLimited):
                call()
        else:
            call()
    assert requests_mock.call_count == (0 if against_bot else 2)


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
    ("body", "expected"),
    [
        ({"nowPlaying": [{"gameId": "abcdefgh"}, {"gameId": "ijklmnop"}]}, ["abcdefgh", "ijklmnop"]),
        ({"nowPlaying": {}}, []),
        ({}, []),
        ([], []),
    ],
)
def test_the_list_of_running_games(
    gateway: Gateway, requests_mock: requests_mock.Mocker, body: object, expected: list[str]
) -> None:
    requests_mock.get(f"{URL}/api/account/playing?nb=50", json=body)
    games: tuple[GameInfo, ...] = gateway.ongoing_games()
    assert [game.game_id for game in games] == expected


def test_answers_of_several_lines(gateway: Gateway, requests_mock: requests_mock.Mocker) -> None:
    requests_mock.get(f"{URL}/api/bot/online", text='\n{"id":"a"}\r\n \n{"username":"Bee"}')
    assert [(bot.id, bot.name) for bot in gateway.online_bots(3)] == [("a", ""), ("bee", "Bee")]
    assert requests_mock.request_history[0].qs == {"nb": ["3"]}
    requests_mock.get(f"{URL}/api/bot/online", status_code=404)
    with pytest.raises(NotFound):
        gateway.online_bots()


def test_who_is_online_is_asked_for_all_at_once(gateway: Gateway, requests_mock: requests_mock.Mocker) -> None:
    requests_mock.get(f"{URL}/api/users/status", json=[{"id": "ann", "name": "Ann", "playing": True}])
    assert gateway.users_status("ann", "bob") == (UserStatus("ann", "Ann", playing=True),)
    assert requests_mock.request_history[0].qs == {"ids": ["ann,bob"]}


def test_the_account_is_named_from_now_on_also_by_moves_and_streams(
    gateway: Gateway, requests_mock: requests_mock.Mocker
) -> None:
    requests_mock.get(f"{URL}/api/account", json={})
    requests_mock.get(f"{URL}/api/bot/game/stream/abcdefgh", text="")
    requests_mock.post(f"{URL}/api/bot/game/abcdefgh/move/e2e4", json={"ok": True})
    gateway.identify("mybot")
    gateway.account()
    gateway.post_move("abcdefgh", "e2e4")
    gateway.stream_game("abcdefgh").close()
    for sent in requests_mock.request_history:
        assert sent.headers["User-Agent"].endswith(" user:mybot")
        assert sent.headers["Accept"] == "application/json"
        assert sent.headers["Authorization"] == "Bearer lip_secretsecret"


def test_it_shows_where_it_goes_and_not_with_which_token(gateway: Gateway) -> None:
    assert repr(gateway) == f"Gateway({URL!r})"
    assert gateway.url == URL
