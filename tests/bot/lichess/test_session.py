"""The session: User-Agent, token, time-outs, redirects, and TLS as with the real server."""

from __future__ import annotations

import shutil
import ssl
import subprocess
import threading
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
import requests_mock
from requests.adapters import HTTPAdapter
from requests_mock import ANY

from bot.errors import NetworkError, ServerError, StreamBroken
from bot.lichess.gateway import Gateway
from bot.lichess.session import BotSession, is_loopback, user_agent
from tests.helpers.processes import wait_until
from tests.helpers.wire import OK, Wire, replies, stream

CHAT = b'{"type":"chatLine","username":"a","text":"b","room":"player"}\n'


def test_the_user_agent_names_program_and_account() -> None:
    assert user_agent().startswith("bot88/")
    assert user_agent("me").endswith(" user:me")


def test_the_user_agent_of_a_checkout_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def not_installed(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("bot.lichess.session.version", not_installed)
    assert user_agent("me") == "bot88/dev user:me"


@pytest.mark.parametrize(
    ("url", "loopback"),
    [
        ("http://127.0.0.1:80", True),
        ("http://[::1]:80", True),
        ("http://localhost/x", True),
        ("https://lichess.org", False),
    ],
)
def test_proxies_are_not_looked_up_for_this_machine(url: str, loopback: bool) -> None:
    assert is_loopback(url) is loopback
    assert BotSession("t", url, adapter=HTTPAdapter()).trust_env is not loopback


def test_netrc_does_not_replace_our_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, requests_mock: requests_mock.Mocker
) -> None:
    (tmp_path / "netrc").write_text("machine lichess.test login someone password else\n", encoding="utf-8")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    requests_mock.get("https://lichess.test/api/account", json={"id": "me"})
    requests_mock.post("https://lichess.test/api/bot/game/abcdefgh/move/e2e4", json={"ok": True})
    gateway = Gateway("https://lichess.test", "lip_ours")
    gateway.account()
    gateway.post_move("abcdefgh", "e2e4")
    assert {sent.headers["Authorization"] for sent in requests_mock.request_history} == {"Bearer lip_ours"}


def test_time_outs(requests_mock: requests_mock.Mocker) -> None:
    requests_mock.get(ANY, text="{}")
    requests_mock.post(ANY, text="{}")
    gateway = Gateway("https://lichess.test", "t", connections=3)
    gateway.account()
    gateway.post_move("abcdefgh", "e2e4")
    gateway.stream_events().close()
    given: list[object] = [sent.timeout for sent in requests_mock.request_history]
    assert given == [(5.0, 10.0), (5.0, 5.0), (5.0, 5.0)]
    sessions = gateway._session, gateway._stream_session
    assert {vars(one)["_pool_maxsize"] for session in sessions for one in session.adapters.values()} == {3}


def test_proxies_and_certificates_are_those_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, requests_mock: requests_mock.Mocker
) -> None:
    monkeypatch.setenv("https_proxy", "http://proxy.test:3128")
    monkeypatch.setenv("no_proxy", "direct.test")
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/our/bundle.pem")
    requests_mock.get(ANY, json={})
    for url in ("https://lichess.test", "https://direct.test", "http://127.0.0.1:1"):
        Gateway(url, "t").account()
    through: list[object] = [dict(sent.proxies) for sent in requests_mock.request_history]
    assert [bool(proxies) for proxies in through] == [True, False, False]
    assert [sent.verify for sent in requests_mock.request_history] == ["/our/bundle.pem", "/our/bundle.pem", True]


@pytest.mark.parametrize(
    ("url", "target", "is_followed"),
    [
        ("https://lichess.test", "/api/account/", True),
        ("https://lichess.test", "https://lichess.test/other", True),
        ("http://lichess.test", "https://lichess.test/api/account", True),
        ("https://lichess.test", "http://lichess.test/api/account", False),
        ("https://lichess.test", "https://lichess.test:8443/api/account", False),
        ("https://lichess.test", "https://user:password@evil.test/api/account", False),
        ("https://lichess.test", "//evil.test/api/account", False),
    ],
)
def test_redirects_stay_on_the_server_and_encrypted(
    requests_mock: requests_mock.Mocker, url: str, target: str, is_followed: bool
) -> None:
    requests_mock.get(ANY, json={"id": "stolen"})
    requests_mock.get("https://lichess.test/other", json={"id": "me"})
    requests_mock.get("https://lichess.test/api/account/", json={"id": "me"})
    if url.startswith("http:"):
        requests_mock.get("https://lichess.test/api/account", json={"id": "me"})
    requests_mock.get(f"{url}/api/account", status_code=307, headers={"Location": target})
    gateway = Gateway(url, "lip_ours")
    if is_followed:
        assert gateway.account().id == "me"
        return
    with pytest.raises(ServerError, match="not followed") as refused:
        gateway.account()
    assert "password" not in str(refused.value)
    assert requests_mock.call_count == 1


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """A certificate for 127.0.0.1 that this process trusts."""
    if shutil.which("openssl") is None:
        pytest.skip("needs the openssl command to make a certificate")
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    words = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1"
    subprocess.run([*words.split(), "-keyout", str(key), "-out", str(cert)], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(cert))
    monkeypatch.setattr("bot.lichess.session.is_loopback", lambda _url: False)  # as with the real server
    return context


def test_moves_and_streams_over_tls(certificate: ssl.SSLContext) -> None:
    with Wire(replies(OK, OK), stream(CHAT), stream(CHAT, end=lambda _socket: None), tls=certificate) as wire:
        mover, reading = Gateway(wire.url, "lip_test"), Gateway(wire.url, "lip_test")
        mover.post_move("abcdefgh", "e2e4")
        mover.post_move("abcdefgh", "e7e5")
        events = reading.stream_game("abcdefgh")
        seen: list[object] = []
        reader = threading.Thread(target=lambda: seen.extend(events), daemon=True)
        reader.start()
        assert wait_until(lambda: len(wire.requests) == 3)
        events.close()
        reader.join(15)  # of the 20 s that silence would take
        assert not reader.is_alive()
        with pytest.raises(StreamBroken):
            list(reading.stream_game("abcdefgh"))


def test_a_certificate_nobody_trusts_is_a_network_error(
    certificate: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("REQUESTS_CA_BUNDLE")
    with Wire(replies(OK), replies(OK), tls=certificate) as wire, pytest.raises(NetworkError):
        Gateway(wire.url, "lip_test").post_move("abcdefgh", "e2e4")
    assert wire.requests == []
