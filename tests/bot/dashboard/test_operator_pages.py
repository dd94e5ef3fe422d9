"""Sign-in, sessions and commands."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, get_args
from urllib.parse import urlsplit

import pytest
import requests
from structlog.typing import EventDict

from bot.control.commands import parse_command
from bot.control.wire import Reply
from bot.dashboard import DashboardServer, Meters, Observer, Sources
from bot.dashboard import operator_pages as module
from bot.dashboard.layout import message_page
from bot.dashboard.operator_pages import (
    CLOCKS,
    COLORS,
    COOKIE,
    FORGOTTEN_AFTER_S,
    FREE_FAILURES,
    LARGEST_FORM,
    LASTS_S,
    LONGEST_PAUSE_S,
    VARIANTS,
    Failures,
    RefusedError,
    Sessions,
    client_of,
    controls,
    is_same_origin,
    sign_in_page,
    words_of,
)
from bot.settings import DashboardSettings, Variant
from tests.bot.dashboard.pictures import PLAIN, words
from tests.bot.dashboard.test_overview import HOSTILE, Reader
from tests.helpers.processes import wait_until

PASSWORD = "correct horse"


def signed_in(sessions: Sessions, now_s: float = 1000.0) -> str:
    cookie = sessions.sign_in(PASSWORD, "client", now_s)
    assert cookie is not None
    return cookie


def test_the_password_opens_a_session_that_ends() -> None:
    sessions = Sessions(PASSWORD)
    cookie = signed_in(sessions)
    assert sessions.is_signed_in(cookie, 1000.0)
    assert sessions.is_signed_in(cookie, 1000.0 + LASTS_S - 1)
    assert not sessions.is_signed_in(cookie, 1000.0 + LASTS_S)
    assert PASSWORD not in cookie


@pytest.mark.parametrize("password", ["", "correct hors", "correct horse ", "Correct horse", "é"])
def test_no_other_password_does(password: str) -> None:
    assert Sessions(PASSWORD).sign_in(password, "client", 0.0) is None


def test_a_forged_cookie_is_none() -> None:
    sessions = Sessions(PASSWORD)
    cookie = signed_in(sessions)
    forged = [None, "", "é", f"{cookie}x", cookie[:-1], cookie.swapcase(), signed_in(Sessions(PASSWORD))]
    assert [one for one in forged if sessions.is_signed_in(one, 1000.0)] == []


def test_a_session_that_was_signed_out_is_over_wherever_its_cookie_is() -> None:
    sessions = Sessions(PASSWORD)
    first, second = signed_in(sessions), signed_in(sessions)
    sessions.sign_out(first)
    sessions.sign_out("forged")
    sessions.sign_out(None)
    assert not sessions.is_signed_in(first, 1002.0)
    assert sessions.is_signed_in(second, 1002.0)


def test_sessions_that_are_over_are_forgotten() -> None:
    sessions = Sessions(PASSWORD)
    signed_in(sessions, 0.0)
    later = signed_in(sessions, LASTS_S + 1.0)
    assert list(sessions._ends_s) == [later]


def test_pauses_grow_with_wrong_passwords_up_to_a_minute() -> None:
    failures, pauses = Failures(), []
    for _ in range(12):
        pauses.append(failures.pause_s("client", 0.0))
        failures.note("client", 0.0)
    assert pauses[:FREE_FAILURES] == [0.0] * FREE_FAILURES
    assert pauses[FREE_FAILURES:] == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, LONGEST_PAUSE_S, LONGEST_PAUSE_S, LONGEST_PAUSE_S]


def test_a_pause_passes_and_the_failures_are_forgotten() -> None:
    failures = Failures()
    for _ in range(FREE_FAILURES + 1):
        failures.note("client", 0.0)
    assert failures.pause_s("client", 1.5) == 0.5
    assert failures.pause_s("client", 2.0) == 0.0
    assert failures.pause_s("other", 0.0) == 0.0
    failures.note("client", FORGOTTEN_AFTER_S + 1)
    assert failures.pause_s("client", FORGOTTEN_AFTER_S + 1) == 0.0


def test_who_knows_the_password_starts_anew() -> None:
    sessions = Sessions(PASSWORD)
    for _ in range(FREE_FAILURES):
        sessions.sign_in("wrong", "client", 0.0)
    assert sessions.failures.pause_s("client", 0.0) > 0
    sessions.sign_in(PASSWORD, "client", 0.0)
    assert sessions.failures.pause_s("client", 0.0) == 0.0


def test_many_clients_slow_nobody_else_down_and_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_CLIENTS", 10)
    failures = Failures()
    for number in range(50):
        failures.note(f"client {number}", 0.0)
    assert failures.pause_s("next", 0.0) == 0.0
    assert len(failures._clients) == 10


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("a socket", "a socket"),
    ],
)
def test_who_owns_a_network_of_ipv6_is_one_client(address: str, client: str) -> None:
    assert client_of(address) == client


@pytest.mark.parametrize(
    ("headers", "is_own"),
    [
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "cross-site", "origin": "http://bot", "host": "bot"}, False),
        ({"sec-fetch-site": "same-site"}, False),
        ({"sec-fetch-site": "none"}, False),
        ({"origin": "http://bot:8088", "host": "bot:8088"}, True),
        ({"origin": "https://bot", "host": "bot"}, True),
        ({"origin": "http://evil", "host": "bot:8088"}, False),
        ({"origin": "http://bot:8089", "host": "bot:8088"}, False),
        ({"origin": "null", "host": "bot"}, False),
        ({"origin": "http://[", "host": "bot"}, False),
        ({"origin": "http://[bot]evil", "host": "bot"}, False),
        ({"origin": "http://bot"}, False),
        ({"host": "bot"}, False),
        ({}, False),
    ],
)
def test_only_our_own_pages_may_change_anything(headers: dict[str, str], is_own: bool) -> None:
    assert is_same_origin(headers) is is_own


PASSWORD = "correct horse"
CHALLENGE = {"command": "challenge", "user": "alice", "clock": "3+2", "color": "white", "variant": "standard"}


class Operator:
    """A browser before a dashboard; `given` are the commands that arrived."""

    def __init__(self, password: str | None) -> None:
        self.given: list[tuple[str, ...]] = []
        settings = DashboardSettings.model_validate({"port": 0, "password": password})
        self.server = DashboardServer(settings, Observer(Sources(**PLAIN)), Meters())
        assert self.server.start()
        self.url = self.server.url
        self.browser = requests.Session()

    def take(self, words: tuple[str, ...]) -> Reply:
        self.given.append(words)
        return Reply(words[0] != "resume", f"{words[0]} <b>done</b>; write: {words[0]}")

    def post(self, path: str, form: dict[str, Any], **headers: str) -> requests.Response:
        headers = {"Origin": self.url} | {name.replace("_", "-"): value for name, value in headers.items()}
        return self.browser.post(self.url + path, form, headers=headers, allow_redirects=False, timeout=20)

    def get(self, path: str) -> requests.Response:
        return self.browser.get(self.url + path, timeout=20)

    def sign_in(self, password: str = PASSWORD, **headers: str) -> requests.Response:
        return self.post("/login", {"password": password}, **headers)


@contextmanager
def before(password: str | None) -> Iterator[Operator]:
    """A browser before a dashboard that takes commands."""
    operator = Operator(password)
    try:
        operator.server.take_commands(operator.take)
        yield operator
    finally:
        operator.browser.close()
        operator.server.stop()


@pytest.fixture
def operator() -> Iterator[Operator]:
    with before(PASSWORD) as operator:
        yield operator


def test_without_a_password_nobody_gives_commands() -> None:
    with before(None) as onlooker:
        assert "Sign in" not in onlooker.get("/").text
        assert onlooker.get("/login").status_code == 404
        assert onlooker.sign_in("").status_code == 404
        assert onlooker.post("/command", {"command": "pause"}).status_code == 404
        assert onlooker.given == []


def test_who_is_not_signed_in_sees_all_and_may_do_nothing(operator: Operator) -> None:
    page = operator.get("/").text
    assert 'href="/login"' in page
    assert "/command" not in page
    assert operator.post("/command", {"command": "pause"}).status_code == 401
    refused = operator.post("/command", {"command": "pause"}, Accept="application/json")
    assert (refused.status_code, refused.json()) == (401, {"ok": False, "text": "Sign in first."})
    assert operator.given == []


def test_the_password_opens_a_session_with_a_strict_cookie(operator: Operator, logs: list[EventDict]) -> None:
    answer = operator.sign_in()
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"].lower()
    assert cookie.startswith(COOKIE)
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "secure" not in cookie
    assert "/command" in operator.get("/").text
    assert PASSWORD not in f"{logs}{answer.text}{cookie}"


def test_behind_a_proxy_with_tls_the_cookie_is_for_tls_alone(operator: Operator) -> None:
    assert "secure" in operator.sign_in(X_Forwarded_Proto="https").headers["set-cookie"].lower()


def test_commands_arrive_as_they_would_be_typed(operator: Operator) -> None:
    operator.sign_in()
    answer = operator.post("/command", {"command": "pause"}, Accept="application/json")
    assert (answer.status_code, answer.json()) == (200, {"ok": True, "text": "pause <b>done</b>"})
    assert operator.post("/command", CHALLENGE).status_code == 200
    refused = operator.post("/command", {"command": "resume"})
    assert (refused.status_code, "&lt;b&gt;done&lt;/b&gt;<" in refused.text) == (409, True)
    challenge = ("challenge", "--clock=3+2", "--variant=standard", "--color=white", "--", "alice")
    assert operator.given == [("pause",), challenge, ("resume",)]


def test_signing_out_ends_the_session_even_for_a_copied_cookie(operator: Operator) -> None:
    operator.sign_in()
    copied = operator.browser.cookies[COOKIE]
    answer = operator.post("/logout", {})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert {"httponly", "samesite=strict"} <= set(answer.headers["set-cookie"].lower().split("; "))
    assert COOKIE not in operator.browser.cookies
    operator.browser.cookies[COOKIE] = copied
    assert operator.post("/command", {"command": "pause"}).status_code == 401


@pytest.mark.parametrize(
    "headers", [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec_Fetch_Site": "cross-site"}]
)
@pytest.mark.parametrize("path", ["/login", "/logout", "/command"])
def test_a_page_elsewhere_can_do_nothing(operator: Operator, path: str, headers: dict[str, str]) -> None:
    operator.sign_in()
    assert operator.post(path, {"command": "pause", "password": PASSWORD}, **headers).status_code == 403
    assert operator.given == []
    assert operator.post("/command", {"command": "pause"}).status_code == 200


def test_guessing_becomes_slow(operator: Operator, monkeypatch: pytest.MonkeyPatch, logs: list[EventDict]) -> None:
    monkeypatch.setattr(module, "FIRST_PAUSE_S", module.LONGEST_PAUSE_S)
    assert [operator.sign_in("wrong guess").status_code for _ in range(FREE_FAILURES)] == [401] * FREE_FAILURES
    slowed = operator.sign_in(PASSWORD)
    assert slowed.status_code == 429
    assert int(slowed.headers["retry-after"]) >= 1
    failed = [line for line in logs if line["event"] == "dashboard_sign_in_failed"]
    assert [line["client"] for line in failed] == ["127.0.0.1"] * FREE_FAILURES
    assert "wrong guess" not in str(logs)


def test_a_wall_clock_that_is_set_neither_prolongs_a_pause_nor_ends_a_session(
    operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FIRST_PAUSE_S", 0.01)
    for _ in range(FREE_FAILURES):
        operator.sign_in("wrong guess")
    wall_s = time.time()
    monkeypatch.setattr(time, "time", lambda: wall_s - 3600)
    assert wait_until(lambda: operator.sign_in().status_code == 303)
    cookie = f"{COOKIE}={operator.browser.cookies[COOKIE]}"
    monkeypatch.setattr(time, "time", lambda: wall_s + 2 * module.LASTS_S)
    assert operator.post("/command", {"command": "pause"}, Cookie=cookie).status_code == 200


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"command": "quit"}, 400),
        ({"command": "block", "user": "alice"}, 400),
        ({}, 400),
        ({"command": "pause", "x": "y" * LARGEST_FORM}, 413),
        ({f"f{number}": "1" for number in range(99)}, 400),
    ],
)
def test_what_no_form_of_ours_sends_is_refused(operator: Operator, form: dict[str, str], status: int) -> None:
    operator.sign_in()
    assert operator.post("/command", form).status_code == status
    assert operator.given == []


@pytest.mark.parametrize("body", [b"Content-Length: 99\r\n\r\npassword=", b"Transfer-Encoding: chunked\r\n\r\nzz\r\n"])
@pytest.mark.parametrize("path", [b"/login", b"/command"])
def test_a_form_that_does_not_arrive_whole_is_no_error_of_the_bot(
    operator: Operator, path: bytes, body: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """The owner would see a traceback on the page whenever somebody's connection breaks."""
    url = urlsplit(operator.url)
    with caplog.at_level(logging.ERROR), socket.create_connection((url.hostname, url.port), 20) as connection:
        head = b"POST %b HTTP/1.1\r\nHost: %b\r\nOrigin: %b\r\n" % (path, url.netloc.encode(), operator.url.encode())
        connection.sendall(head + body)
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(4096):
            pass
        assert operator.get("/state").json()["last_error"] is None
    assert [record.getMessage() for record in caplog.records] == []
    assert operator.given == []


