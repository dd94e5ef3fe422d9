"""Who may ask what, where and when: a table of cases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.play.chat.commands import ADVICE, Verdict, answered_now, argument_of, command_in, verdict
from bot.settings import ChatSettings
from bot.settings.conduct import COMMANDS, SPECTATOR_COMMANDS

DEFAULT, PUBLIC = ChatSettings(), ChatSettings(advice_in_casual_games=True)
ANSWER, REFUSE, IGNORE = Verdict.ANSWER, Verdict.REFUSE, Verdict.IGNORE


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("!eval", "eval"),
        ("!EVAL please", "eval"),
        ("  !help", "help"),
        ("!commands", "help"),
        ("!book", "book"),
        ("!", ""),
        ("! eval", ""),
        ("", ""),
        ("eval", ""),
        ("so !eval", ""),
    ],
)
def test_commands_are_the_first_word_of_a_line(text: str, command: str) -> None:
    assert command_in(text) == command


@pytest.mark.parametrize(
    ("text", "argument"), [("!level", ""), ("!level 1600", "1600"), ("!level  easy please", "easy"), ("", "")]
)
def test_the_word_after_a_command(text: str, argument: str) -> None:
    assert argument_of(text) == argument


CASES = [
    # command, room, by a player of the game, over, what is done
    ("eval", "spectator", False, False, REFUSE),  # a spectator could pass it on
    ("pv", "spectator", False, False, REFUSE),
    ("book", "spectator", False, False, REFUSE),
    ("eval", "player", True, False, REFUSE),
    ("pv", "player", True, False, REFUSE),
    ("book", "player", True, False, REFUSE),
    ("eval", "spectator", True, False, REFUSE),  # a player who asks among the spectators
    ("eval", "player", False, False, REFUSE),
    ("eval", "player", True, True, ANSWER),
    ("pv", "player", True, True, ANSWER),
    ("book", "spectator", True, True, ANSWER),
    ("help", "player", True, False, ANSWER),
    ("stats", "spectator", False, False, ANSWER),
    ("wait", "player", True, False, ANSWER),
    ("wait", "player", True, True, IGNORE),
    ("wait", "spectator", False, False, IGNORE),
    ("unknown", "player", True, False, IGNORE),
    ("unknown", "spectator", False, True, IGNORE),
]


@pytest.mark.parametrize(("command", "room", "by_player", "over", "expected"), CASES)
def test_what_is_told_to_whom(command: str, room: str, by_player: bool, over: bool, expected: Verdict) -> None:
    decided = verdict(command, DEFAULT, room=room, by_player=by_player, over=over, rated=False)
    assert decided is expected


@pytest.mark.parametrize("by_player", [False, True])
@pytest.mark.parametrize("rated", [False, True])
@pytest.mark.parametrize("command", ADVICE)
def test_spectators_of_a_casual_game_get_advice_if_the_owner_allows_it(
    command: str, rated: bool, by_player: bool
) -> None:
    decided = verdict(command, PUBLIC, room="spectator", by_player=by_player, over=False, rated=rated)
    assert decided is (REFUSE if rated or by_player else ANSWER)


@pytest.mark.parametrize(
    ("settings", "command", "room", "expected"),
    [
        ({"player_commands": ["name"]}, "help", "player", IGNORE),
        ({"player_commands": ["name"]}, "help", "spectator", ANSWER),
        ({"spectator_commands": []}, "eval", "spectator", IGNORE),
        ({"custom": {"rules": "None."}}, "rules", "player", ANSWER),
        ({"custom": {"rules": "None."}}, "rules", "spectator", ANSWER),
    ],
)
def test_what_the_settings_switch_off(settings: dict[str, object], command: str, room: str, expected: Verdict) -> None:
    chosen = ChatSettings.model_validate(settings)
    assert verdict(command, chosen, room=room, by_player=room == "player", over=False, rated=True) is expected


def test_help_names_what_is_answered_now() -> None:
    settings = ChatSettings.model_validate({"custom": {"rules": "None."}})
    running = answered_now(settings, room="player", by_player=True, over=False, rated=True)
    assert running == ["help", "name", "engine", "queue", "wait", "level", "stats", "rules"]
    watching = answered_now(settings, room="spectator", by_player=False, over=False, rated=True)
    assert watching == ["help", "name", "engine", "queue", "level", "stats", "rules"]
    after = answered_now(settings, room="player", by_player=True, over=True, rated=True)
    assert after == ["help", "name", "engine", "queue", "level", "stats", "eval", "pv", "book", "rules"]


CHOICES = st.builds(
    ChatSettings,
    player_commands=st.lists(st.sampled_from(COMMANDS), unique=True).map(tuple),
    spectator_commands=st.lists(st.sampled_from(SPECTATOR_COMMANDS), unique=True).map(tuple),
    advice_in_casual_games=st.booleans(),
)
ROOMS = st.sampled_from(["player", "spectator", ""])


@given(CHOICES, st.one_of(st.sampled_from(COMMANDS), st.text()), ROOMS, st.booleans())
def test_no_settings_advise_a_player_of_a_running_game(
    settings: ChatSettings, command: str, room: str, rated: bool
) -> None:
    for where, by_player in ((room, True), ("player", False), *([(room, False)] if rated else [])):
        decided = verdict(command, settings, room=where, by_player=by_player, over=False, rated=rated)
        assert not (command in ADVICE and decided is ANSWER)
