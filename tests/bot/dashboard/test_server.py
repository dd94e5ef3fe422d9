"""The web server: where it listens, that it ends, and what it does where it cannot listen."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
import requests
import uvicorn
from structlog.testing import capture_logs
from structlog.typing import EventDict

from bot.control.wire import Reply
from bot.dashboard import DashboardServer, Meters, Observer, Sources
from bot.settings import DashboardSettings
from tests.bot.dashboard.pictures import PLAIN


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def server_of(stack: ExitStack, **fields: Any) -> DashboardServer:
    """A server of a bot that is starting, on a free port unless said otherwise; it ends with the test."""
    server = DashboardServer(
        DashboardSettings.model_validate({"port": 0} | fields), Observer(Sources(**PLAIN)), Meters()
    )
    stack.callback(server.stop)
    return server


def dashboard_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "dashboard"]


def test_it_serves_from_its_start_to_its_end_and_says_where(stack: ExitStack, logs: list[EventDict]) -> None:
    server, others = server_of(stack), dashboard_threads()
    assert server._is_stopping()
    assert server.start()
    assert logs == [{"event": "dashboard", "url": server.url, "log_level": "info"}]
    (thread,) = [thread for thread in dashboard_threads() if thread not in others]
    assert thread.daemon, "a server that does not end must not hold up the program's end"
    assert not server._is_stopping()
    answer = requests.get(server.url + "/healthz", timeout=20)
    assert answer.json()["reasons"] == ["it is starting"]
    assert "server" not in answer.headers, "nobody needs to know what serves"
    server.stop()
    assert server._is_stopping()
    assert not thread.is_alive()
    with pytest.raises(requests.ConnectionError):
        requests.get(server.url + "/healthz", timeout=20)
    server.stop()


def test_stopping_what_was_never_started_is_harmless(stack: ExitStack) -> None:
    server_of(stack).stop()


def test_errors_and_lines_of_the_log_are_on_the_page(stack: ExitStack) -> None:
    observer = Observer(Sources(**PLAIN))
    server = DashboardServer(DashboardSettings(port=0), observer, Meters())
    stack.callback(server.stop)
    observer.tail.install()
    stack.callback(observer.tail.remove)
    assert server.start()
    logging.getLogger("somebody").error("failed")
    state = requests.get(server.url + "/state", timeout=20).json()
    assert state["last_error"]["event"] == "somebody"
    assert "somebody" in [line["event"] for line in state["log"]]


def test_a_port_that_is_taken_is_one_line(stack: ExitStack, logs: list[EventDict]) -> None:
    taken = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    server = server_of(stack, port=taken.getsockname()[1])
    assert not server.start()
    assert [(line["event"], line["address"]) for line in logs] == [
        ("dashboard_not_served", f"127.0.0.1:{taken.getsockname()[1]}")
    ]
    assert server.url == ""


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="the machine has no IPv6")
def test_an_address_of_ipv6_is_written_in_brackets(stack: ExitStack) -> None:
    server = server_of(stack, host="::1")
    assert server.start()
    assert server.url.startswith("http://[::1]:")
    assert requests.get(server.url + "/readyz", timeout=20).status_code == 503


def test_what_listens_on_every_address_is_named_by_one_that_can_be_asked(stack: ExitStack) -> None:
    server = server_of(stack, host="0.0.0.0")
    assert server.start()
    assert server.url.startswith("http://127.0.0.1:")


def test_commands_go_to_who_carries_them_out(stack: ExitStack) -> None:
    server = server_of(stack)
    assert server._command(("pause",)) == (False, "the bot is still starting; try again in a moment")
    server.take_commands(lambda words: Reply(True, " ".join(words)))
    assert server._command(("pause", "now")) == Reply(True, "pause now")


def test_a_fault_of_the_server_is_said_and_ends_nothing_else(stack: ExitStack, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(_self: uvicorn.Server, sockets: object) -> None:
        await asyncio.sleep(0)
        raise RuntimeError("no event loop today")

    monkeypatch.setattr(uvicorn.Server, "serve", broken)
    server, before = server_of(stack), dashboard_threads()
    with capture_logs() as lines:
        assert server.start()
        for thread in dashboard_threads():
            if thread not in before:
                thread.join(60)
        server.stop()
    (fault,) = [line for line in lines if line["event"] == "dashboard_fault"]
    assert "the bot plays on" in fault["remedy"]
