"""What a game's loop does by time and from outside: threads, silence, parking, the end."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import Any

import pytest
from structlog.typing import EventDict

from bot.events.account import GameInfo
from bot.events.game import GameFull, OpponentGone
from bot.play.game_loop import LIST_LAG_S, GameLoop
from bot.play.game_stream import SILENT, SILENT_S
from tests.helpers.game_harness import GameHarness
from tests.helpers.games import OTHER, full, state
from tests.helpers.processes import wait_until

SLOW: dict[str, Any] = {"initial_ms": None, "increment_ms": None, "speed": "correspondence"}


@pytest.fixture
def harness() -> GameHarness:
    """A loop that plays White."""
    return GameHarness(correspondence={"disconnect_after_s": 60.0})


@pytest.fixture
def reopened(harness: GameHarness, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Why the stream was to be reopened."""
    reasons = list[str]()
    monkeypatch.setattr(harness.loop._reader, "reopen", reasons.append)
    return reasons


def test_a_loop_that_starts_has_a_worker_waiting_for_its_first_move() -> None:
    harness = GameHarness(info=GameInfo("waiting1", OTHER))
    harness.loop.start()
    assert {"game-waiting1", "outbox-waiting1"} <= {thread.name for thread in threading.enumerate()}


def test_a_loop_that_was_left_before_it_starts_begins_no_thread() -> None:
    harness = GameHarness(info=GameInfo("leftearly", OTHER))
    harness.loop.leave()
    assert harness.loop.join(30)
    harness.loop.start()
    assert not [thread.name for thread in threading.enumerate() if thread.name.endswith("-leftearly")]


@pytest.mark.parametrize(
    ("first", "is_urgent"),
    [
        (None, True),  # nothing is known yet
        (full(state("e2e4")), True),  # the reply may have come
        (full(), False),  # we search: nothing else is to be known for the moment
        (full(state("e2e4"), **SLOW), False),
    ],
)
def test_who_has_a_claim_to_an_early_stream(harness: GameHarness, first: GameFull | None, is_urgent: bool) -> None:
    if first is not None:
        harness.receive(first)
    assert (harness.loop._clock_s() is not None) is is_urgent


def test_a_clock_may_run_unseen_while_the_stream_is_closed(harness: GameHarness) -> None:
    assert harness.loop._clock_s() == 0.0  # unknown
    harness.receive(full(state("e2e4", wtime_ms=9_000)), time.monotonic() - 5.0)
    clock_s = harness.loop._clock_s()
    assert clock_s is not None
    assert 0.0 <= clock_s <= 4.0


def test_a_clock_that_seems_to_have_run_out_is_a_short_one(harness: GameHarness) -> None:
    harness.receive(full(state("e2e4", wtime_ms=3_000)), time.monotonic() - 5.0)  # a move of ours may have stopped it
    clock_s = harness.loop._clock_s()
    assert clock_s is not None
    assert 0.0 < clock_s < 0.1


def test_a_stream_is_opened_anew_when_its_keep_alives_stop(harness: GameHarness, reopened: list[str]) -> None:
    harness.receive(full(), 100.0)
    for now_s in range(107, 200, 7):
        harness.receive(None, float(now_s))
        harness.loop.tick(now_s + 1.0)
    assert reopened == []
    harness.loop.tick(199.0 + SILENT_S)
    assert reopened == [SILENT]


def test_a_reader_that_waits_before_its_next_attempt_is_not_hurried(harness: GameHarness, reopened: list[str]) -> None:
    harness.receive(full(), 100.0)
    harness.loop._reader.pausing = True
    harness.loop.tick(101.0 + SILENT_S)
    harness.loop._reader.pausing = False
    harness.loop.tick(101.25 + SILENT_S)  # the attempt has only begun
    assert reopened == []
    harness.loop.tick(101.25 + 2 * SILENT_S)
    assert reopened == [SILENT]


