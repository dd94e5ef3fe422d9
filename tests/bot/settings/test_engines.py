"""Entries of engines and the rules that choose one."""

from __future__ import annotations

import sys

import pytest

from bot.errors import ConfigurationError
from bot.settings import EngineEntry, parse_settings


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
