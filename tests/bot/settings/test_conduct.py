"""Chat, levels, endings and the conduct of a game."""

from __future__ import annotations

import pytest

from bot.errors import ConfigurationError
from bot.settings import PLACEHOLDERS, Settings, parse_settings


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "greeting: Hi {oponent}",
            'f.yml:3: conduct.chat.greeting: {oponent} is not a placeholder; did you mean "opponent"?'
            " (known: {me}, {opponent}, {engine}, {cpu}, {ram})",
        ),
        ("farewell: 'Bye {}'", "f.yml:3: conduct.chat.farewell: {} is not a placeholder (known: {me},"),
        ("farewell: 'I ran on { cpu }'", '{ cpu } is not a placeholder; did you mean "cpu"?'),
        ("custom: {rules: 'Ask {admin}'}", "f.yml:3: conduct.chat.custom.rules: {admin} is not a placeholder"),
        ("custom: {eval: 'no'}", "conduct.chat.custom: !eval is a command of the bot itself; choose another name"),
        ("custom: {Rules: 'no'}", "conduct.chat.custom: 'Rules' is not a name for a command"),
        ("custom: {'a b': 'no'}", "conduct.chat.custom: 'a b' is not a name for a command"),
        ("player_commands: [evil]", 'is not known; did you mean "eval"?'),
        ("spectator_commands: [wait]", "conduct.chat.spectator_commands[1]: 'wait' is not known"),
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


def test_a_game_is_never_resigned_unless_it_is_asked_for() -> None:
    assert not parse_settings("{}", "f.yml").conduct.resign.enabled
    assert not parse_settings("conduct: {resign: {score_cp: -900}}", "f.yml").conduct.resign.enabled


def test_draws_are_offered_and_taken_but_not_early_from_people_rated_far_below() -> None:
    draw = parse_settings("{}", "f.yml").conduct.draw
    assert (draw.offer, draw.accept, draw.contempt) == (True, True, True)


@pytest.mark.parametrize("name", ["weak", "level_1", "schwach"])
def test_a_word_of_small_letters_is_a_name(name: str) -> None:
    assert parse_settings(f"conduct: {{levels: {{names: {{{name}: 800}}}}}}", "f.yml").conduct.levels.names == {
        name: 800
    }


@pytest.mark.parametrize("name", ["full", "opponent", "Weak", "a b", "1a", "''"])
def test_anything_else_is_none(name: str) -> None:
    with pytest.raises(ConfigurationError, match="is not a name for a level"):
        parse_settings(f"conduct: {{levels: {{names: {{good: 900, {name}: 800}}}}}}", "f.yml")


@pytest.mark.parametrize(("elo", "fits"), [(99, False), (100, True), (4000, True), (4001, False)])
def test_a_level_is_within_what_can_be_meant(elo: int, fits: bool) -> None:
    text = f"rules: [{{level: {elo}}}]"
    if fits:
        assert parse_settings(text, "f.yml").rules[0].level == elo
    else:
        with pytest.raises(ConfigurationError, match=r"rules\[1\]\.level"):
            parse_settings(text, "f.yml")


def test_the_usual_names_are_each_configurations_own() -> None:
    assert Settings().conduct.levels.names["easy"] == 1350


def test_processors_are_not_used_on_the_opponents_time_unless_it_is_asked_for() -> None:
    settings = parse_settings("{}", "f.yml")
    assert (settings.clock.ponder, settings.correspondence.ponder) == (False, False)


def test_other_manners_in_some_games_leave_the_rest_as_usual() -> None:
    (rule,) = parse_settings("conduct: {rules: {opponents: bot, takebacks: 2}}", "f.yml").conduct.rules
    assert (rule.takebacks, rule.resign, rule.draw) == (2, None, None)