@pytest.mark.parametrize(
    ("is_my_turn", "now_s", "reopenings"), [(True, 120.0, 1), (False, 120.0, 0), (True, 100.0 + LIST_LAG_S / 2, 0)]
)
def test_only_a_list_that_contradicts_the_stream_and_does_not_lag_opens_it_anew(
    harness: GameHarness, reopened: list[str], is_my_turn: bool, now_s: float, reopenings: int
) -> None:
    harness.receive(full(state("e2e4")), 100.0)
    harness.loop.compare(replace(harness.loop.info, is_my_turn=is_my_turn), now_s)
    assert len(reopened) == reopenings


@pytest.mark.parametrize(
    ("moves", "now_s", "quiet"), [("e2e4", 116.0, True), ("e2e4", 114.0, False), ("e2e4 e7e5", 116.0, False)]
)
def test_a_game_is_quiet_when_its_opponent_thinks_for_long(
    harness: GameHarness, moves: str, now_s: float, quiet: bool
) -> None:
    harness.receive(full(state(moves)), 100.0)
    assert harness.loop.is_quiet(now_s) is quiet


def test_moves_that_vanish_though_nobody_asked_are_not_believed(harness: GameHarness, reopened: list[str]) -> None:
    harness.receive(full(state("e2e4 e7e5 g1f3 b8c6")))
    harness.receive(state("e2e4 e7e5"))
    assert len(reopened) == 1
    assert harness.game.ply == 4
    assert len(harness.engine.searches) == 1


def test_lines_before_the_first_one_are_passed_over(harness: GameHarness) -> None:
    assert harness.receive(state("e2e4 e7e5"))
    assert harness.receive(OpponentGone(True, 1))
    assert harness.loop.game is None
    harness.receive(full())
    assert len(harness.engine.searches) == 1


@pytest.mark.parametrize(("is_my_turn", "began_s"), [(True, 70.0), (False, 100.0)])
def test_the_list_of_games_tells_what_has_run_of_our_turn(is_my_turn: bool, began_s: float) -> None:
    harness = GameHarness(info=GameInfo("abcdefgh", OTHER, is_my_turn=is_my_turn, seconds_left=30))
    harness.receive(full(state("e2e4 e7e5", wtime_ms=60_000)), 100.0)
    assert harness.game.turn_began_s == began_s


@pytest.mark.parametrize(
    "first", [None, full(state("e2e4")), full(state("e2e4"), **SLOW)], ids=["none", "clock", "gone"]
)
def test_only_a_game_of_days_in_which_there_is_nothing_to_do_is_parked(
    harness: GameHarness, first: GameFull | None
) -> None:
    if first is not None:
        harness.receive(first, 100.0)
        harness.receive(OpponentGone(True, 1000) if not first.has_clock else None, 100.0)
    harness.loop.park_if_idle(500.0)
    assert harness.loop.end_reason is None


def test_no_search_is_started_once_the_account_tells_of_the_end(harness: GameHarness) -> None:
    harness.receive(full())
    harness.loop.expect_end()
    harness.loop.expect_end()
    harness.loop.tick(time.monotonic())
    assert len(harness.engine.searches) == 1  # and no other


def test_a_game_that_is_over_at_its_first_line_gets_no_engine(harness: GameHarness) -> None:
    assert not harness.receive(full(state(status="aborted")))
    assert harness.requirements == []


@pytest.mark.parametrize("is_over", [True, False])
def test_only_a_game_that_is_over_is_said_goodbye_to(is_over: bool, logs: list[EventDict]) -> None:
    harness = GameHarness(conduct={"chat": {"farewell": "Bye"}})
    harness.receive(full(state("e2e4 e7e5")))
    end(harness.loop, harness, is_over)
    assert ("game_over" in [line["event"] for line in logs]) is is_over
    harness.context.chat.say("abcdefgh", "player", "the last line")
    assert wait_until(lambda: ("chat", "player", "the last line") in harness.server.said)
    assert (("chat", "player", "Bye") in harness.server.said) is is_over


def end(loop: GameLoop, harness: GameHarness, is_over: bool) -> None:
    """Let the game end, or leave it."""
    if is_over:
        harness.receive(state("e2e4 e7e5", status="resign", winner="white"))
    else:
        loop.leave()
    assert loop.join(30)