def test_a_name_that_looks_like_an_option_stays_a_name() -> None:
    assert words_of({"command": "challenge", "user": "--rated", "clock": "3+2"})[-2:] == ("--", "--rated")
    assert "--rated" in words_of(CHALLENGE | {"rated": "yes"})
    with pytest.raises(RefusedError):
        words_of({"command": "challenge\n"})


def test_what_is_not_chosen_is_not_said() -> None:
    form = {"command": "challenge", "user": " Bob ", "clock": "3+2", "variant": "", "rated": ""}
    assert words_of(form) == ("challenge", "--clock=3+2", "--", "Bob")
    assert words_of({"command": "challenge"}) == ("challenge", "--", "")


def test_a_form_of_the_largest_size_is_read(operator: Operator) -> None:
    operator.sign_in()
    fill = LARGEST_FORM - len("command=pause&x=")
    assert operator.post("/command", {"command": "pause", "x": "y" * fill}).status_code == 200
    assert operator.post("/command", {"command": "pause", "x": "y" * (fill + 1)}).status_code == 413


def test_everything_that_the_form_offers_is_understood() -> None:
    form = {"command": "challenge", "user": "Alice", "rated": "yes"}
    for clock in CLOCKS:
        for color in COLORS:
            for variant in VARIANTS:
                assert parse_command(words_of(form | {"clock": clock, "color": color, "variant": variant})).terms


