"""The thinking of one game."""

from __future__ import annotations

from bot.engine_pool import Answer, IllegalMove
from bot.errors import EngineStartError
from bot.play.move_search import ASK_AGAIN_TIMES, MoveSearch
from bot.play.thinking import Thinking
from tests.helpers.game_harness import GameHarness
from tests.helpers.games import game, state


def at_table() -> tuple[GameHarness, MoveSearch, list[Thinking]]:
    """A mind whose answers are noted."""
    table, done = GameHarness(), list[Thinking]()
    return table, MoveSearch("abcdefgh", table.context, lambda thinking, _answer: done.append(thinking)), done


def test_one_question_at_a_time() -> None:
    table, mind, done = at_table()
    one = game()
    mind.think(one, 1.0)
    mind.think(one, 2.0)
    assert len(table.engine.questions) == 1
    table.question.answer("e2e4")
    assert len(done) == 1
    assert mind.finish(done[0])
    assert not mind.finish(done[0])
    mind.think(one, 3.0)
    assert len(table.engine.questions) == 2


def test_a_thought_lives_as_long_as_its_position() -> None:
    table, mind, _ = at_table()
    one = game(state("e2e4 e7e5"))
    mind.think(one, 1.0)
    mind.keep(one.revision)
    assert not table.question.abandoned.is_set()
    mind.keep(one.revision + 1)
    assert table.question.abandoned.is_set()
    assert mind.thinking is None


def test_two_illegal_moves_are_the_last_word_and_other_failures_may_pass() -> None:
    _, mind, _ = at_table()
    assert mind.failed(Answer(None, error=IllegalMove("e1e5")))
    _, mind, _ = at_table()
    failed = Answer(None, error=EngineStartError("no memory"))
    assert not any(mind.failed(failed) for _ in range(ASK_AGAIN_TIMES))
    mind.succeeded()
    assert not mind.failed(failed)


def test_the_engine_is_lent_once_and_given_back() -> None:
    table, mind, _ = at_table()
    for _ in range(2):
        mind.lend(game())
    mind.think(game(), 1.0)
    assert len(table.requirements) == 1
    mind.give_back()
    assert table.engine.given_back == 1
    assert table.question.abandoned.is_set()
