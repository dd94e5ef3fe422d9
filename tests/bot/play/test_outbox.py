"""Moves are posted until they are settled: attempts and workers."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from bot.errors import NetworkError, RateLimited, Rejected, ServerError, Unauthorized
from bot.play import outbox
from bot.play.observer import Observers
from bot.play.outbox import LagMeter, Outbox
from tests.helpers.ending import closed_at_end
from tests.helpers.games import game, state
from tests.helpers.outbox_harness import BEFORE, OutboxHarness, quicken
from tests.helpers.processes import wait_until
from tests.helpers.scarce_threads import refuse_threads


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    quicken(monkeypatch)


@pytest.fixture
def gate() -> threading.Event:
    """What a POST that hangs waits for."""
    return threading.Event()


def test_a_move_is_posted_once_and_then_waits_to_be_shown() -> None:
    harness = OutboxHarness()
    assert not harness.outbox.pending
    first = harness.send(offering_draw=True)
    assert harness.outbox.pending
    assert wait_until(lambda: first.accepted_s)
    harness.outbox.settle(harness.game)
    assert harness.outbox.pending  # the state does not show it yet
    harness.show("f1b5 a7a6")
    assert not harness.outbox.pending
    second = harness.send("b5a4")
    assert wait_until(lambda: second.accepted_s)
    harness.outbox.close()
    assert harness.posts == [("f1b5", True), ("b5a4", False)]
    assert harness.lag.overhead_ms is not None
    assert harness.reopened == 0


@pytest.mark.parametrize(
    ("error", "reopened"),
    [
        (RateLimited(60.0), 0),
        (Unauthorized(401, "No such token"), 0),  # not the stream's fault
        (ServerError(502), 0),
        (ServerError(504), 0),
        (NetworkError("reset"), 0),
        (ValueError("a fault of ours"), 0),
        (Rejected(400, "Not your turn, or game already over"), 2),  # refused twice: the stream has missed something
    ],
)
def test_a_move_is_posted_again_after_any_error(
    error: Exception, reopened: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "CONFIRM_S", 60.0)
    with capture_logs():
        harness = OutboxHarness(error, error, error)
        move = harness.send()
        assert harness.posted(4)
        assert wait_until(lambda: move.accepted_s)
    assert harness.reopened == reopened


@pytest.mark.parametrize(("asked_s", "pause_s"), [(0.0, 0.025), (0.03, 0.03), (60.0, 0.05)])
def test_a_limit_on_moves_is_waited_for_within_bounds(asked_s: float, pause_s: float) -> None:
    harness = OutboxHarness()
    move = harness.send()
    assert harness.outbox._pause_after(move, RateLimited(asked_s)) == pytest.approx(pause_s)


def test_an_accepted_move_that_is_not_shown_is_posted_again_after_the_stream_had_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(outbox, "CONFIRM_S", 0.02)
    harness, posts_at_reopening = OutboxHarness(), list[int]()
    monkeypatch.setattr(harness.outbox, "_reopen_stream", lambda _why: posts_at_reopening.append(len(harness.posts)))
    harness.send()
    assert harness.posted(3)
    harness.outbox.close()
    assert posts_at_reopening[:2] == [1, 2]  # once for each answer, before the next POST


def test_a_failed_post_says_nothing_about_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "CONFIRM_S", 0.02)
    gate = threading.Event()
    harness = OutboxHarness(lambda: None, *[ServerError(502)] * 5, lambda: gate.wait(60))
    harness.send()
    assert harness.posted(7)
    assert harness.reopened == 1  # after the move was accepted and not shown
    gate.set()


def test_a_settled_move_is_never_posted_again(gate: threading.Event) -> None:
    def cut() -> None:
        gate.wait(60)
        raise NetworkError("cut")

    harness = OutboxHarness(cut)
    harness.send()
    assert harness.posted(1)
    harness.show("f1b5 a7a6")
    after = harness.send("b5a4")
    gate.set()
    assert wait_until(lambda: after.accepted_s)
    harness.outbox.close()
    assert harness.posts == [("f1b5", False), ("b5a4", False)]


def test_a_post_that_hangs_is_hedged(gate: threading.Event) -> None:
    harness = OutboxHarness(lambda: gate.wait(60))
    move = harness.send()
    assert harness.posted(1)
    move.posted_s = 1000.0
    harness.outbox.tick(1000.0 + outbox.HEDGE_AFTER_S)  # too early: nothing happens
    assert move.workers == 1
    harness.outbox.tick(1000.1 + outbox.HEDGE_AFTER_S)
    assert wait_until(lambda: move.accepted_s)
    assert len(harness.posts) == 2
    gate.set()


def test_a_post_that_hangs_does_not_hold_the_next_move(gate: threading.Event) -> None:
    harness = OutboxHarness(lambda: gate.wait(60))
    harness.send()
    assert harness.posted(1)
    harness.show("f1b5 a7a6")  # the stream shows it although no answer arrived
    second = harness.send("b5a4")
    assert wait_until(lambda: second.accepted_s)
    gate.set()


def test_hedges_are_few(gate: threading.Event) -> None:
    harness = OutboxHarness(*[lambda: gate.wait(60)] * 20)
    move = harness.send()
    for count in range(1, outbox.MAX_HEDGES + 2):
        assert harness.posted(count)
        harness.outbox.tick(time.monotonic() + 60.0)
    harness.outbox.tick(time.monotonic() + 60.0)
    assert move.workers == 1 + outbox.MAX_HEDGES
    gate.set()


def test_one_worker_makes_the_attempts_after_posts_that_hung(
    gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hang() -> None:
        gate.wait(60)
        raise NetworkError("timed out")

    for name in ("RETRY_FIRST_S", "RETRY_MOST_S"):
        monkeypatch.setattr(outbox, name, 600.0)
    harness = OutboxHarness(hang, hang, hang, hang)
    move = harness.send()
    for count in (1, 2, 3):
        assert harness.posted(count)
        harness.outbox.tick(time.monotonic() + 60.0)
    assert harness.posted(4)
    gate.set()
    assert wait_until(lambda: move.workers == 1)


def test_one_worker_stays_after_a_hedge(gate: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    harness = OutboxHarness(lambda: gate.wait(60))
    ended: list[bool] = []
    retire = harness.outbox._retire

    def noted() -> bool:
        ended.append(retire())
        return ended[-1]

    monkeypatch.setattr(harness.outbox, "_retire", noted)
    move = harness.send()
    assert harness.posted(1)
    harness.outbox.tick(time.monotonic() + 60.0)
    assert wait_until(lambda: move.accepted_s)
    gate.set()
    harness.show("f1b5 a7a6")
    assert wait_until(lambda: len(ended) == 2)
    harness.outbox.close()
    assert sorted(ended) == [False, True]


def test_what_the_move_cost_our_clock_goes_to_the_lag_meter() -> None:
    harness = OutboxHarness()
    move = harness.send()
    assert wait_until(lambda: move.accepted_s)
    move.posted_s = 101.0
    harness.game.apply(state(f"{BEFORE} f1b5", wtime_ms=58_900), 101.2)
    harness.outbox.settle(harness.game)
    harness.outbox.close()
    assert harness.lag.overhead_ms == pytest.approx(100.0)


def test_an_outage_does_not_fill_the_log(logs: list[EventDict]) -> None:
    harness = OutboxHarness(*[NetworkError("gone")] * 5)
    harness.send()
    assert harness.posted(6)
    harness.outbox.close()
    told = [line["attempt"] for line in logs if line["event"] == "move_not_taken" and line["log_level"] == "warning"]
    assert told == [1, 2, 4]


def box_of(game_id: str) -> tuple[Outbox, list[str]]:
    """An outbox of a game of its own, and what is posted."""
    posts = list[str]()
    box = Outbox(game_id, lambda uci, _draw: posts.append(uci), lambda _why: None, LagMeter(), Observers())
    return closed_at_end(box), posts


def workers_of(game_id: str) -> int:
    """Its threads."""
    return sum(thread.name == f"outbox-{game_id}" for thread in threading.enumerate())


def test_one_worker_waits_for_the_first_move_and_serves_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "CONFIRM_S", 60.0)
    box, posts = box_of("waiting0")
    assert box.start()
    assert workers_of("waiting0") == 1
    assert box.start()
    move = box.send(game(), "e2e4")
    assert wait_until(lambda: move.accepted_s)
    for _ in range(3):
        box.tick(time.monotonic() + 60.0)  # long accepted, only not shown yet: no reason for another POST
    assert workers_of("waiting0") == 1
    assert (posts, move.workers) == (["e2e4"], 1)
    box.close()
    assert wait_until(lambda: workers_of("waiting0") == 0)
    box.tick(time.monotonic())  # harmless afterwards


def test_workers_end_after_the_close_whenever_they_are_started() -> None:
    box, _posts = box_of("closed00")
    box.close()
    assert box.start()
    assert wait_until(lambda: workers_of("closed00") == 0)


def test_a_worker_that_could_not_be_started_is_replaced_at_the_next_tick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "CONFIRM_S", 60.0)
    box, posts = box_of("scarce00")
    refused = refuse_threads(monkeypatch, times=2)
    assert not box.start()
    move = box.send(game(), "e2e4")
    assert len(refused) == 2
    box.tick(time.monotonic())
    assert wait_until(lambda: move.accepted_s)
    for _ in range(3):
        box.tick(time.monotonic())
    assert (posts, workers_of("scarce00")) == (["e2e4"], 1)
    box.close()
    assert wait_until(lambda: workers_of("scarce00") == 0)


def test_a_post_that_hangs_for_a_move_already_shown_is_left_alone() -> None:
    gate = threading.Event()
    harness = OutboxHarness(lambda: gate.wait(60))
    harness.send()
    assert harness.posted(1)
    harness.show("f1b5 a7a6")
    harness.outbox.tick(time.monotonic() + 60.0)
    gate.set()
    harness.outbox.close()
    assert harness.posts == [("f1b5", False)]


def test_the_time_that_a_post_takes_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = [1000.0]
    monkeypatch.setattr(outbox, "time", SimpleNamespace(monotonic=lambda: now_s[0]))
    harness = OutboxHarness(lambda: now_s.__setitem__(0, 1000.25))
    move = harness.send()
    assert wait_until(lambda: move.accepted_s)
    assert move.posted_s == 1000.0
    assert harness.lag.overhead_ms == pytest.approx(250.0)