def test_what_is_typed_stays_when_the_page_is_renewed() -> None:
    assert controls(paused=False).split("data-keep")[1:] != []
    before, after = (controls(paused).split('id="challenge"')[1] for paused in (False, True))
    assert before == after


def test_hostile_texts_stay_texts() -> None:
    assert Reader(sign_in_page(HOSTILE)).tags == Reader(sign_in_page("no")).tags
    assert Reader(message_page(HOSTILE, HOSTILE)).tags == Reader(message_page("no", "no")).tags


def test_every_variant_is_offered_but_a_position_of_ones_own() -> None:
    assert {*VARIANTS, "fromPosition"} == set(get_args(Variant))
    assert VARIANTS[0] == "standard"
    shown = controls(paused=False)
    assert "".join(f"<option>{variant}</option>" for variant in VARIANTS) in shown
    assert "".join(f"<option>{color}</option>" for color in COLORS) in shown


def test_why_signing_in_failed_is_said_where_it_did() -> None:
    assert 'role="alert">That is not the password.<' in sign_in_page("That is not the password.")
    assert "alert" not in sign_in_page()


def test_the_buttons_in_words() -> None:
    plain = words(controls(paused=False))
    assert plain.startswith("Pause Challenge Clock Colour random white black Variant standard")
    assert words(controls(paused=True)).startswith("Resume Challenge")
    assert 'title="Accept challenges and seek games again"' in controls(paused=True)
    assert 'title="Accept no challenges and seek no games"' in controls(paused=False)
