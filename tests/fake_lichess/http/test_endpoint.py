"""Bad requests get the server's words, never a stack trace."""

from __future__ import annotations

import socket

import pytest
import requests

from bot.fake_lichess import FakeLichess
from tests.fake_lichess.conftest import Connect, MakeFake, error_of
from tests.helpers.lichess_client import Client


def test_tokens_that_are_missing_wrong_or_too_weak(fake: FakeLichess, connect: Connect) -> None:
    assert connect(fake, None).get("/api/account").status_code == 401
    for header in ("Bearer nonsense", "Bearer", "Basic abc", "Bearer \u00e9".encode()):
        answer = requests.get(fake.url + "/api/account", headers={"Authorization": header}, timeout=60)
        assert answer.status_code == 401
        assert answer.json()["error"] in ("No such token", "Missing authorization header")
    fake.add_account("Weak", title="BOT", scopes=("challenge:read",))
    assert error_of(connect(fake, "Weak").post("/api/bot/game/abcdefgh/move/e2e4")) == (403, "Missing scope: bot:play")


def test_unknown_games_and_others_games(fake: FakeLichess, bot: Client) -> None:
    others = fake.start_game("Alice", "Bobby")
    for path in ("", "stream/"):
        assert error_of(bot.get(f"/api/bot/game/{path}abcdefgh" + ("" if path else "/chat"))) == (404, "No such game")
    assert error_of(bot.post(f"/api/bot/game/{others}/resign")) == (404, "Not your game")
    for action in ("accept", "decline", "cancel"):
        assert bot.post(f"/api/challenge/nosuchid/{action}").json() == {"error": "Not found."}
    assert error_of(bot.post("/api/challenge/nobody-here")) == (400, "No such user: nobody-here")


@pytest.mark.parametrize(
    "path",
    [
        "/api",
        "/api/bot/game/../../account",
        "/api/bot/game/%2e%2e/%2e%2e/chat/x",
        "/../../../etc/passwd",
        "/api/bot/game/stream/" + "x" * 5000,
        "/api/bot/game/%00%ff/chat/more",
        "//api//account//",
    ],
)
def test_path_tricks_find_nothing(fake: FakeLichess, bot: Client, path: str) -> None:
    prepared = requests.Request("GET", fake.url, headers=dict(bot.session.headers)).prepare()
    prepared.url = fake.url + path
    answer = bot.session.send(prepared, timeout=60)
    assert answer.status_code == 404
    assert set(answer.json()) == {"error"}


@pytest.mark.parametrize("path", ["/api/account/", "/api/account///", "/api/user/alice/"])
def test_a_trailing_slash_is_dropped(fake: FakeLichess, bot: Client, path: str) -> None:
    assert bot.get(path).json()["url"].startswith(fake.url)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "POST"])
def test_wrong_methods_find_nothing(fake: FakeLichess, bot: Client, method: str) -> None:
    assert error_of(bot.session.request(method, fake.url + "/api/account", timeout=60)) == (404, "Not found.")


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"{", "application/json"),
        (b"[1,2,3]", "application/json"),
        (b'"text"', "application/json"),
        (b"null", "application/json"),
        (b"[" * 100_000, "application/json"),
        (b'{"room":{"a":1},"text":[1]}', "application/json"),
        (b'{"room":5,"text":7}', "application/json"),
        (b"\xff\xfe\x00", "application/json"),
        (b"\xff\xfe\x00%%%", "application/x-www-form-urlencoded"),
        (b"room=player", "application/x-www-form-urlencoded"),
        (b"room=kitchen&text=hi", "application/x-www-form-urlencoded"),
        (b"room=player&text=", "application/x-www-form-urlencoded"),
        (b"room=player&text=" + b"x" * 141, "application/x-www-form-urlencoded"),
        (b"room=player&text=" + b"x" * 1_000_000, "application/x-www-form-urlencoded"),
        (b"", "multipart/form-data"),
    ],
)
def test_bad_chat_bodies(fake: FakeLichess, bot: Client, body: bytes, kind: str) -> None:
    game_id = fake.start_game("bot88", "Alice")
    answer = bot.post(f"/api/bot/game/{game_id}/chat", data=body, headers={"Content-Type": kind})
    assert answer.status_code == 400
    assert answer.json()["error"]
    assert fake.game(game_id).chat == ()


def test_a_body_beyond_all_measure_is_refused(fake: FakeLichess, bot: Client) -> None:
    answer = bot.post("/api/challenge/Alice", data=b"x" * 5_000_000)
    assert answer.status_code == 413


