"""Messages reach a receiver that fails, stalls or is gone for a while; nobody who sends one waits."""

from __future__ import annotations

import functools
import json
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from bot.service import notifications as webhook
from bot.service.notifications import MOST_WAITING, Webhook
from tests.helpers.processes import wait_until


class Receiver(ThreadingHTTPServer):
    """Answers with each of `statuses` in turn, then with 204; keeps what was taken."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.statuses: list[int] = []
        self.asked = 0
        self.taken: list[dict[str, Any]] = []
        self.held = threading.Event()
        self.held.set()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/hook/secret?x=1"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server = self.server
        assert isinstance(server, Receiver)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server.held.wait(30)
        server.asked += 1
        status = server.statuses.pop(0) if server.statuses else 204
        if status < 300:
            assert (self.path, self.headers["Content-Type"]) == ("/hook/secret?x=1", "application/json")
            server.taken.append(body)
        self.send_response(status)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the name in the base class
        """Say nothing."""


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    monkeypatch.setattr(webhook, "PAUSES_S", (0.01, 0.05))
    with Receiver() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield server
        server.held.set()
        server.shutdown()
        thread.join()


def test_messages_arrive_in_order_as_json(receiver: Receiver) -> None:
    hook = Webhook(receiver.address)
    for number in range(3):
        hook.send({"event": "unwell", "number": number, "text": "Zugzwang – ♞"})
    hook.close(30.0)
    assert [message["number"] for message in receiver.taken] == [0, 1, 2]
    assert receiver.taken[0]["text"] == "Zugzwang – ♞"


@pytest.mark.parametrize("status", [500, 503, 408, 425, 429])
def test_what_may_pass_is_sent_again(receiver: Receiver, status: int, logs: list[EventDict]) -> None:
    receiver.statuses = [status] * 3
    hook = Webhook(receiver.address)
    hook.send({"event": "unwell"})
    assert wait_until(lambda: receiver.taken)
    hook.close(30.0)
    assert receiver.taken == [{"event": "unwell"}]
    assert receiver.asked == 4
    assert [line["event"] for line in logs] == ["webhook_failed", "webhook_works_again"]
    assert "secret" not in str(logs)


def test_between_two_attempts_there_is_a_pause_which_only_the_end_cuts_short(monkeypatch: pytest.MonkeyPatch) -> None:
    hook, waits = Webhook("http://127.0.0.1:9/secret"), list[tuple[bool, float]]()
    monkeypatch.setattr(hook._changed, "wait_for", lambda is_over, timeout: waits.append((is_over(), timeout)))
    with capture_logs() as logs, hook._changed:
        assert hook._pause("no answer")
        assert hook._pause("no answer")
    assert [is_over for is_over, _timeout in waits] == [False, False]
    assert min(timeout for _is_over, timeout in waits) > 0.0
    assert [line["event"] for line in logs] == ["webhook_failed"], "the trouble is reported once"


def test_what_is_refused_is_given_up_with_a_hint(receiver: Receiver, logs: list[EventDict]) -> None:
    receiver.statuses = [404]
    hook = Webhook(receiver.address)
    hook.send({"event": "unwell"})
    hook.send({"event": "well_again"})
    hook.close(30.0)
    assert receiver.taken == [{"event": "well_again"}]
    (line,) = logs
    assert (line["event"], line["event_name"], line["remedy"]) == (
        "webhook_message_lost",
        "unwell",
        "check notify.webhook",
    )


@pytest.mark.parametrize("status", [400, 401, 499])
def test_a_refusal_is_no_trouble_that_passes(receiver: Receiver, status: int) -> None:
    receiver.statuses = [status]
    hook = Webhook(receiver.address)
    hook.send({"event": "unwell"})
    hook.close(30.0)
    assert (receiver.asked, receiver.taken) == (1, [])


def test_an_address_that_is_none_is_told_without_its_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook, "GIVE_UP_AFTER_S", 0.0)
    hook = Webhook("hook-without-a-host/secret")
    with capture_logs() as logs:
        hook.send({"event": "unwell"})
        assert wait_until(lambda: logs)
        hook.close(30.0)
    assert [(line["event"], line["remedy"]) for line in logs] == [("webhook_message_lost", "nothing else is affected")]
    assert "ValueError" in logs[0]["error"]
    assert "secret" not in str(logs)
    assert not hook._loop.running


def is_told(receiver: Receiver, logs: list[Any], number: int) -> bool:
    """Whether so many messages were taken, each after a trouble that was reported with its end."""
    return len(receiver.taken) == number and len(logs) == 2 * number


def test_each_trouble_is_told_with_its_end(receiver: Receiver, logs: list[EventDict]) -> None:
    """Two troubles with a success between are reported as two, each with its end."""
    hook = Webhook(receiver.address)
    for number in (1, 2):
        receiver.statuses = [500]
        hook.send({"event": "unwell", "number": number})
        assert wait_until(functools.partial(is_told, receiver, logs, number))
    hook.close(30.0)
    assert [line["event"] for line in logs] == ["webhook_failed", "webhook_works_again"] * 2


def test_what_waits_at_the_end_has_all_the_time_that_was_promised(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    receiver.held.clear()
    hook = Webhook(receiver.address)
    hook.send({"event": "unwell"})
    with monkeypatch.context() as patched:
        patched.setattr(hook._loop, "join", waited.append)
        hook.close(5.0)
    receiver.held.set()
    hook._loop.join(60.0)
    assert waited[0] >= 5.0
    assert len(receiver.taken) == 1


def test_a_closed_one_takes_nothing(receiver: Receiver) -> None:
    hook = Webhook(receiver.address)
    hook.close(30.0)
    hook.send({"event": "unwell"})
    assert not hook._loop.running
    assert not hook._waiting


def test_too_old_a_message_is_given_up(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook, "GIVE_UP_AFTER_S", 0.0)
    receiver.statuses = [500]
    hook = Webhook(receiver.address)
    hook.send({"event": "unwell"})
    hook.close(30.0)
    assert receiver.taken == []
    assert receiver.asked == 1


def test_a_receiver_that_stalls_holds_up_nobody_and_few_messages_are_kept(receiver: Receiver) -> None:
    receiver.held.clear()
    hook = Webhook(receiver.address)
    with capture_logs() as logs:
        begun_s = time.monotonic()
        for number in range(1000):
            hook.send({"event": "unwell", "number": number})
        assert time.monotonic() - begun_s < 20.0  # a thousand waits would take hours
        receiver.held.set()
        hook.close(30.0)
    numbers = [message["number"] for message in receiver.taken]
    assert numbers[-MOST_WAITING:] == list(range(1000 - MOST_WAITING, 1000))
    assert len(numbers) <= MOST_WAITING + 1  # and perhaps the one that was under way
    assert {line["event"] for line in logs} == {"webhook_message_lost"}


def test_nobody_there_and_the_end_comes_soon(monkeypatch: pytest.MonkeyPatch, logs: list[EventDict]) -> None:
    monkeypatch.setattr(webhook, "PAUSES_S", (0.01, 0.05))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    hook = Webhook(f"http://127.0.0.1:{port}/topic-that-is-secret")
    hook.send({"event": "unwell"})
    assert wait_until(lambda: any(line["event"] == "webhook_failed" for line in logs))
    hook.close(0.1)
    hook.close(0.1)
    hook.send({"event": "unwell"})  # too late, and harmless
    assert "secret" not in str(logs)
    assert wait_until(lambda: not hook._loop.running)
