"""Chat settings: placeholders and names of commands are checked when the configuration is read."""

from __future__ import annotations

import pytest

from bot.errors import ConfigurationError
from bot.settings import PLACEHOLDERS, parse_settings


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "greeting: Hi {oponent}",
            'f.yml:3: conduct.chat.greeting: {oponent} is no placeholder; did you mean "opponent"?'
            " (known: {me}, {opponent}, {engine}, {cpu}, {ram})",
        ),
        ("bot_farewell: 'Bye {}'", "f.yml:3: conduct.chat.bot_farewell: {} is no placeholder (known: {me},"),
        ("farewell: 'I ran on { cpu }'", '{ cpu } is no placeholder; did you mean "cpu"?'),
        ("custom: {rules: 'Ask {admin}'}", "f.yml:3: conduct.chat.custom.rules: {admin} is no placeholder"),
        ("custom: {eval: 'no'}", "conduct.chat.custom: !eval is a command of the bot itself; choose another name"),
        ("custom: {Rules: 'no'}", "conduct.chat.custom: 'Rules' is no name for a command"),
        ("custom: {'a b': 'no'}", "conduct.chat.custom: 'a b' is no name for a command"),
        ("player_commands: [evil]", 'is not known; did you mean "eval"?'),
        ("spectator_commands: [wait]", "conduct.chat.spectator_commands[1]: 'wait' is not known"),
        ("rooms: [players]", 'did you mean "player"?'),
        ("greeting: " + "x" * 421, "conduct.chat.greeting: "),
    ],
)
def test_what_cannot_be_said_is_one_clear_error(text: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_settings(f"conduct:\n  chat:\n    {text}", "f.yml")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_placeholder_and_plain_braces_are_taken() -> None:
    words = " ".join(f"{{{name}}}" for name in PLACEHOLDERS)
    chat = parse_settings(
        f"conduct: {{chat: {{greeting: '{words}', farewell: ':-{{', custom: {{src: 'on {{cpu}}'}}}}}}", "f.yml"
    ).conduct.chat
    assert chat.greeting == words
    assert chat.farewell == ":-{"
    assert chat.custom == {"src": "on {cpu}"}
