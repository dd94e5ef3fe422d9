"""The chat of one game: answers to commands."""

from __future__ import annotations

import pytest

from bot.events import ChatLine
from bot.play.chat import commands as answers
from bot.play.chat.chatter import MAX_ANSWERS_PER_USER, MAX_WAITS
from bot.play.chat.commands import AccountFacts, Results
from tests.helpers.games import game, state
from tests.helpers.talk import Talk, judged, over


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
    facts = AccountFacts(lambda: ("Bob",), lambda user: Results(won=1) if user == "alice" else None)
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
