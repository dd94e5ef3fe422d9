"""The search for our move: sources before the engine, one request at a time, answers only while they are wanted."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import chess
import pytest

from bot.engine_pool.engine_lease import EngineLease
from bot.engine_pool.values import Answer, IllegalMove, Requirement
from bot.errors import EngineStartError
from bot.move_sources import Choice
from bot.move_sources.request import NO_MOVE
from bot.play import move_search
from bot.play.move_search import MoveSearch
from tests.helpers.game_harness import GameHarness
from tests.helpers.games import game, state
from tests.helpers.processes import wait_until
from tests.helpers.scarce_threads import refuse_threads

E4 = chess.Move.from_uci("e2e4")


def make_search(
    source: Callable[[chess.Board], Choice | None] | None = None, **settings: Any
) -> tuple[GameHarness, MoveSearch, list[Answer]]:
    """A search whose answers are noted."""
    harness, answers = GameHarness(source=source, **settings), list[Answer]()
    return harness, MoveSearch("abcdefgh", harness.context, threading.RLock(), answers.append), answers


def sources_done() -> bool:
    """Wait for the threads that ask sources."""
    return wait_until(lambda: not any(thread.name == "move-sources-abcdefgh" for thread in threading.enumerate()))


def test_one_request_at_a_time() -> None:
    harness, search, answers = make_search()
    one = game()
    search.start(one, 1.0)
    search.start(one, 2.0)
    assert search.active
    assert len(harness.engine.searches) == 1
    harness.search.answer("e2e4")
    harness.search.answer("d2d4")  # an answer nobody waits for any more
    assert [answer.move for answer in answers] == [E4]
    assert not search.active
    search.start(one, 3.0)
    assert len(harness.engine.searches) == 2


def test_a_search_lives_as_long_as_its_position() -> None:
    harness, search, answers = make_search()
    one = game(state("e2e4 e7e5"))
    search.start(one, 1.0)
    search.follow(one)
    assert not harness.search.abandoned.is_set()
    one.apply(state("e2e4"), 2.0)
    search.follow(one)
    assert harness.search.abandoned.is_set()
    assert not search.active
    harness.search.answer("g1f3")
    assert answers == []


def test_cancelled_while_the_sources_are_asked_the_engine_never_begins() -> None:
    gate, asked = threading.Event(), threading.Event()

    def source(_board: chess.Board) -> Choice | None:
        asked.set()
        gate.wait(30)
        return None

    harness, search, answers = make_search(source)
    search.start(game(), 1.0)
    assert asked.wait(30)
    search.cancel()
    gate.set()
    assert sources_done()
    assert harness.engine.searches == []
    assert answers == []


def test_a_source_that_knows_answers_and_sees_a_board_of_its_own() -> None:
    seen = list[chess.Board]()

    def source(board: chess.Board) -> Choice | None:
        seen.append(board)
        return Choice(E4, "syzygy", 2)

    harness, search, answers = make_search(source)
    one = game()
    search.start(one, 1.0)
    assert wait_until(lambda: len(answers) == 1)
    assert (answers[0].move, answers[0].source, answers[0].wdl) == (E4, "syzygy", 2)
    assert seen[0] is not one.board
    assert harness.engine.searches == []


def test_a_source_that_fails_is_no_reason_not_to_ask_the_engine() -> None:
    def source(_board: chess.Board) -> Choice | None:
        raise ZeroDivisionError

    harness, search, _ = make_search(source)
    search.start(game(), 1.0)
    assert wait_until(lambda: len(harness.engine.searches) == 1)


def test_without_a_thread_for_the_sources_the_engine_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    harness, search, _ = make_search(lambda _board: Choice(E4, "book"))

    refuse_threads(monkeypatch)
    search.start(game(), 1.0)
    assert len(harness.engine.searches) == 1


def test_a_pool_that_fails_is_asked_again_until_patience_ends_then_a_legal_move_is_played() -> None:
    _, search, _ = make_search()
    one, failed = game(state("e2e4 e7e5", wtime_ms=60_000)), Answer(None, error=EngineStartError("no memory"))
    assert search.note_failure(one, failed, 100.0) is None
    assert search.note_failure(one, failed, 102.5) is None
    assert search.note_failure(one, failed, 102.9) is None
    move = search.note_failure(one, failed, 103.0)  # a twentieth of the clock is gone
    assert move is not None
    assert move in one.board.legal_moves
    assert search.note_failure(one, failed, 110.0) is not None  # at the next move nothing more is waited for
    search.note_success()
    assert search.note_failure(one, failed, 120.0) is None


def test_after_a_failure_the_pool_is_asked_again_a_little_later() -> None:
    harness, search, _ = make_search()
    one = game()
    search.note_failure(one, Answer(None, error=IllegalMove("e1e5")), 100.0)
    search.start(one, 100.1)
    assert harness.engine.searches == []
    search.start(one, 101.0)
    assert len(harness.engine.searches) == 1


def test_a_pool_that_lends_nothing_counts_as_a_failed_search() -> None:
    harness, search, answers = make_search()

    def refuse(_requirement: Requirement) -> EngineLease:
        raise EngineStartError("no slot")

    object.__setattr__(harness.context, "lend", refuse)
    search.start(game(), 100.0)
    assert [answer.move for answer in answers] == [None]


def test_the_engine_is_lent_once_and_given_back() -> None:
    harness, search, _ = make_search()
    for _ in range(2):
        search.lend_engine(game())
    search.start(game(), 1.0)
    assert len(harness.requirements) == 1
    assert search.level.engine_name == harness.engine.name
    search.release_engine()
    assert harness.engine.given_back == 1
    assert harness.search.abandoned.is_set()


def test_a_level_by_rule_is_asked_of_the_pool_and_sources_are_left_out() -> None:
    asked: list[chess.Board] = []
    harness, search, _ = make_search(asked.append, rules=[{"level": 1600}])
    search.open(game())
    search.start(game(), 1.0)
    assert [requirement.elo for requirement in harness.requirements] == [1600]
    assert len(harness.engine.searches) == 1
    assert asked == []


def test_another_level_is_another_lease_and_the_search_begins_anew() -> None:
    harness, search, _ = make_search()
    one = game()
    search.open(one)
    search.start(one, 1.0)
    first = harness.search
    assert search.level.ask(one, "1600") == ""
    search.follow(one)
    search.follow(one)
    assert first.abandoned.is_set()
    assert harness.engine.given_back == 1
    assert [requirement.elo for requirement in harness.requirements] == [None, 1600]
    search.start(one, 2.0)
    assert len(harness.engine.searches) == 2


def test_a_result_without_a_move_goes_with_the_engines_answer() -> None:
    harness, search, answers = make_search(lambda _board: Choice(NO_MOVE, "gaviota", 0))
    search.start(game(), 1.0)
    assert wait_until(lambda: len(harness.engine.searches) == 1)
    harness.search.answer("e2e4", score_cp=-900)
    assert [(answer.move, answer.source, answer.wdl) for answer in answers] == [(E4, "", 0)]


def test_an_answer_that_comes_too_soon_is_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    slept, gate = list[float](), threading.Event()

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        gate.wait(60)

    clock = SimpleNamespace(monotonic=lambda: 1000.0 + 2 * sum(slept), sleep=sleep)
    monkeypatch.setattr(move_search, "time", clock)
    harness, search, answers = make_search(clock={"min_move_share": 0.01})
    one = game(state("e2e4 e7e5", wtime_ms=60_000), now_s=1000.0)
    search.start(one, 1000.0)
    harness.search.answer("g1f3")
    assert search.active
    assert answers == []
    gate.set()
    assert wait_until(lambda: [answer.move for answer in answers if answer.move] == [chess.Move.from_uci("g1f3")])
    assert slept == pytest.approx([0.6])
    assert not search.active


def test_an_answer_held_back_is_dropped_with_its_position() -> None:
    harness, search, answers = make_search(clock={"min_move_share": 0.05})
    one = game(state("e2e4 e7e5", wtime_ms=60_000))
    one.turn_began_s = time.monotonic()
    search.start(one, one.turn_began_s)
    harness.search.answer("g1f3")
    one.apply(state("e2e4", wtime_ms=60_000), one.turn_began_s)
    search.follow(one)
    assert not search.active
    assert wait_until(lambda: not any(thread.name == "hold-back-abcdefgh" for thread in threading.enumerate()))
    assert answers == []


def test_nothing_is_held_back_that_comes_late_or_has_no_move() -> None:
    harness, search, answers = make_search(clock={"min_move_share": 0.05})
    one = game(state("e2e4 e7e5", wtime_ms=60_000))
    one.turn_began_s = time.monotonic() - 60
    search.start(one, time.monotonic())
    harness.search.answer("g1f3")
    one.turn_began_s = time.monotonic()
    search.start(one, one.turn_began_s)
    harness.search.done(Answer(None))
    assert [answer.move for answer in answers] == [chess.Move.from_uci("g1f3"), None]
