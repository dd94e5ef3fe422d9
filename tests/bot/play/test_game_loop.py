"""The actor of one game, between a server and an engine that the test plays."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import chess
import pytest

from bot.engine_pool.values import Answer, IllegalMove
from bot.errors import EngineStartError, Rejected
from bot.events.account import GameInfo
from bot.events.game import ChatLine, Player, UnknownEvent
from bot.play import game_loop, move_search
from bot.play.game import UnplayableGameError
from bot.play.game_context import EndReason
from tests.helpers.conduct_harness import nothing_asked
from tests.helpers.game_harness import GameHarness
from tests.helpers.games import ME, OTHER, full, state
from tests.helpers.processes import wait_until


@pytest.fixture
def harness() -> GameHarness:
    """A loop that plays White."""
    return GameHarness()


def test_a_line_starts_the_engine_and_its_answer_is_posted(harness: GameHarness) -> None:
    harness.receive(full())
    assert harness.search.board == chess.Board()
    harness.search.answer("e2e4")
    assert wait_until(lambda: ("move", "e2e4") in harness.server.said)
    harness.receive(state("e2e4"))
    assert len(harness.engine.searches) == 1
    harness.receive(state("e2e4 e7e5"))
    assert len(harness.engine.searches) == 2
    assert len(harness.requirements) == 1


def test_lines_that_repeat_the_state_ask_and_post_nothing_twice(harness: GameHarness) -> None:
    for _ in range(3):
        harness.receive(full())
    assert len(harness.engine.searches) == 1
    harness.search.answer("e2e4")
    for event in (full(), state(), None, UnknownEvent("odd", {}), ChatLine("alice", "hi")):
        assert harness.receive(event)  # more lines are wanted
    assert wait_until(lambda: harness.server.count("move") == 1)
    assert len(harness.engine.searches) == 1


def test_an_answer_for_a_position_that_is_gone_is_dropped(harness: GameHarness) -> None:
    harness.receive(full(state("e2e4 e7e5")))
    old = harness.search
    harness.receive(state("e2e4 e7e5", btakeback=True))
    harness.receive(state("e2e4"))
    assert old.abandoned.is_set()
    old.answer("g1f3")
    harness.receive(state("e2e4 c7c5"))
    harness.search.answer("g1f3")
    assert wait_until(lambda: harness.server.count("move") == 1)
    assert harness.search.board.move_stack[-1].uci() == "c7c5"


def test_the_end_stops_the_engine_and_gives_it_back_at_once(harness: GameHarness) -> None:
    harness.receive(full())
    assert not harness.receive(state(status="resign", winner="white"))
    assert harness.search.abandoned.is_set()
    assert harness.loop.join(30)
    assert harness.engine.given_back == 1
    assert harness.end_reasons == [EndReason.OVER]
    harness.search.answer("e2e4")
    assert harness.server.count("move") == 0
    assert not harness.receive(state("e2e4"))


def test_an_export_that_is_over_ends_the_game_without_its_final_state(harness: GameHarness) -> None:
    harness.receive(full())
    harness.loop.expect_end(certain=True)
    assert harness.search.abandoned.is_set()
    harness.loop.tick(time.monotonic())
    assert harness.end_reasons == []
    harness.loop.tick(time.monotonic() + game_loop.FINAL_STATE_GRACE_S + 1)
    assert harness.loop.join(30)
    assert harness.end_reasons == [EndReason.OVER]


def test_a_finish_event_without_a_final_state_reopens_the_stream_which_decides(
    harness: GameHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    reopened: list[str] = []
    monkeypatch.setattr(harness.loop._reader, "reopen", reopened.append)
    harness.receive(full(), time.monotonic())
    harness.loop.expect_end()
    assert harness.search.abandoned.is_set()
    for seconds in (0.0, 3.0, 4.0):
        harness.loop.tick(time.monotonic() + seconds)
    assert len(reopened) == 1
    assert len(harness.engine.searches) == 1
    harness.receive(full())
    assert len(harness.engine.searches) == 2
    harness.loop.tick(time.monotonic() + 5.0)
    assert harness.loop.end_reason is None


def test_hopeless_scores_resign_and_nothing_is_posted() -> None:
    harness = GameHarness(conduct={"resign": {"enabled": True, "score_cp": -500, "moves": 1}})
    harness.receive(full(state("e2e4 e7e5")))
    harness.search.answer("g1f3", score_cp=-900)
    assert wait_until(lambda: ("resign",) in harness.server.said)
    harness.receive(state("e2e4 e7e5"))
    assert len(harness.engine.searches) == 1
    assert harness.server.count("move") == 0


def test_a_pool_that_never_has_one_makes_us_play_any_legal_move_and_never_resign(
    harness: GameHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(move_search, "MAX_PATIENCE_S", 0.0)
    harness.receive(full(state("f2f3 e7e5 g2g4"), white=OTHER, black=ME))
    harness.search.done(Answer(None, error=IllegalMove("e1e5")))
    assert wait_until(lambda: ("move", "d8h4") in harness.server.said)  # it even sees the mate
    assert harness.server.count("resign") == 0


def test_a_correspondence_game_is_left_while_the_opponent_thinks() -> None:
    harness = GameHarness(correspondence={"disconnect_after_s": 60.0})
    slow: dict[str, Any] = {"initial_ms": None, "increment_ms": None, "speed": "correspondence"}
    harness.receive(full(state("e2e4"), **slow), 100.0)
    harness.loop.park_if_idle(150.0)
    assert harness.loop.end_reason is None  # the report of an end comes later, from another thread
    harness.loop.park_if_idle(161.0)
    assert harness.loop.join(30)
    assert harness.end_reasons == [EndReason.PARKED]
    assert harness.engine.given_back == 1


def test_a_game_of_our_move_is_never_left() -> None:
    harness = GameHarness()
    harness.receive(full(state(), initial_ms=None, increment_ms=None, speed="correspondence"), 100.0)
    harness.loop.park_if_idle(1e6)
    assert harness.loop.end_reason is None


def test_a_fault_of_the_pool_is_not_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    harness = GameHarness(info=GameInfo("abcdefgh", Player("alice", "Alice")))
    refusals = [EngineStartError("no slot")]
    lend = harness.context.lend

    def refuse_once(requirement: Any) -> Any:
        if refusals:
            raise refusals.pop()
        return lend(requirement)

    object.__setattr__(harness.context, "lend", refuse_once)
    harness.receive(full())
    assert len(harness.engine.searches) == 1


def test_a_refused_resignation_is_played_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_loop, "time", SimpleNamespace(monotonic=lambda: 1000.0))
    harness = GameHarness(conduct={"resign": {"enabled": True, "score_cp": -500, "moves": 1}})
    harness.server.errors["resign"] = [Rejected(400, "This game cannot be resigned")]
    harness.receive(full(state("e2e4 e7e5")), 1000.0)
    harness.search.answer("g1f3", score_cp=-900)
    assert wait_until(lambda: ("resign",) in harness.server.said)
    for after_s, searches in ((-0.1, 1), (0.1, 2)):
        harness.loop.tick(1000.0 + game_loop.RESIGN_S + after_s)
        assert len(harness.engine.searches) == searches
    harness.search.answer("g1f3", score_cp=0)
    assert wait_until(lambda: ("move", "g1f3") in harness.server.said)


def test_a_line_that_does_not_fit_changes_nothing_and_the_next_first_line_is_the_truth(harness: GameHarness) -> None:
    harness.receive(full(state("e2e4 e7e5")))
    for _ in range(5):
        with pytest.raises(UnplayableGameError):
            harness.receive(state("e2e4 e7e5 g1f3 a1a1"))  # the first of the new moves fits
    harness.receive(full(state("e2e4 e7e5 g1f3 b8c6")))
    assert harness.search.board.move_stack[-1].uci() == "b8c6"
    assert harness.server.count("resign") == 0


def test_a_turn_that_a_reopened_stream_tells_of_began_at_the_last_line_of_the_old_one(harness: GameHarness) -> None:
    harness.receive(full(state("e2e4")), now_s=100.0)
    for event, now_s, began_s in ((full(state("e2e4 e7e5")), 108.0, 100.0), (state("e2e4 e7e5 g1f3"), 109.0, 109.0)):
        harness.receive(event, now_s=now_s)
        assert harness.game.turn_began_s == began_s


def test_a_game_that_cannot_be_read_is_aborted_if_it_can_be_and_never_resigned() -> None:
    harness = GameHarness()
    for _ in range(game_loop.MAX_UNREADABLE):
        assert nothing_asked(harness, harness.loop._conduct)
        with pytest.raises(UnplayableGameError):
            harness.receive(full(variant="bughouse"))
    assert wait_until(lambda: ("abort",) in harness.server.said)
    with pytest.raises(UnplayableGameError):
        harness.receive(full(variant="bughouse"))
    assert harness.server.count("abort") == 1
    assert harness.server.count("resign") == 0
    harness.receive(full())  # readable after all
    assert len(harness.engine.searches) == 1
