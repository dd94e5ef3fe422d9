"""Sessions cannot be forged, end, and guessing becomes slow."""

from __future__ import annotations

import pytest

from bot.dashboard import session as module
from bot.dashboard.session import (
    FORGOTTEN_AFTER_S,
    FREE_FAILURES,
    LASTS_S,
    LONGEST_PAUSE_S,
    Failures,
    Sessions,
    client_of,
    is_same_origin,
)

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
    ends, nonce, signature = signed_in(sessions).split(".")
    forged = [
        None,
        "",
        ".",
        "..",
        "é.é.é",
        f"{int(ends) + 1}.{nonce}.{signature}",
        f"{ends}.{nonce}.",
        f"{ends}.{nonce}",
    ]
    forged += [f"{ends}.{nonce}.{signature[:-1]}x", signed_in(Sessions(PASSWORD)), f"x.{nonce}.{signature}"]
    assert [cookie for cookie in forged if sessions.is_signed_in(cookie, 1000.0)] == []


def test_a_session_that_was_signed_out_is_over_wherever_its_cookie_is() -> None:
    sessions = Sessions(PASSWORD)
    first, second = signed_in(sessions), signed_in(sessions)
    sessions.sign_out(first, 1001.0)
    sessions.sign_out("forged.cookie", 1001.0)
    assert not sessions.is_signed_in(first, 1002.0)
    assert sessions.is_signed_in(second, 1002.0)
    sessions.sign_out(second, 1000.0 + LASTS_S + 1)
    assert not sessions.is_signed_in(first, 1000.0 + LASTS_S + 2)


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
