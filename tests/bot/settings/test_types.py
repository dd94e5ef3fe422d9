"""Types of values: lists, numbers, paths, clocks, users."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from bot.errors import ConfigurationError
from bot.settings import (
    ChallengeSettings,
    Settings,
    is_address,
    is_list,
    is_user_name,
    parse_clock,
    parse_settings,
    speed_of,
)


def test_values_never_change_after_loading() -> None:
    settings = parse_settings("{concurrency: 3, challenges: {modes: rated}}", "f.yml")
    with pytest.raises(ValidationError, match="frozen"):
        settings.concurrency = 4
    with pytest.raises(ValidationError, match="frozen"):
        settings.challenges.modes = ("casual",)
    assert (settings.concurrency, settings.challenges.modes) == (3, ("rated",))


@pytest.mark.parametrize("number", [".inf", ".nan"])
def test_a_duration_is_a_finite_number(number: str) -> None:
    with pytest.raises(ConfigurationError, match=r"lichess\.stream_silence_s: .*finite"):
        parse_settings(f"lichess: {{stream_silence_s: {number}}}", "f.yml")


def test_paths_start_from_the_folder_of_the_file_if_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    text = "{store: data/x, pgn_folder: ~/pgn, log: {file: /var/log/x}}"
    for folder, start in ((Path("/etc/bot"), "/etc/bot/"), (None, "")):
        settings = parse_settings(text, "f.yml", folder=folder)
        paths = (settings.store, settings.pgn_folder, settings.log.file)
        assert [str(path) for path in paths] == [f"{start}data/x", "/home/me/pgn", "/var/log/x"]


@pytest.mark.parametrize("values", ["[blitz, rapid, blitz]", "[rapid, bullet, blitz, blitz]"])
def test_what_appears_twice_is_named(values: str) -> None:
    with pytest.raises(ConfigurationError, match="'blitz' appears twice"):
        parse_settings(f"challenges: {{speeds: {values}}}", "f.yml")


def test_one_entry_stands_for_a_list_and_nothing_else_does() -> None:
    settings = parse_settings("{challenges: {modes: rated}, engines: {name: x}}", "f.yml")
    assert (settings.challenges.modes, settings.engines[0].name) == (("rated",), "x")
    with pytest.raises(ConfigurationError, match=r"challenges\.modes: must be a list"):
        parse_settings("challenges: {modes: 5}", "f.yml")


@pytest.mark.parametrize("wrong", [{"lichess": {"token": ["lip_secret"]}}, {"dashboard": {"password": ["lip_secret"]}}])
def test_an_error_that_is_logged_as_it_is_shows_no_value(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError) as refused:
        Settings.model_validate(wrong)
    assert "lip_secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1+0", (60.0, 0.0)),
        ("0.5+0", (30.0, 0.0)),
        ("½+0", (30.0, 0.0)),
        ("1/4+1", (15.0, 1.0)),
        ("3+2", (180.0, 2.0)),
        ("5", (300.0, 0.0)),
        (" 0+1 ", (0.0, 1.0)),
        ("0.1+0.1", (6.0, 0.1)),
        ("180+180", (10800.0, 180.0)),
    ],
)
def test_clocks(text: str, seconds: tuple[float, float]) -> None:
    assert parse_clock(text) == pytest.approx(seconds)


@pytest.mark.parametrize(
    "text", ["", "x", "1+", "+1", "1+x", "-1+0", "0+0", "1+-1", "nan+0", "inf+0", "1/0+0", "181+0", "1+181"]
)
def test_what_is_no_clock(text: str) -> None:
    with pytest.raises(ConfigurationError, match="--clock"):
        parse_clock(text)


@pytest.mark.parametrize(
    ("limit_s", "increment_s", "speed"),
    [
        (0, 0, "ultraBullet"),
        (29, 0, "ultraBullet"),
        (30, 0, "bullet"),
        (0, 1, "bullet"),
        (179, 0, "bullet"),
        (60, 3, "blitz"),
        (479, 0, "blitz"),
        (480, 0, "rapid"),
        (1499, 0, "rapid"),
        (1500, 0, "classical"),
        (60, 36, "classical"),
    ],
)
def test_the_speed_of_a_clock_is_that_of_the_limit_and_forty_increments(
    limit_s: float, increment_s: float, speed: str
) -> None:
    assert speed_of(limit_s, increment_s) == speed


@pytest.mark.parametrize(("text", "seconds"), [("¼+0", 15.0), ("¾+0", 45.0), ("3/2", 90.0), ("180+0", 10_800.0)])
def test_parts_of_a_minute(text: str, seconds: float) -> None:
    assert parse_clock(text)[0] == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["180.1+0", "1+180.1", "-0.1+5", "0", "1/2/3+0", "5+ x"])
def test_what_is_beyond_a_clock(text: str) -> None:
    with pytest.raises(ConfigurationError, match="--clock"):
        parse_clock(text)


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
