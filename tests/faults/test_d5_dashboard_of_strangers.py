"""The dashboard answers under its own names alone, and guesses of strangers never lock its owner out."""

from __future__ import annotations

import http.client
import socket
from collections.abc import Iterator
from urllib.parse import urlencode, urlsplit

import pytest

from bot.dashboard import DashboardServer, Meters, Observer, Sources
from bot.settings import DashboardSettings
from tests.bot.dashboard.pictures import PLAIN

PASSWORD = "correct horse"
PATHS = ("/", "/state", "/healthz", "/readyz", "/metrics", "/games", "/login", "/static/style.css")


@pytest.fixture
def dashboard() -> Iterator[DashboardServer]:
    settings = DashboardSettings.model_validate({"port": 0, "password": PASSWORD})
    server = DashboardServer(settings, Observer(Sources(**PLAIN)), Meters())
    assert server.start()
    yield server
    server.stop()


def ask(
    dashboard: DashboardServer,
    method: str,
    path: str,
    host: str,
    form: str = "",
    source: str = "127.0.0.1",
    **more: str,
) -> tuple[int, str, str]:
    """Send one request from a loopback address; returns status, text and the cookie that was set."""
    url = urlsplit(dashboard.url)
    assert url.hostname is not None
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=20, source_address=(source, 0))
    try:
        connection.request(
            method, path, form, {"Host": host, "Content-Type": "application/x-www-form-urlencoded"} | more
        )
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), (answer.getheader("set-cookie") or "").partition(";")[0]
    finally:
        connection.close()


def sign_in(dashboard: DashboardServer, password: str, source: str = "127.0.0.1", host: str = "") -> tuple[int, str]:
    """Sign in as the page's form does; returns the status and the cookie."""
    name = host or urlsplit(dashboard.url).netloc
    form = urlencode({"password": password})
    status, _, cookie = ask(dashboard, "POST", "/login", name, form, source, Origin=f"http://{name}")
    return status, cookie


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "localhost.evil.example", "127.0.0.1.evil.example"]
)
def test_a_host_that_was_rebound_to_us_gets_nothing(dashboard: DashboardServer, host: str) -> None:
    name = host.format(port=urlsplit(dashboard.url).port)
    assert {path: ask(dashboard, "GET", path, name)[0] for path in PATHS} == dict.fromkeys(PATHS, 421)
    assert sign_in(dashboard, PASSWORD, host=name) == (421, "")


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "LOCALHOST", "[::1]:{port}", "127.0.0.1"])
def test_the_names_of_this_machine_are_known(dashboard: DashboardServer, host: str) -> None:
    name = host.format(port=urlsplit(dashboard.url).port)
    assert ask(dashboard, "GET", "/state", name)[0] == 200
    assert sign_in(dashboard, PASSWORD, host=name)[0] == 303


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="127.0.0.2 is a loopback address on Linux alone")
def test_guesses_from_other_addresses_do_not_lock_the_owner_out(dashboard: DashboardServer) -> None:
    status, cookie = sign_in(dashboard, PASSWORD)
    assert status == 303
    for guess in range(200):
        sign_in(dashboard, f"guess {guess}", source=f"127.0.1.{guess + 1}")
    own = urlsplit(dashboard.url).netloc
    page = ask(dashboard, "GET", "/", own, Cookie=cookie)[1]
    assert "Sign out" in page, "the session that was open before must stay valid"
    assert sign_in(dashboard, PASSWORD)[0] == 303
    assert sign_in(dashboard, PASSWORD, source="127.0.2.1")[0] == 303


@pytest.mark.parametrize(
    ("settings", "host", "known"),
    [
        ({"hosts": "bot.example.org"}, "Bot.Example.org", True),
        ({"hosts": "bot.example.org"}, "bot.example.org:8443", True),
        ({"hosts": "bot.example.org"}, "example.org", False),
        ({}, "192.0.2.7", False),
        ({"host": "0.0.0.0"}, "192.0.2.7:8088", True),
        ({"host": "0.0.0.0"}, "evil.example", False),
    ],
)
def test_configured_names_and_addresses_are_known(settings: dict[str, str], host: str, known: bool) -> None:
    server = DashboardServer(
        DashboardSettings.model_validate({"port": 0} | settings), Observer(Sources(**PLAIN)), Meters()
    )
    assert server.start()
    try:
        assert ask(server, "GET", "/state", host)[0] == (200 if known else 421)
    finally:
        server.stop()


def test_guesses_from_one_address_are_slowed(dashboard: DashboardServer) -> None:
    assert 429 in [sign_in(dashboard, f"guess {guess}")[0] for guess in range(10)]