def test_wrong_types_in_a_challenge(fake: FakeLichess, alice: Client) -> None:
    for fields in ({"clock.limit": "much", "clock.increment": 0}, {"clock": [1, 2]}, {"days": "soon"}, {"variant": 77}):
        answer = alice.post("/api/challenge/bot88", json=fields)
        assert answer.status_code == 400 or fields.get("clock"), answer.text
    assert alice.post("/api/challenge/bot88", json={"clock": {"limit": 1e30, "increment": 0}}).status_code == 400


def test_junk_instead_of_http_is_survived(fake: FakeLichess, bot: Client) -> None:
    host, port = fake.url.removeprefix("http://").split(":")
    for junk in (
        b"\x16\x03\x01\x02\x00\x01",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /api HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
    ):
        with socket.create_connection((host, int(port)), timeout=60) as raw:
            raw.sendall(junk)
            raw.shutdown(socket.SHUT_WR)
            while raw.recv(4096):
                pass
    assert bot.get("/api/account").ok


def test_the_network_limiter_answers_with_a_page(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(rate_limits=True, requests_per_minute=3)
    bot = connect(fake, "bot88")
    answers = [bot.get("/api/account/playing") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert answers[3].headers["content-type"] == "text/html"


def test_the_account_is_limited_to_thirty_reads(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(rate_limits=True)
    bot = connect(fake, "bot88")
    assert [bot.get("/api/account").status_code for _ in range(31)] == [200] * 30 + [429]


def test_requests_are_remembered_with_their_game(fake: FakeLichess, bot: Client) -> None:
    game_id = fake.start_game("bot88", "Alice")
    bot.post(f"/api/bot/game/{game_id}/move/e2e4")
    bot.post(f"/api/bot/game/{game_id}/move/e2e4")
    seen = fake.requests("move", game_id)
    assert [(request.status, request.account_id) for request in seen] == [(200, "bot88"), (400, "bot88")]
    assert seen[0].at_s < seen[1].at_s


def test_limits_of_the_source(make_fake: MakeFake, connect: Connect) -> None:
    fake = make_fake(rate_limits=True, seek_taken_after_s=None, ai_games_per_day=100)
    bot, alice, anyone = connect(fake, "bot88"), connect(fake, "Alice"), connect(fake, None)
    computer = {"level": 1, "clock.limit": 600, "clock.increment": 0}
    assert [bot.post("/api/challenge/ai", data=computer).status_code for _ in range(6)] == [201] * 5 + [429]
    tables = [anyone.get("/api/crosstable/alice/bobby").status_code for _ in range(31)]
    assert tables == [200] * 30 + [429]
    seek = {"time": 10, "increment": 0}
    first = alice.session.post(f"{alice.url}/api/board/seek", data=seek, stream=True, timeout=60)
    assert first.ok
    assert error_of(alice.post("/api/board/seek", data=seek)) == (429, "Please only run 1 request(s) at a time")
    first.close()
    fake.wait_for(lambda: fake.call(lambda: not fake.seeks.seeks), what="the end of the seek")
    game_id = fake.start_game("Alice", "Bobby", clock=(600, 0))
    watched = [anyone.stream(f"/api/stream/game/{game_id}") for _ in range(8)]
    assert error_of(anyone.get(f"/api/stream/game/{game_id}")) == (429, "Please only run 8 request(s) at a time")
    watched[0].close()
    fake.wait_for(lambda: fake.call(lambda: sum(fake.world.watched.values())) == 7, what="the end of a stream")
    anyone.stream(f"/api/stream/game/{game_id}")


def test_a_browser_may_ask_and_read(fake: FakeLichess, bot: Client) -> None:
    allowed = bot.session.request("OPTIONS", f"{bot.url}/api/account", timeout=60)
    assert (allowed.status_code, allowed.headers["access-control-allow-origin"]) == (204, "*")
    assert "Authorization" in allowed.headers["access-control-allow-headers"]
    assert "POST" in allowed.headers["access-control-allow-methods"]
    stream = bot.stream("/api/stream/event")
    for headers in (bot.get("/api/account").headers, stream.response.headers, bot.get("/api/nothing").headers):
        assert headers["access-control-allow-origin"] == "*"


def test_the_scopes_of_the_token_are_named(fake: FakeLichess, bot: Client, connect: Connect) -> None:
    refused = bot.get("/api/account/email").headers
    assert "bot:play" in refused["x-oauth-scopes"].split(", ")
    assert refused["x-accepted-oauth-scopes"] == "email:read"
    assert "x-oauth-scopes" not in connect(fake, None).get("/api/user/alice").headers
