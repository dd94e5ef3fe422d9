"""Entries of lists of users: names, files, addresses."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.errors import ConfigurationError
from bot.settings import ChallengeSettings, is_address, is_list, is_user_name, parse_settings


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


@pytest.mark.parametrize("entry", ["a/b", "a.b", "a\\b", "https://x", "http://x"])
def test_each_mark_of_a_list_is_enough(entry: str) -> None:
    assert is_list(entry)


def test_without_a_file_a_relative_path_stays_relative() -> None:
    entries = ChallengeSettings.model_validate({"block": ["lists/more", "/srv/list", "Ann"]}).block
    assert entries == ("lists/more", "/srv/list", "ann")


@pytest.mark.parametrize("entry", ["https://example.org/@ann", "http://example.org/a@b"])
def test_a_name_in_the_path_of_an_address_is_no_secret(entry: str) -> None:
    assert block(f"'{entry}'") == (entry,)
