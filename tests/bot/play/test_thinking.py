"""One position being thought about."""

from __future__ import annotations

import threading

import chess
import chess.engine

from bot.engine_pool import Answer
from bot.play.thinking import Thinking
from tests.helpers.game_harness import AskedEngine
from tests.helpers.processes import wait_until

LIMIT = chess.engine.Limit(time=1.0)
E4 = chess.Move.from_uci("e2e4")


def test_without_sources_the_engine_is_asked_by_the_caller_itself() -> None:
    engine, answers = AskedEngine(), list[Answer]()
    thinking = Thinking(3, lambda _one, answer: answers.append(answer))
    thinking.begin(engine, chess.Board(), LIMIT, ponder=False, source=None)
    assert len(engine.questions) == 1
    engine.questions[0].answer("e2e4")
    assert [answer.move for answer in answers] == [E4]
    assert thinking.revision == 3


def test_a_stopped_thought_says_nothing() -> None:
    engine, answers = AskedEngine(), list[Answer]()
    thinking = Thinking(1, lambda _one, answer: answers.append(answer))
    thinking.begin(engine, chess.Board(), LIMIT, ponder=False, source=None)
    thinking.stop()
    assert engine.questions[0].abandoned.is_set()
    engine.questions[0].answer("e2e4")
    assert answers == []


def test_stopped_while_the_sources_are_asked_the_engine_never_begins() -> None:
    engine, gate, answers = AskedEngine(), threading.Event(), list[Answer]()
    asked = threading.Event()

    def source(_board: chess.Board) -> chess.Move | None:
        asked.set()
        gate.wait(30)
        return None

    thinking = Thinking(1, lambda _one, answer: answers.append(answer))
    thinking.begin(engine, chess.Board(), LIMIT, ponder=False, source=source)
    assert asked.wait(30)
    thinking.stop()
    gate.set()
    assert wait_until(lambda: all(thread.name != "move-sources" for thread in threading.enumerate()))
    assert engine.questions == []
    assert answers == []


def test_a_source_that_knows_answers_and_sees_a_board_of_its_own() -> None:
    engine, answers, board, seen = AskedEngine(), list[Answer](), chess.Board(), list[chess.Board]()

    def source(one: chess.Board) -> chess.Move | None:
        seen.append(one)
        return E4

    thinking = Thinking(1, lambda _one, answer: answers.append(answer))
    thinking.begin(engine, board, LIMIT, ponder=False, source=source)
    assert wait_until(lambda: len(answers) == 1)
    assert answers[0].move == E4
    assert seen[0] is not board
    assert engine.questions == []
