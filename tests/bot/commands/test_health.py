"""The health command believes only a bot that says it is well."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from bot.commands.health import ask_health
from bot.settings import DashboardSettings

WELL = '{"well": true, "reasons": []}'
UNWELL = '{"well": false, "reasons": ["no engine answers", "the event stream is silent"]}'


class Page(ThreadingHTTPServer):
    """Answers every request with the same status and text."""

    status, text = 200, WELL

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[str] = []


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, Page)
        self.server.asked.append(self.path)
        self.send_response(self.server.status)
        self.end_headers()
        self.wfile.write(self.server.text.encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the name in the base class
        """Say nothing."""


@pytest.fixture
def page() -> Iterator[Page]:
    with Page() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def settings(page: Page, host: str = "127.0.0.1") -> DashboardSettings:
    return DashboardSettings(host=host, port=page.server_address[1])


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_a_bot_that_is_well(page: Page, host: str) -> None:
    well, text = ask_health(settings(page, host))
    assert (well, text) == (True, "well")
    assert page.asked == ["/healthz"]


def test_the_reasons_of_an_unwell_bot_are_told(page: Page) -> None:
    page.status, page.text = 503, UNWELL
    well, text = ask_health(settings(page))
    assert (well, text) == (False, "unwell: no engine answers, the event stream is silent")


@pytest.mark.parametrize("text", ["<html>welcome</html>", "[]", '{"well": true}', ""])
def test_another_service_at_that_address_is_not_taken_for_the_bot(page: Page, text: str) -> None:
    page.text = text
    well, text = ask_health(settings(page))
    assert not well
    assert "is not bot88 (status 200)" in text


def test_nobody_there_is_unwell_and_the_address_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    well, text = ask_health(DashboardSettings(host="127.0.0.1", port=port))
    assert not well
    assert f"nothing answers at 127.0.0.1:{port}" in text


def test_one_who_listens_and_says_nothing_is_unwell() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        well, _text = ask_health(DashboardSettings(port=silent.getsockname()[1]), timeout_s=0.2)
    assert not well


def test_without_a_dashboard_nobody_is_asked() -> None:
    well, text = ask_health(DashboardSettings(enabled=False))
    assert well
    assert "dashboard.enabled" in text


@pytest.mark.parametrize(("status", "text"), [(503, '{"well": true, "reasons": []}'), (200, UNWELL)])
def test_a_bot_is_well_only_where_status_and_words_agree(page: Page, status: int, text: str) -> None:
    page.status, page.text = status, text
    assert not ask_health(settings(page))[0]


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="the machine has no IPv6")
def test_an_address_of_ipv6_is_named_in_brackets() -> None:
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as free:
        port = free.getsockname()[1]
    assert f"nothing answers at [::1]:{port}: " in ask_health(DashboardSettings(host="::1", port=port))[1]


def test_one_who_speaks_another_protocol_is_unwell_with_a_reason() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:

        def greet() -> None:
            connection, _address = other.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(b"\r\n")

        thread = threading.Thread(target=greet)
        thread.start()
        well, text = ask_health(DashboardSettings(port=other.getsockname()[1]))
        thread.join()
    assert not well
    assert not text.endswith(": ")
