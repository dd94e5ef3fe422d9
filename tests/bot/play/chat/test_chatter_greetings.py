"""What the bot says without being asked: greetings by the kind of opponent, farewells."""

from __future__ import annotations

from typing import Any

import pytest

from bot.events import Player
from bot.play.chat.chatter import GREETING_PATIENCE_S
from tests.helpers.games import AI, game, state
from tests.helpers.talk import ROBOT, TEXTS, Talk, over


def test_greetings_and_farewells_are_said_in_both_rooms_and_once() -> None:
    talk = Talk(**TEXTS)
    for _ in range(2):
        talk.chatter.greet(game(), 100.0)
    assert talk.said() == [("player", "Hello Alice"), ("spectator", "Hi all")]
    talk.chatter.end(over())
    assert talk.said() == [("player", "Bye"), ("spectator", "Ciao")]


@pytest.mark.parametrize(
    ("chat", "opponent", "said"),
    [
        (TEXTS, ROBOT, [("player", "Hello BOT Robot"), ("spectator", "Hi all")]),
        (TEXTS, AI, [("spectator", "Hi all")]),
        ({}, ROBOT, []),
    ],
)
def test_greetings_go_by_the_kind_of_opponent(
    chat: dict[str, Any], opponent: Player, said: list[tuple[str, str]]
) -> None:
    talk = Talk(**chat)
    talk.chatter.greet(game(black=opponent), 100.0)
    assert talk.said() == said


@pytest.mark.parametrize(
    ("played", "has_begun"), [("", False), ("e2e4", False), ("e2e4 e7e5", True), ("e2e4 e7e5 g1f3", True)]
)
def test_only_a_game_taken_up_at_its_beginning_is_greeted_and_only_one_played_gets_a_farewell(
    played: str, has_begun: bool
) -> None:
    talk = Talk(greeting="Hello", farewell="Bye")
    talk.chatter.greet(game(state(played)), 100.0)
    talk.chatter.end(over(played))
    assert talk.said() == [("player", "Bye" if has_begun else "Hello")]


def test_a_greeting_is_not_repeated_however_much_has_been_said_since() -> None:
    talk = Talk(greeting="Hello")
    talk.chatter.greet(game(), 100.0)
    for command in ("!name", "!engine", "!queue"):
        talk.ask(command)
    talk.said()
    talk.now_s += 60.0
    talk.chatter.greet(game(), 200.0)
    assert talk.said() == []


def test_a_greeting_that_does_not_name_the_engine_waits_for_no_name() -> None:
    talk = Talk(greeting="Hello")
    talk.harness.engine.name = ""
    talk.chatter.greet(game(), 100.0)
    assert talk.said() == [("player", "Hello")]


def test_a_greeting_that_names_the_engine_waits_for_the_name_though_not_for_ever() -> None:
    talk = Talk(greeting="{me} runs {engine}")
    talk.harness.engine.name = ""
    talk.chatter.greet(game(), 100.0)
    assert talk.said() == []
    talk.harness.engine.name = "Tiny 2.0"
    talk.chatter.greet(game(state("e2e4 e7e5")), 101.0)  # the game has gone on meanwhile
    assert talk.said() == [("player", "bot88 runs Tiny 2.0")]
    talk = Talk(greeting="{me} runs {engine}")
    talk.harness.engine.name = ""
    talk.chatter.greet(game(), 100.0)
    talk.chatter.greet(game(), 100.0 + GREETING_PATIENCE_S)
    assert talk.said() == [("player", "bot88 runs")]


def test_the_machine_is_named_where_a_text_wants_it() -> None:
    talk = Talk(greeting="{cpu} / {ram}")
    talk.chatter.greet(game(), 100.0)
    [(room, text)] = talk.said()
    assert room == "player"
    assert " of " in text
