"""Chat of one game: greetings, answers, farewells, and no more than the server takes."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.events.game import ChatLine, Outcome, Player
from bot.play.chat import commands as answers
from bot.play.chat.chatter import (
    GREETING_PATIENCE_S,
    MAX_ANSWERS,
    MAX_ANSWERS_PER_USER,
    MAX_WAITS,
    FloodGuard,
    fill,
    lines_of,
)
from bot.play.chat.commands import AccountFacts
from bot.settings import MAX_CHARACTERS, MAX_LINES
from tests.helpers.games import AI, game, state
from tests.helpers.talk import ROBOT, TEXTS, Talk, judged, over


def test_texts_are_filled_in() -> None:
    assert fill("Hi {opponent},  I am {me}{engine}.", {"opponent": "Alice", "me": "bot88"}) == "Hi Alice, I am bot88."
    assert fill("{me}", {"me": "{opponent}", "opponent": "no"}) == "{opponent}"  # a name is never filled in again


def test_a_long_text_is_split_between_words() -> None:
    text = "word " * 60
    lines = lines_of(text)
    assert len(lines) == 3
    assert all(line.endswith("word") for line in lines)
    assert " ".join(lines).split() == text.split()


def test_an_address_is_not_broken_at_its_hyphens() -> None:
    address = "https://example.org/how-the-bot-plays"
    assert lines_of("word " * 22 + address)[-1] == address


def test_what_three_lines_cannot_hold_is_cut() -> None:
    assert lines_of("x" * 500) == ["x" * 140, "x" * 140, "x" * 139 + "…"]
    assert lines_of("short") == ["short"]
    assert lines_of("") == []
    full = "word " * 27 + "word"
    assert lines_of("word " * 100) == [full, full, full + "…"]


@given(st.text())
def test_no_line_is_longer_than_the_server_takes(text: str) -> None:
    lines = lines_of(fill(text, {}))
    assert len(lines) <= MAX_LINES
    assert all(0 < len(line) <= MAX_CHARACTERS for line in lines)


def test_four_lines_in_ten_seconds_are_taken_in_each_room() -> None:
    guard = FloodGuard()
    assert [guard.takes("player", [f"line {number}"], 100.0 + number) for number in range(5)] == [True] * 4 + [False]
    assert guard.takes("spectator", ["line"], 104.0)
    assert not guard.takes("player", ["line 5"], 110.5)  # the server's watch may be a little behind
    assert guard.takes("player", ["line 5"], 111.5)
    assert not guard.takes("player", ["6", "7"], 111.6)  # what does not fit as a whole is not begun


def test_a_line_like_one_of_the_last_two_is_not_sent_again() -> None:
    guard = FloodGuard()
    assert guard.takes("player", ["a"], 0.0)
    assert guard.takes("player", ["b"], 20.0)
    assert not guard.takes("player", ["a"], 40.0)
    assert guard.takes("player", ["c"], 60.0)
    assert guard.takes("player", ["a"], 80.0)


def test_each_user_is_answered_so_often_and_all_together_too() -> None:
    guard = FloodGuard()
    asked = [guard.may_answer(name) for name in ("Alice", "alice", "ALICE") * 4]
    assert asked == [True] * MAX_ANSWERS_PER_USER + [False] * 2
    assert guard.may_answer("bob")
    many = FloodGuard()
    assert sum(many.may_answer(f"user{number}") for number in range(100)) == MAX_ANSWERS


def test_long_texts_are_split() -> None:
    talk = Talk(greeting="word " * 40)
    talk.chatter.greet(game(), 100.0)
    assert len(talk.said()) == 2


def test_nobody_is_told_an_evaluation_before_the_end_of_a_rated_game() -> None:
    talk = Talk(advice_in_casual_games=True)
    rated = game(state("e2e4 e7e5"), rated=True)
    talk.chatter.notes.add(judged())
    for command in ("!eval", "!pv", "!book"):
        talk.ask(command, one=rated)
    talk.ask("!eval", by="ALICE", room="spectator", one=rated)  # the opponent among the spectators
    talk.ask("!eval", by="carol", room="spectator", one=rated)
    said = talk.said()
    assert {text for _, text in said} == {answers.REFUSAL}
    assert {room for room, _ in said} == {"player", "spectator"}


def test_everybody_is_told_when_the_game_is_over() -> None:
    talk = Talk()
    talk.chatter.notes.add(judged())
    talk.ask("!eval", one=over())
    talk.ask("!pv", one=over())
    assert talk.said() == [("player", "+0.31 for me with 1.e4, depth 18."), ("player", "I expect 1. e4 e5")]


def test_commands_about_the_account() -> None:
    facts = AccountFacts(lambda: ("Bob",), lambda user: Counter({Outcome.WIN: 1}) if user == "alice" else None)
    talk = Talk(account=facts, custom={"rules": "No takebacks, {opponent}."})
    for command in ("!name", "!engine", "!queue", "!stats", "!rules"):
        talk.ask(command)
    assert [text for _, text in talk.said()] == [
        "I am bot88, a bot.",
        "My engine is Fake Engine 1.0.",
        "Waiting for a game: Bob.",
        "1 game with Alice: 1 won by me, 0 drawn, 0 lost.",
        "No takebacks, Alice.",
    ]
    talk.ask("!help")
    assert talk.said() == [("player", "Commands: !help, !name, !engine, !queue, !wait, !level, !stats, !rules")]


def test_lines_that_are_no_questions_to_us_are_left_alone() -> None:
    talk = Talk()
    for by, text in (("BOT88", "!name"), ("lichess", "!name"), ("alice", "hello"), ("alice", "!x"), ("alice", "!")):
        talk.ask(text, by=by)
    assert talk.said() == []


def test_a_user_is_answered_so_often_and_no_more() -> None:
    talk = Talk(custom={f"c{number}": f"text {number}" for number in range(12)})
    for number in range(12):
        talk.now_s += 20.0
        talk.ask(f"!c{number}")
    assert [text for _, text in talk.said()] == [f"text {number}" for number in range(MAX_ANSWERS_PER_USER)]
    talk.ask("!name", by="bob", room="spectator")
    assert talk.said() == [("spectator", "I am bot88, a bot.")]


def test_what_the_server_would_drop_is_not_sent() -> None:
    talk = Talk()
    talk.ask("!name")
    talk.ask("!name")
    assert talk.said() == [("player", "I am bot88, a bot.")]


def test_the_opponent_can_ask_for_patience_before_the_first_move() -> None:
    talk = Talk()
    begun = game(state("e2e4"))
    talk.ask("!wait", one=begun)
    assert talk.chatter.wait_until_s == 1020.0 + 60.0
    assert talk.said() == [("player", "I wait 60 seconds more for your first move.")]
    for _ in range(MAX_WAITS):
        talk.ask("!wait", one=begun)
    assert talk.said()[-1] == ("player", "I wait no longer for the first move.")
    talk.ask("!wait")
    assert talk.said() == [("player", "The game has begun: your clock decides.")]


@pytest.mark.parametrize("played", ["", "e2e4 e7e5", "e2e4 e7e5 g1f3"])
def test_nobody_is_waited_for_who_is_not_to_make_a_first_move(played: str) -> None:
    talk = Talk()
    talk.ask("!wait", one=game(state(played)))
    assert talk.said() == [("player", "The game has begun: your clock decides.")]
    assert talk.chatter.wait_until_s is None


def test_the_lines_of_the_players_room_are_kept_until_the_end() -> None:
    talk = Talk()
    talk.ask("hello")
    talk.ask("!name", room="spectator")
    talk.ask("!name", one=over())
    assert talk.chatter._heard == [ChatLine("alice", "hello")]


def test_the_opponent_chooses_a_level_and_spectators_are_told_of_it_alone() -> None:
    talk = Talk()
    level = talk.chatter._level
    level.served_by(talk.harness.engine)  # type: ignore[arg-type]  # a stand-in
    talk.ask("!level 1600", by="carol", room="spectator", one=game())
    assert level.elo is None
    talk.ask("!level easy", one=game())
    assert level.elo == 1350
    said = talk.said()
    assert [room for room, _ in said] == ["spectator"]  # the answer to the opponent follows when the engine is set
    talk.harness.engine.elo = 1350
    talk.chatter.tell_level(game())
    talk.chatter.tell_level(game())
    assert talk.said() == [("player", "I play this game at about 1350.")]


def test_help_lists_what_the_asker_gets_an_answer_to() -> None:
    talk = Talk(advice_in_casual_games=True)
    talk.ask("!help", by="carol", room="spectator")
    talk.ask("!help", by="alice", room="spectator")  # the opponent among the spectators
    (_, spectator), (_, opponent) = talk.said()
    assert "!eval" in spectator
    assert "!eval" not in opponent


def test_help_names_the_commands_of_the_room_in_which_it_is_asked() -> None:
    talk = Talk(player_commands=["help", "wait"], spectator_commands=["help", "name"])
    talk.ask("!help", by="carol", room="spectator")
    talk.ask("!help")
    assert talk.said() == [("spectator", "Commands: !help, !name"), ("player", "Commands: !help, !wait")]


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
    talk.chatter.greet(game(state("e2e4 e7e5")), 101.0)  # the game has continued meanwhile
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


@pytest.mark.parametrize(
    ("enabled", "opponent", "told"), [(True, None, True), (False, None, False), (True, ROBOT, False)]
)
def test_a_person_is_told_the_turning_point_if_the_owner_wants_that(
    enabled: bool, opponent: Player | None, told: bool
) -> None:
    talk = Talk(review_after_game=enabled)
    talk.chatter._review = lambda _game, _scores, say: say("The turning point was 12...Nc6.")
    ended = state("e2e4 e7e5", status="resign", winner="white")
    talk.chatter.end(game(ended) if opponent is None else game(ended, black=opponent))
    assert talk.said() == ([("player", "The turning point was 12...Nc6.")] if told else [])
