"""The whole configuration: server, log, engines, names that must match."""

from __future__ import annotations

import sys

import pytest

from bot.errors import ConfigurationError
from bot.settings import EngineEntry, Settings, parse_settings


def refused(text: str) -> str:
    """Return the error about a configuration."""
    with pytest.raises(ConfigurationError) as error:
        parse_settings(text, "f.yml")
    return str(error.value)


@pytest.mark.parametrize(
    ("url", "taken"),
    [
        ("https://lichess.org", "https://lichess.org"),
        ("https://lichess.org/", "https://lichess.org"),
        ("http://127.0.0.1:9663", "http://127.0.0.1:9663"),
    ],
)
def test_the_address_of_the_server(url: str, taken: str) -> None:
    assert parse_settings(f"lichess: {{url: '{url}'}}", "f.yml").lichess.url == taken


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("lichess.org", "must start with http:// or https:// and name a host"),
        ("ftp://lichess.org", "must start with http:// or https:// and name a host"),
        ("https://", "must start with http:// or https:// and name a host"),
        ("https:///", "must start with http:// or https:// and name a host"),
        ("https://lichess.org/api/", "must name the server alone, without a path"),
        ("http://me@lichess.org", "must not carry a user name or password"),
    ],
)
def test_what_is_no_address_of_a_server(url: str, message: str) -> None:
    assert refused(f"lichess: {{url: '{url}'}}") == f"f.yml:1: lichess.url: {message}"


def test_without_a_token_there_is_none_to_give_away() -> None:
    assert Settings().token == ""
    assert parse_settings("lichess: {token: lip_x}", "f.yml").token == "lip_x"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("engines: [{name: a}, {name: b}, {name: b}]", "two engines are named 'b'"),
        (
            "engines: [{name: a}, {name: b}]\nrules: [{engines: [b, c]}]",
            "f.yml:2: rules[1].engines[2]: there is no engine 'c' (possible: a, b)",
        ),
        ("rules: [{level: easy}, {level: hrad}]", "f.yml:1: rules[2].level: there is no level 'hrad'; did you mean"),
        (
            "concurrency: 2\nchallenges: {reserved_for_humans: 3}",
            "f.yml:2: challenges.reserved_for_humans: is greater than concurrency",
        ),
    ],
)
def test_names_that_do_not_fit_one_another(text: str, message: str) -> None:
    assert message in refused(text)


@pytest.mark.parametrize(
    "text",
    [
        "engines: [{name: a}, {name: b}]\nrules: [{engines: [b, a]}, {engines: a}]",
        "rules: [{level: 1600}, {level: opponent}, {level: easy}]",
        "conduct: {levels: {names: {weak: 800}}}\nrules: [{level: weak}]",
        "concurrency: 2\nchallenges: {reserved_for_humans: 2}",
    ],
)
def test_names_that_fit_one_another(text: str) -> None:
    assert parse_settings(text, "f.yml")


@pytest.mark.parametrize(
    ("command", "argv"),
    [
        ("['{python}', -m, engine88]", (sys.executable, "-m", "engine88")),
        ("stockfish -x 'a b'", ("stockfish", "-x", "a b")),
        ("[ssh, host, '{python} -m engine88']", ("ssh", "host", f"{sys.executable} -m engine88")),
    ],
)
def test_the_interpreter_is_filled_in(command: str, argv: tuple[str, ...]) -> None:
    (entry,) = parse_settings(f"engines: [{{command: {command}}}]", "f.yml").engines
    assert entry.argv == argv


@pytest.mark.parametrize(
    ("keys", "fits"),
    [
        ("options: {Hash: auto, Threads: auto}", True),
        ("remote: true, options: {Hash: 64, Style: auto}", True),
        ("remote: true, options: {Hash: auto}", False),
        ("remote: true, options: {threads: auto}", False),
    ],
)
def test_a_share_of_this_machine_is_for_this_machine(keys: str, fits: bool) -> None:
    text = f"engines: [{{name: x, command: x, {keys}}}]"
    if fits:
        assert parse_settings(text, "f.yml")
    else:
        with pytest.raises(ConfigurationError, match=r"`auto` measures this machine; give a number"):
            parse_settings(text, "f.yml")


def test_entries_do_not_share_their_options() -> None:
    first, second = EngineEntry(), EngineEntry()
    assert first.options == first.environment == {}
    assert first.options is not second.options


@pytest.mark.parametrize(("seconds", "fits"), [("0", False), ("0.01", True), ("5", True)])
def test_a_move_takes_some_time(seconds: str, fits: bool) -> None:
    text = f"rules: [{{move_time_s: {seconds}}}]"
    if fits:
        assert parse_settings(text, "f.yml").rules[0].move_time_s == float(seconds)
    else:
        with pytest.raises(ConfigurationError, match=r"rules\[1\]\.move_time_s: must be more than 0"):
            parse_settings(text, "f.yml")
