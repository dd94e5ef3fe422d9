"""Entries of lists of users: names, files, addresses."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.errors import ConfigurationError
from bot.settings import is_address, is_list, is_user_name, parse_settings


def block(entry: str) -> tuple[str, ...]:
    """The entries as they are read from a file in /etc/bot."""
    return parse_settings(f"challenges: {{block: {entry}}}", "f.yml", folder=Path("/etc/bot")).challenges.block


def test_what_an_entry_means() -> None:
    assert block("[Somebody, blocked.txt, lists/more, /srv/list, 'https://example.org/List']") == (
        "somebody",
        "/etc/bot/blocked.txt",
        "/etc/bot/lists/more",
        "/srv/list",
        "https://example.org/List",
    )
    assert [is_list(entry) for entry in ("somebody", "/etc/x", "http://a/b")] == [False, True, True]
    assert is_address("http://a/b")
    assert not is_address("/http")


@pytest.mark.parametrize("entry", ["'no name'", "'@x'", "'https://'", "''"])
def test_what_is_none_of_these_is_an_error(entry: str) -> None:
    with pytest.raises(ConfigurationError, match=r"challenges\.block"):
        block(entry)


def test_an_address_carries_no_secret_into_logs_and_reports() -> None:
    with pytest.raises(ConfigurationError, match="must not carry a user name or password") as raised:
        block("'https://ann:topsecret@example.org/list'")
    assert "topsecret" not in str(raised.value)


def test_names() -> None:
    assert [is_user_name(word) for word in ("Ann", "a-b_9", "x" * 31, "<html>", "")] == [
        True,
        True,
        False,
        False,
        False,
    ]
