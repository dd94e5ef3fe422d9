"""Each request of the gateway: method, address, body, and what becomes of the answer."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest
import requests
import requests_mock

from bot.errors import LichessError, NetworkError, NotFound, RateLimited, Rejected, ServerError, Unauthorized
from bot.lichess import Gateway
from bot.lichess.rate_limits import BOT_VS_BOT_DAY, Endpoint

URL = "https://lichess.test"
TOKEN = "lip_secretsecret"


@pytest.fixture
def gateway() -> Gateway:
    return Gateway(URL, TOKEN)


SIMPLE: list[tuple[Callable[[Gateway], object], str, str]] = [
    (lambda g: g.post_move("abcdefgh", "e2e4"), "/api/bot/game/abcdefgh/move/e2e4", ""),
    (lambda g: g.chat("abcdefgh", "player", "hi & bye"), "/api/bot/game/abcdefgh/chat", "room=player&text=hi+%26+bye"),
    (lambda g: g.abort("abcdefgh"), "/api/bot/game/abcdefgh/abort", ""),
    (lambda g: g.resign("abcdefgh"), "/api/bot/game/abcdefgh/resign", ""),
    (lambda g: g.draw("abcdefgh", True), "/api/bot/game/abcdefgh/draw/yes", ""),
    (lambda g: g.draw("abcdefgh", False), "/api/bot/game/abcdefgh/draw/no", ""),
    (lambda g: g.takeback("abcdefgh", True), "/api/bot/game/abcdefgh/takeback/yes", ""),
    (lambda g: g.takeback("abcdefgh", False), "/api/bot/game/abcdefgh/takeback/no", ""),
    (lambda g: g.claim_victory("abcdefgh"), "/api/bot/game/abcdefgh/claim-victory", ""),
    (lambda g: g.claim_draw("abcdefgh"), "/api/bot/game/abcdefgh/claim-draw", ""),
    (lambda g: g.accept_challenge("abcdefgh"), "/api/challenge/abcdefgh/accept", ""),
    (lambda g: g.decline_challenge("abcdefgh", "tooFast"), "/api/challenge/abcdefgh/decline", "reason=tooFast"),
    (lambda g: g.cancel_challenge("abcdefgh"), "/api/challenge/abcdefgh/cancel", ""),
    (lambda g: g.upgrade(), "/api/bot/account/upgrade", ""),
]


@pytest.mark.parametrize(("call", "path", "body"), SIMPLE)
def test_posts(
    gateway: Gateway, requests_mock: requests_mock.Mocker, call: Callable[[Gateway], object], path: str, body: str
) -> None:
    requests_mock.post(f"{URL}{path}", json={"ok": True})
    call(gateway)
    sent = requests_mock.request_history[0]
    assert (sent.text or "") == body
    assert sent.headers["Authorization"] == f"Bearer {TOKEN}"
    assert sent.headers["User-Agent"].startswith("bot88/")
    timeout: object = sent.timeout
    assert timeout == (5.0, 10.0)


def test_long_chat_is_cut_to_what_the_server_takes(gateway: Gateway, requests_mock: requests_mock.Mocker) -> None:
    requests_mock.post(f"{URL}/api/bot/game/abcdefgh/chat", json={"ok": True})
    gateway.chat("abcdefgh", "player", "x" * 1000)
    assert requests_mock.request_history[0].text == f"room=player&text={'x' * 140}"


def test_account_and_token(gateway: Gateway, requests_mock: requests_mock.Mocker) -> None:
    requests_mock.get(f"{URL}/api/account", json={"id": "me", "username": "Me", "title": "BOT", "count": {"all": 7}})
    answer = {TOKEN: {"userId": "me", "scopes": "bot:play,challenge:write", "expires": None}}
    requests_mock.post(f"{URL}/api/token/test", json=answer)
    account = gateway.account()
    assert (account.id, account.is_bot, account.games) == ("me", True, 7)
    info = gateway.test_token()
    assert info is not None
    assert info.scopes == {"bot:play", "challenge:write"}
    assert requests_mock.request_history[1].text == TOKEN
    requests_mock.post(f"{URL}/api/token/test", json={TOKEN: None})
    assert gateway.test_token() is None


def test_ongoing_games(gateway: Gateway, requests_mock: requests_mock.Mocker) -> None:
    game = {"gameId": "abcdefgh", "color": "black", "opponent": {"id": None, "username": "Stockfish level 3", "ai": 3}}
    requests_mock.get(f"{URL}/api/account/playing?nb=50", json={"nowPlaying": [game, {"odd": 1}]})
    games = gateway.ongoing_games()
    assert games[0].game_id == "abcdefgh"
    assert games[0].opponent.ai_level == 3


def test_create_challenge(gateway: Gateway, requests_mock: requests_mock.Mocker) -> None:
    requests_mock.post(f"{URL}/api/challenge/Some%2FOne", json={"id": "newgame1", "status": "created"})
    challenge = gateway.create_challenge("Some/One", rated=True, clock_limit_s=60, clock_increment_s=1)
    assert challenge.id == "newgame1"
    sent = requests_mock.request_history[0].text
    assert sent == "color=random&variant=standard&clock.limit=60&clock.increment=1&rated=true"


def test_challenge_ai(gateway: Gateway, requests_mock: requests_mock.Mocker) -> None:
    requests_mock.post(f"{URL}/api/challenge/ai", json={"id": "newgame1"}, status_code=201)
    assert gateway.challenge_ai(3, days=2) == "newgame1"
    assert requests_mock.request_history[0].text == "color=random&variant=standard&days=2&level=3"


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
    with pytest.raises(ServerError, match="is no game"):
        gateway.export_game("abcdefgh")


ERRORS: list[tuple[int, str, type[LichessError], str]] = [
    (400, '{"error":"This game can no longer be aborted"}', Rejected, "no longer be aborted"),
    (400, '{"error":{"clock.limit":["Invalid value"]}}', Rejected, "clock.limit: Invalid value"),
    (400, '{"error":{"terms":"odd"}}', Rejected, '{"terms": "odd"}'),
    (400, "<html>bad</html>", Rejected, "refused with 400"),
    (401, '{"error":"No such token"}', Unauthorized, "No such token"),
    (403, '{"error":"Missing scope: bot:play"}', Unauthorized, "Missing scope"),
    (404, "", NotFound, "404"),
    (500, "<html>", ServerError, "500"),
    (502, '{"error":"gateway"}', ServerError, "gateway"),
    (200, "<html>login</html>", ServerError, "no JSON"),
    (200, "", ServerError, "no JSON"),
]


@pytest.mark.parametrize(("status", "body", "error", "words"), ERRORS)
def test_answers_become_our_errors(
    gateway: Gateway,
    requests_mock: requests_mock.Mocker,
    status: int,
    body: str,
    error: type[LichessError],
    words: str,
) -> None:
    requests_mock.post(f"{URL}/api/bot/game/abcdefgh/abort", text=body, status_code=status)
    with pytest.raises(error, match=words):
        gateway.abort("abcdefgh")


@pytest.mark.parametrize(
    "foreign",
    [requests.ConnectTimeout, requests.ReadTimeout, requests.ConnectionError, requests.exceptions.ChunkedEncodingError],
)
def test_foreign_errors_become_ours(
    gateway: Gateway, requests_mock: requests_mock.Mocker, foreign: type[Exception]
) -> None:
    requests_mock.get(f"{URL}/api/account", exc=foreign)
    with pytest.raises(NetworkError):
        gateway.account()


def test_a_limited_challenge_closes_challenges_and_nothing_else(
    gateway: Gateway, requests_mock: requests_mock.Mocker
) -> None:
    requests_mock.post(f"{URL}/api/challenge/foe", status_code=429, json={"error": "Too many requests."})
    requests_mock.post(f"{URL}/api/bot/game/abcdefgh/move/e2e4", json={"ok": True})
    for _ in range(3):
        with pytest.raises(RateLimited):
            gateway.create_challenge("foe", clock_limit_s=60)
    assert requests_mock.call_count == 1  # the closed window answers for the server
    gateway.post_move("abcdefgh", "e2e4")
    assert set(gateway.limits.snapshot()) == {Endpoint.CHALLENGE}


def test_a_named_limit_closes_its_own_kind_only(gateway: Gateway, requests_mock: requests_mock.Mocker) -> None:
    limit = {
        "error": "You played 100 games against other bots today",
        "ratelimit": {"key": BOT_VS_BOT_DAY, "seconds": 5000},
    }
    requests_mock.post(f"{URL}/api/challenge/abcdefgh/accept", status_code=429, json=limit)
    with pytest.raises(RateLimited) as limited:
        gateway.accept_challenge("abcdefgh", against_bot=True)
    assert (limited.value.retry_after_s, limited.value.key) == (5000.0, BOT_VS_BOT_DAY)
    requests_mock.post(f"{URL}/api/challenge/ijklmnop/accept", json={"ok": True})
    gateway.accept_challenge("ijklmnop")
    with pytest.raises(RateLimited):
        gateway.create_challenge("foe", clock_limit_s=60, against_bot=True)


def test_retry_after_is_obeyed(gateway: Gateway, requests_mock: requests_mock.Mocker) -> None:
    requests_mock.get(
        f"{URL}/api/account", status_code=429, headers={"Retry-After": "17"}, text="<html>slow down</html>"
    )
    with pytest.raises(RateLimited) as limited:
        gateway.account()
    assert limited.value.retry_after_s == 17.0
    assert gateway.limits.seconds_left(Endpoint.CHAT) > 50  # HTML: the limiter of the whole address spoke
    assert gateway.limits.seconds_left(Endpoint.MOVE) == 0.0


def test_the_token_is_sent_to_hosts_of_lichess_only(gateway: Gateway, requests_mock: requests_mock.Mocker) -> None:
    requests_mock.get("https://elsewhere.test/x", json={})
    requests_mock.get("https://explorer.lichess.org/masters", json={})
    gateway.fetch_json("https://elsewhere.test/x", {}, timeout_s=1)
    gateway.fetch_json("https://explorer.lichess.org/masters", {"fen": "x"}, timeout_s=1)
    assert "Authorization" not in requests_mock.request_history[0].headers
    assert "Authorization" in requests_mock.request_history[1].headers
    assert TOKEN not in repr(gateway)


def test_a_limit_of_another_host_concerns_that_host_only(gateway: Gateway, requests_mock: requests_mock.Mocker) -> None:
    requests_mock.get("https://elsewhere.test/x", status_code=429, text="<html>")
    requests_mock.get(f"{URL}/api/account", json={"id": "me"})
    for _ in range(2):
        with pytest.raises(RateLimited):
            gateway.fetch_json("https://elsewhere.test/x", {}, timeout_s=1)
    assert requests_mock.call_count == 1
    gateway.account()
    assert list(gateway.limits.snapshot()) == ["elsewhere.test"]


def test_errors_survive_pickling() -> None:
    """An error that cannot be unpickled kills the pool that returns it (a peer's defect)."""
    error = pickle.loads(pickle.dumps(RateLimited(3.0, "key", "chat")))
    assert (error.retry_after_s, error.key, error.endpoint) == (3.0, "key", "chat")
    assert pickle.loads(pickle.dumps(Rejected(400, "no"))).status == 400


def test_online_bots(gateway: Gateway, requests_mock: requests_mock.Mocker) -> None:
    line = '{"id":"other","username":"Other","perfs":{"blitz":{"rating":1800,"games":3},"odd":5,"puzzle":{"runs":1}}}'
    requests_mock.get(f"{URL}/api/bot/online?nb=200", text=f"{line}\n\n[]\n")
    (bot,) = gateway.online_bots()
    assert (bot.id, bot.name, dict(bot.ratings)) == ("other", "Other", {"blitz": 1800})
    requests_mock.get(f"{URL}/api/bot/online?nb=200", status_code=502)
    with pytest.raises(ServerError):
        gateway.online_bots()
    requests_mock.get(f"{URL}/api/bot/online?nb=200", text='{"cut')
    with pytest.raises(ServerError):
        gateway.online_bots()


def test_the_chat_of_a_game(gateway: Gateway, requests_mock: requests_mock.Mocker) -> None:
    address = f"{URL}/api/bot/game/abcdefgh/chat"
    requests_mock.get(address, json=[{"text": "!eval\u001b[2J", "user": "Alice"}, 5, {"user": "Bob"}])
    lines = [(line.username, line.text, line.room) for line in gateway.read_chat("abcdefgh")]
    assert lines == [("Alice", "!eval [2J", "player"), ("", "", "player"), ("Bob", "", "player")]
    requests_mock.get(address, json={"error": "odd"})
    assert gateway.read_chat("abcdefgh") == ()
