"""What an error of the network says to the owner."""

from __future__ import annotations

import http.client
import socket

import pytest
import requests
import urllib3

from bot.lichess.rate_limits import Endpoint
from bot.lichess.translate import brief, stream_broken


def test_the_reason_is_told_and_not_the_layers_around_it() -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))  # nobody listens there
        with pytest.raises(requests.ConnectionError) as refused:
            requests.get(f"http://127.0.0.1:{bound.getsockname()[1]}/api?token=secret", timeout=30)
    assert brief(refused.value) == "Connection refused"


def test_a_host_that_nobody_knows_is_named_by_the_system() -> None:
    unknown = socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    assert brief(requests.ConnectionError(urllib3.exceptions.ProtocolError("odd", unknown))) == unknown.strerror


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (requests.ReadTimeout("Read timed out."), "it took too long"),
        (TimeoutError("timed out"), "it took too long"),
        (urllib3.exceptions.ProtocolError("broken", http.client.IncompleteRead(b"")), "the connection was cut"),
        (requests.ConnectionError(http.client.RemoteDisconnected("end")), "the connection was cut"),
        (ValueError("no JSON\nat all"), "ValueError: no JSON"),
        (AttributeError(), "AttributeError: "),
    ],
)
def test_what_the_system_does_not_name(error: Exception, told: str) -> None:
    assert brief(error) == told


def test_a_stream_that_was_cut_says_so_once() -> None:
    cut = urllib3.exceptions.ProtocolError("broken", http.client.IncompleteRead(b""))
    assert str(stream_broken(cut, Endpoint.GAME_STREAM)) == "the game stream was cut"
    reset = stream_broken(ConnectionResetError(104, "Connection reset by peer"), Endpoint.GAME_STREAM)
    assert str(reset) == "the game stream was cut: Connection reset by peer"
