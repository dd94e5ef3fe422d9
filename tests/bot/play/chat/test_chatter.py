"""The chat of one game: greetings by the kind of opponent, answers, farewells."""

from __future__ import annotations

from typing import Any

import chess
import pytest

from bot.engine_pool import Answer
from bot.events import ChatLine, Player
from bot.play.chat import answers
from bot.play.chat.chatter import GREETING_PATIENCE_S, MAX_WAITS, Chatter
from bot.play.chat.facts import AccountFacts, Judgement, Results
from bot.play.game import Game
from tests.helpers.game_harness import GameHarness
from tests.helpers.games import AI, game, state
from tests.helpers.processes import wait_until

ROBOT = Player("robot", "Robot", "BOT", 2100)
TEXTS: dict[str, Any] = {
    "greeting": "Hello {opponent}",
    "spectator_greeting": "Hi all",
    "farewell": "Bye",
    "spectator_farewell": "Ciao",
}


class Talk:
    """A chatter, what it has said, and its watch."""

    def __init__(self, account: AccountFacts | None = None, **chat: Any) -> None:
        self.harness = GameHarness(conduct={"chat": chat}, account=account)
        self.now_s = 1000.0
        self._waits = 0
        self.chatter = Chatter(
            "abcdefgh", self.harness.context, lambda: self.harness.engine.name, now_s=lambda: self.now_s
        )

    def ask(self, text: str, *, by: str = "alice", room: str = "player", one: Game | None = None) -> None:
        """Let a user write, a while after the line before."""
        self.now_s += 20.0
        self.chatter.answer(one or game(state("e2e4 e7e5")), ChatLine(by, text, room))
        self._wait_for_chat()

    def said(self) -> list[tuple[str, ...]]:
        """All that was said since the last call."""
        self._wait_for_chat()
        lines = [words[1:] for words in self.harness.server.said if words[1] != "end"]
        self.harness.server.said.clear()
        return lines

    def _wait_for_chat(self) -> None:
        """Wait until the chat has nothing more to send."""
        self._waits += 1
        mark = ("chat", "end", str(self._waits))
        self.harness.context.chat.say("abcdefgh", *mark[1:])
        assert wait_until(lambda: mark in self.harness.server.said)


def over(ply: str = "e2e4 e7e5") -> Game:
    """A game that has ended."""
    return game(state(ply, status="resign", winner="white"))


def judged(score_cp: int = 31) -> Judgement:
    """A move of ours with its score."""
    answer = Answer(chess.Move.from_uci("e2e4"), info_line=f"info depth 18 score cp {score_cp} pv e2e4 e7e5")
    return Judgement(chess.Board(), "e2e4", answer)


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
        (TEXTS | {"bot_greeting": "01"}, ROBOT, [("player", "01"), ("spectator", "Hi all")]),
        (TEXTS | {"bot_greeting": "", "bot_spectator_greeting": ""}, ROBOT, []),
        (
            TEXTS | {"bot_greeting": "01"},
            Player("alice", "Alice"),
            [("player", "Hello Alice"), ("spectator", "Hi all")],
        ),
        (TEXTS, AI, [("spectator", "Hi all")]),
        (TEXTS | {"rooms": ["spectator"]}, ROBOT, [("spectator", "Hi all")]),
        (TEXTS | {"rooms": []}, ROBOT, []),
        ({}, ROBOT, []),
    ],
)
def test_greetings_go_by_the_kind_of_opponent(
    chat: dict[str, Any], opponent: Player, said: list[tuple[str, str]]
) -> None:
    talk = Talk(**chat)
    talk.chatter.greet(game(black=opponent), 100.0)
    assert talk.said() == said


def test_farewells_to_bots_are_their_own() -> None:
    talk = Talk(**TEXTS, bot_farewell="0", bot_spectator_farewell="")
    talk.chatter.end(game(state("e2e4 e7e5", status="mate", winner="white"), black=ROBOT))
    assert talk.said() == [("player", "0")]


def test_a_game_taken_up_in_the_middle_is_not_greeted_and_one_not_played_gets_no_farewell() -> None:
    talk = Talk(**TEXTS)
    talk.chatter.greet(game(state("e2e4 e7e5")), 100.0)
    talk.chatter.end(over("e2e4"))
    assert talk.said() == []


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


def test_long_texts_are_split_or_cut_as_configured() -> None:
    text = "word " * 40
    talk = Talk(greeting=text)
    talk.chatter.greet(game(), 100.0)
    assert len(talk.said()) == 2
    talk = Talk(greeting=text, long_texts="cut")
    talk.chatter.greet(game(), 100.0)
    [(_, said)] = talk.said()
    assert said.endswith("word…")


def test_the_opponent_is_told_no_evaluation_before_the_end_and_spectators_are() -> None:
    talk = Talk()
    talk.chatter.note_move(judged())
    for command in ("!eval", "!pv", "!book"):
        talk.ask(command)
    talk.ask("!eval", by="ALICE", room="spectator")  # the opponent among the spectators
    talk.ask("!eval", by="carol", room="spectator")
    said = talk.said()
    assert said[0] == ("player", answers.REFUSAL)
    assert said[1:] == [("spectator", answers.REFUSAL), ("spectator", "+0.31 for me with 1.e4, depth 18.")]


def test_everybody_is_told_when_the_game_is_over() -> None:
    talk = Talk()
    talk.chatter.note_move(judged())
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
    talk = Talk(answers_per_user=3, custom={f"c{number}": f"text {number}" for number in range(9)})
    for number in range(9):
        talk.ask(f"!c{number}")
    assert [text for _, text in talk.said()] == ["text 0", "text 1", "text 2"]
    talk.ask("!name", by="bob", room="spectator")
    assert talk.said() == [("spectator", "I am bot88, a bot.")]


def test_what_the_server_would_drop_is_not_sent() -> None:
    talk = Talk()
    talk.ask("!name")
    talk.ask("!name")
    assert talk.said() == [("player", "I am bot88, a bot.")]


def test_the_opponent_can_ask_for_patience_before_the_first_move() -> None:
    talk = Talk(wait_s=60.0)
    begun = game(state("e2e4"))
    talk.ask("!wait", one=begun)
    assert talk.chatter.wait_until_s == 1020.0 + 60.0
    assert talk.said() == [("player", "I wait 60 seconds more for your first move.")]
    for _ in range(MAX_WAITS):
        talk.ask("!wait", one=begun)
    assert talk.said()[-1] == ("player", "I wait no longer for the first move.")
    talk.ask("!wait")
    assert talk.said() == [("player", "The game has begun: your clock decides.")]


def test_without_a_time_nobody_is_waited_for() -> None:
    talk = Talk(wait_s=0.0)
    talk.ask("!wait", one=game(state("e2e4")))
    assert talk.chatter.wait_until_s is None


def test_the_opponent_chooses_a_level_and_spectators_are_told_of_it_alone() -> None:
    talk = Talk()
    level = talk.chatter._level
    level.served_by(talk.harness.engine)
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
