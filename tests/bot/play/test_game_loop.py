"""The actor of one game, between a server and an engine that the test plays."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import chess
import pytest

from bot.engine_pool import Answer, IllegalMove
from bot.errors import EngineStartError, Rejected
from bot.events import ChatLine, GameInfo, OpponentGone, Player, UnknownEvent
from bot.play import game_loop, move_search
from bot.play.game import UnplayableGameError
from bot.play.game_context import Ending
from tests.helpers.game_harness import GameHarness
from tests.helpers.games import ME, OTHER, full, state
from tests.helpers.processes import wait_until


@pytest.fixture
def table() -> Iterator[GameHarness]:
    """A loop that plays White; left at the end."""
    one = GameHarness()
    yield one
    one.loop.leave()
    assert one.loop.join(30)


def test_a_line_starts_the_engine_and_its_answer_is_posted(table: GameHarness) -> None:
    table.hear(full())
    assert table.question.board == chess.Board()
    table.question.answer("e2e4")
    assert wait_until(lambda: ("move", "e2e4") in table.server.said)
    table.hear(state("e2e4"))
    assert len(table.engine.questions) == 1
    table.hear(state("e2e4 e7e5"))
    assert len(table.engine.questions) == 2
    assert len(table.requirements) == 1


def test_lines_that_repeat_the_state_ask_and_post_nothing_twice(table: GameHarness) -> None:
    for _ in range(3):
        table.hear(full())
    assert len(table.engine.questions) == 1
    table.question.answer("e2e4")
    for event in (full(), state(), None, UnknownEvent("odd", {}), ChatLine("alice", "hi")):
        table.hear(event)
    assert wait_until(lambda: table.server.count("move") == 1)
    assert len(table.engine.questions) == 1


def test_an_answer_for_a_position_that_is_gone_is_dropped(table: GameHarness) -> None:
    table.hear(full(state("e2e4 e7e5")))
    old = table.question
    table.hear(state("e2e4 e7e5", btakeback=True))
    table.hear(state("e2e4"))
    assert old.abandoned.is_set()
    old.answer("g1f3")
    table.hear(state("e2e4 c7c5"))
    table.question.answer("g1f3")
    assert wait_until(lambda: table.server.count("move") == 1)
    assert table.question.board.move_stack[-1].uci() == "c7c5"


def test_the_end_stops_the_engine_and_gives_it_back_at_once(table: GameHarness) -> None:
    table.hear(full())
    assert not table.hear(state(status="resign", winner="white"))
    assert table.question.abandoned.is_set()
    assert table.loop.join(30)
    assert table.engine.given_back == 1
    assert table.endings == [Ending.OVER]
    table.question.answer("e2e4")
    assert table.server.count("move") == 0
    assert not table.hear(state("e2e4"))


def test_told_by_the_account_it_ends_though_the_stream_says_nothing(
    table: GameHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.hear(full())
    table.loop.told_over(GameInfo("abcdefgh", "white", OTHER, status="resign"))
    assert table.question.abandoned.is_set()
    table.loop.tick(time.monotonic())
    assert table.endings == []
    table.loop.tick(time.monotonic() + game_loop.TOLD_OVER_GRACE_S + 1)
    assert table.loop.join(30)
    assert table.endings == [Ending.OVER]


def test_hopeless_scores_resign_and_nothing_is_posted() -> None:
    table = GameHarness(conduct={"resign": {"enabled": True, "score_cp": -500, "moves": 1}})
    table.hear(full(state("e2e4 e7e5")))
    table.question.answer("g1f3", score_cp=-900)
    assert wait_until(lambda: ("resign",) in table.server.said)
    table.hear(state("e2e4 e7e5"))
    assert len(table.engine.questions) == 1
    assert table.server.count("move") == 0
    table.loop.leave()


def test_an_engine_that_insists_on_illegal_moves_resigns(table: GameHarness) -> None:
    table.hear(full())
    table.question.done(Answer(None, error=IllegalMove("e1e5")))
    assert wait_until(lambda: ("resign",) in table.server.said)


def test_a_pool_that_has_no_engine_for_a_moment_is_asked_again(table: GameHarness) -> None:
    table.hear(full())
    table.question.done(Answer(None, error=EngineStartError("no memory")))
    table.loop.tick(time.monotonic())
    assert len(table.engine.questions) == 1
    table.loop.tick(time.monotonic() + move_search.ASK_AGAIN_S + 0.1)
    assert len(table.engine.questions) == 2
    table.question.answer("e2e4")
    assert wait_until(lambda: table.server.count("move") == 1)


def test_a_pool_that_never_has_one_resigns(table: GameHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(move_search, "ASK_AGAIN_S", -1.0)
    table.hear(full())
    for _ in range(move_search.ASK_AGAIN_TIMES + 1):
        table.question.done(Answer(None, error=EngineStartError("no memory")))
        table.loop.tick(time.monotonic())
    assert wait_until(lambda: ("resign",) in table.server.said)


def test_sources_are_asked_before_the_engine() -> None:
    known = GameHarness(source=lambda _board: chess.Move.from_uci("d2d4"))
    known.hear(full())
    assert wait_until(lambda: ("move", "d2d4") in known.server.said)
    assert not known.engine.questions
    unknown = GameHarness(source=lambda _board: None)
    unknown.hear(full())
    assert wait_until(lambda: len(unknown.engine.questions) == 1)
    known.loop.leave()
    unknown.loop.leave()


def test_lag_is_measured_from_the_clock_that_comes_back(table: GameHarness) -> None:
    now = time.monotonic()
    table.hear(full(state("e2e4"), white=OTHER, black=ME), now)
    table.hear(state("e2e4"), now)
    table.question.answer("e7e5")
    assert wait_until(lambda: table.server.count("move") == 1)
    table.hear(state("e2e4 e7e5"), now)
    table.hear(state("e2e4 e7e5 g1f3"), time.monotonic())
    table.question.answer("b8c6")
    assert wait_until(lambda: table.server.count("move") == 2)
    table.hear(state("e2e4 e7e5 g1f3 b8c6", btime_ms=59_000), time.monotonic())
    overhead = table.context.lag.overhead_ms
    assert overhead is not None
    assert overhead <= 1_000  # a second lost, less what we know that we spent


def test_an_absent_opponent_is_claimed_against_when_the_time_has_come(table: GameHarness) -> None:
    table.hear(full(state("e2e4 e7e5 g1f3")))
    table.hear(OpponentGone(True, 5), 200.0)
    table.loop.tick(204.0)
    assert table.server.count("claim-victory") == 0
    table.loop.tick(205.5)
    assert wait_until(lambda: table.server.count("claim-victory") == 1)


def test_a_correspondence_game_is_left_while_the_opponent_thinks() -> None:
    table = GameHarness(correspondence={"disconnect_after_s": 60.0})
    slow: dict[str, Any] = {"initial_ms": None, "increment_ms": None, "speed": "correspondence"}
    table.hear(full(state("e2e4"), **slow), 100.0)
    table.loop.park_if_idle(150.0)
    assert table.endings == []
    table.loop.park_if_idle(161.0)
    assert table.loop.join(30)
    assert table.endings == [Ending.PARKED]
    assert table.engine.given_back == 1


def test_a_game_of_our_move_is_never_left() -> None:
    table = GameHarness()
    table.hear(full(state(), initial_ms=None, increment_ms=None, speed="correspondence"), 100.0)
    table.loop.park_if_idle(1e6)
    assert table.endings == []
    table.loop.leave()


def test_a_fault_of_the_pool_is_not_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    table = GameHarness(info=GameInfo("abcdefgh", "white", Player("alice", "Alice")))
    refusals = [EngineStartError("no slot")]
    lend = table.context.lend

    def refuse_once(requirement: Any) -> Any:
        if refusals:
            raise refusals.pop()
        return lend(requirement)

    object.__setattr__(table.context, "lend", refuse_once)
    table.hear(full())
    assert len(table.engine.questions) == 1
    table.loop.leave()


def test_a_refused_resignation_is_played_on(table: GameHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_loop, "RESIGN_S", 0.0)
    table.server.errors["resign"] = [Rejected(400, "This game cannot be resigned")]
    table.hear(full(state("e2e4 e7e5")))
    table.question.done(Answer(None, error=IllegalMove("e1e5")))
    assert wait_until(lambda: ("resign",) in table.server.said)
    table.loop.tick(time.monotonic() + 1)
    table.question.answer("g1f3")
    assert wait_until(lambda: ("move", "g1f3") in table.server.said)


def test_a_damaged_line_is_forgiven_and_a_game_that_cannot_be_followed_is_resigned(table: GameHarness) -> None:
    table.hear(full())
    for number in range(game_loop.BAD_LINES):
        assert table.server.count("resign") == 0, number
        with pytest.raises(UnplayableGameError):
            table.hear(full(state("e2e5")))
    assert wait_until(lambda: ("resign",) in table.server.said)
    other = GameHarness()
    for _ in range(game_loop.BAD_LINES):
        with pytest.raises(UnplayableGameError):
            other.hear(full(variant="bughouse"))
    assert wait_until(lambda: ("resign",) in other.server.said)
    other.loop.leave()
