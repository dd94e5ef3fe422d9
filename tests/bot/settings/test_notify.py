"""Where the operator is told, and what is no such place."""

from __future__ import annotations

import pytest

from bot.errors import ConfigurationError
from bot.settings import parse_settings


@pytest.mark.parametrize("address", ["https://ntfy.example/bot", "http://127.0.0.1:8080/x?y=z", "http://[::1]:0"])
def test_an_address_is_taken_and_kept_secret(address: str) -> None:
    notify = parse_settings(f"notify: {{webhook: '{address}'}}", "bot.yml").notify
    assert notify.webhook is not None
    assert notify.webhook.get_secret_value() == address
    assert address not in str(notify)


def test_without_an_address_nobody_is_told() -> None:
    assert parse_settings("notify: {}", "bot.yml").notify.webhook is None
    assert parse_settings("notify: {webhook: null}", "bot.yml").notify.webhook is None


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("ntfy.example/bot", "must be an address that begins with http:// or https://"),
        ("ftp://ntfy.example", "must be an address that begins with http:// or https://"),
        ("https://ntfy.example/a b", "without blanks"),
        ("https://ntfy.exämple", "without blanks"),
        ("https:///bot", "must name a host"),
        ("http://[x", "must name a host"),
        ("http://:80/bot", "must name a host"),
        ("http://host:http/bot", "and a port from 0 to 65535"),
        ("http://host:70000/bot", "and a port from 0 to 65535"),
    ],
)
def test_what_is_no_address_is_refused(address: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as refused:
        parse_settings(f"notify: {{webhook: '{address}'}}", "bot.yml")
    assert "notify.webhook" in str(refused.value)
